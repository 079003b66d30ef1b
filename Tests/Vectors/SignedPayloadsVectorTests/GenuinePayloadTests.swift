import Foundation
import RepositoryFiles
import SignedPayloads
import Testing

/// Payloads that Apple or Xcode really signed. They are not committed: see `PrivateTestData`.
@Suite(
    .enabled(
        if: PrivateTestData.genuine.folder != nil,
        "PRIVATE_TEST_DATA names no folder with Apple's payloads"))
struct GenuinePayloadTests {
    @Test func `every payload that Apple signed is verified with the defaults, except the one that is null`()
        throws
    {
        let verifier = try SignedPayloadVerifier()
        var counts: [SignedPayloadKind: Int] = [:]
        var nulls = 0
        for file in try PrivateTestData.genuine.files(in: "jws", extension: "jws") {
            let token = try genuineText(of: file)
            do throws(PayloadError) {
                counts[try verifier.verify(token).kind, default: 0] += 1
            } catch {
                #expect(token.contains(".bnVsbA."), "\(file.lastPathComponent): \(error)")
                #expect(error.code == .invalidEncoding)
                #expect(error.check == .payload)
                nulls += 1
            }
        }
        #expect(nulls == 1)
        #expect(counts[.transaction, default: 0] > 10)
        #expect(counts[.renewalInfo, default: 0] > 10)
        #expect(counts[.notification, default: 0] > 10)
        #expect(counts[.unknown] == nil)
        #expect(verifier.rememberedSignerCount <= 4)
    }

    @Test func `what Xcode signed is verified with its certificate pinned, and fails without`() throws {
        let certificates = try PrivateTestData.genuine.files(in: "certs", extension: "der").filter {
            $0.lastPathComponent.hasPrefix("xcode-")
        }
        let anchors = try certificates.map { TrustAnchor(der: [UInt8](try Data(contentsOf: $0))) }
        var policy = VerificationPolicy()
        policy.environments = [.xcode]
        let pinned = try SignedPayloadVerifier(anchors: anchors, policy: policy)
        let unpinned = try SignedPayloadVerifier(policy: policy)
        let unasked = try SignedPayloadVerifier(anchors: anchors)
        let files = try PrivateTestData.genuine.files(in: "xcode", extension: "jws")
        #expect(files.count >= 3)
        for file in files {
            let token = try genuineText(of: file)
            #expect(throws: Never.self, "\(file.lastPathComponent)") { try pinned.verify(token) }
            #expect(throws: PayloadError.self) { try unpinned.verify(token) }
            #expect(throws: PayloadError.self) { try unasked.verify(token) }
            #expect(throws: PayloadError.self) { try SignedPayloadVerifier().verify(token) }
        }
    }
}

/// The text of a file of private test data, without its last line end.
func genuineText(of file: URL) throws -> String {
    String(decoding: try Data(contentsOf: file), as: UTF8.self).trimmingCharacters(in: .newlines)
}
