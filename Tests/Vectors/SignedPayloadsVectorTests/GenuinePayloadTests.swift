import Foundation
import SignedPayloads
import Testing

/// Payloads that Apple or Xcode really signed. They are not committed; the environment variable
/// `GENUINE_PAYLOADS` names their folder.
@Suite(
    .enabled(
        if: Genuine.folder != nil,
        "GENUINE PAYLOADS SKIPPED: GENUINE_PAYLOADS names no folder of payloads truly signed by Apple"))
struct GenuinePayloadTests {
    @Test func `every payload that Apple signed is verified with the defaults, except the one that is null`()
        throws
    {
        let verifier = try SignedPayloadVerifier()
        var counts: [SignedPayloadKind: Int] = [:]
        var nulls = 0
        for file in try Genuine.files(in: "jws", withSuffix: ".jws") {
            let token = try Genuine.text(of: file)
            do throws(VerificationError) {
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
        let certificates = try Genuine.files(in: "certs", withSuffix: ".der").filter {
            $0.lastPathComponent.hasPrefix("xcode-")
        }
        let anchors = try certificates.map { TrustAnchor(der: [UInt8](try Data(contentsOf: $0))) }
        var policy = VerificationPolicy()
        policy.environments = [.xcode]
        let pinned = try SignedPayloadVerifier(anchors: anchors, policy: policy)
        let unpinned = try SignedPayloadVerifier(policy: policy)
        let unasked = try SignedPayloadVerifier(anchors: anchors)
        let files = try Genuine.files(in: "xcode", withSuffix: ".jws")
        #expect(files.count >= 3)
        for file in files {
            let token = try Genuine.text(of: file)
            #expect(throws: Never.self, "\(file.lastPathComponent)") { try pinned.verify(token) }
            #expect(throws: VerificationError.self) { try unpinned.verify(token) }
            #expect(throws: VerificationError.self) { try unasked.verify(token) }
            #expect(throws: VerificationError.self) { try SignedPayloadVerifier().verify(token) }
        }
    }
}

/// The folder of genuine payloads.
enum Genuine {
    static let folder = ProcessInfo.processInfo.environment["GENUINE_PAYLOADS"].flatMap { path in
        var isFolder: ObjCBool = false
        let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return exists && isFolder.boolValue ? URL(filePath: path) : nil
    }

    static func files(in name: String, withSuffix suffix: String) throws -> [URL] {
        let folder = try #require(folder).appending(path: name)
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasSuffix(suffix) }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    static func text(of file: URL) throws -> String {
        String(decoding: try Data(contentsOf: file), as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
