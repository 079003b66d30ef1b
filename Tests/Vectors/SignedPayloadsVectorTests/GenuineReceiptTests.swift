import Dispatch
import Foundation
import ReceiptOracle
import RepositoryFiles
import SignedPayloads
import Synchronization
import Testing

/// Receipts that Apple or Xcode really signed; see `GenuinePayloadTests`.
@Suite(
    .enabled(
        if: PrivateTestData.genuine.folder != nil,
        "PRIVATE_TEST_DATA names no folder with Apple's receipts"))
struct GenuineReceiptTests {
    private struct Listed: Decodable {
        let file: String
        let created: String?
        let bundleId: String?
        let version: String?
        let inAppCount: Int?
        let environment: String?
    }

    private func listed() throws -> [String: Listed] {
        let index = try #require(PrivateTestData.genuine.folder).appending(path: "index.json")
        let entries = try JSONDecoder().decode([Listed].self, from: Data(contentsOf: index))
        return Dictionary(entries.map { (URL(filePath: $0.file).lastPathComponent, $0) }) { first, _ in first
        }
    }

    private static func bytes(of file: URL) throws -> [UInt8] {
        try #require(Data(base64Encoded: genuineText(of: file)).map { [UInt8]($0) })
    }

    private static func xcodeAnchor() throws -> TrustAnchor {
        let file = try #require(
            PrivateTestData.genuine.files(in: "certs", extension: "der").first {
                $0.lastPathComponent.hasPrefix("xcode-selfsigned-StoreKit-2020")
            })
        return TrustAnchor(der: [UInt8](try Data(contentsOf: file)))
    }

    @Test func `every receipt that Apple signed is verified with the defaults, at its creation date`() throws
    {
        let verifier = try ReceiptVerifier()
        let listed = try listed()
        let files = try PrivateTestData.genuine.files(in: "receipts", extension: "b64")
        #expect(files.count >= 9)
        for file in files {
            let name = file.lastPathComponent
            let entry = try #require(listed[name])
            let verified = try verifier.verify(genuineText(of: file))
            let receipt = verified.receipt
            #expect(verified.effectiveDate == receipt.creationDate)
            #expect(verified.effectiveDateISO8601.prefix(19) == entry.created?.prefix(19) ?? "")
            #expect(receipt.bundleID == entry.bundleId)
            #expect(receipt.appVersion == entry.version)
            #expect(receipt.receiptType == entry.environment)
            #expect(receipt.purchases.count == entry.inAppCount)
            #expect(receipt.transactionIDs.count == entry.inAppCount)
            #expect(verified.certificates.count == 3)
            // With only Apple's root, libcrypto finds the same content.
            let bytes = try Self.bytes(of: file)
            #expect(CMSOracle.content(of: bytes, root: TrustAnchor.appleRootCA.der) == receipt.content)
            #expect(try verifier.verify(file: bytes).receipt.json == receipt.json)
            // This device is not the receipt's.
            let bound = try ReceiptVerifier(deviceIdentifier: [UInt8](repeating: 1, count: 16))
            let error = #expect(throws: PayloadError.self) { try bound.verify(bytes.span) }
            #expect(error?.code == .invalidDeviceVerification)
        }
        #expect(verifier.rememberedSignerCount <= 5)
    }

    /// Flips one bit of each byte, which takes half a minute; at a large `TestScale`, every bit.
    @Test func `no flipped bit of a genuine receipt goes unnoticed`() throws {
        for (number, file) in try PrivateTestData.genuine.files(in: "receipts", extension: "b64").enumerated()
        {
            let bytes = try Self.bytes(of: file)
            let verifier = try ReceiptVerifier()
            _ = try verifier.verify(bytes.span)
            let survivors = Mutex<[Int]>([])
            DispatchQueue.concurrentPerform(iterations: bytes.count) { index in
                // The receipts' certificates are mostly the same, so each receipt gets another bit flipped.
                for bit in 0..<8 where TestScale.isLarge || bit == (index + number) % 8 {
                    var flipped = bytes
                    flipped[index] ^= 1 << UInt8(bit)
                    if (try? verifier.verify(flipped.span)) != nil {
                        survivors.withLock { $0.append(index * 8 + bit) }
                    }
                }
            }
            #expect(survivors.withLock(\.self) == [], "\(file.lastPathComponent)")
        }
    }

    @Test func `what Xcode signed is verified with its certificate pinned, and fails without`() throws {
        let anchor = try Self.xcodeAnchor()
        let pinned = try ReceiptVerifier(anchors: [anchor])
        var policy = VerificationPolicy()
        policy.environments = [.xcode]
        let asked = try ReceiptVerifier(anchors: [anchor], policy: policy)
        let unpinned = try ReceiptVerifier(policy: policy)
        policy.environments = [.production, .sandbox]
        let elsewhere = try ReceiptVerifier(anchors: [anchor], policy: policy)
        let files = try PrivateTestData.genuine.files(in: "xcode", extension: "b64")
        #expect(files.count >= 4)
        for file in files {
            let bytes = try Self.bytes(of: file)
            let receipt = try pinned.verify(bytes.span).receipt
            #expect(receipt.receiptType == "Xcode")
            #expect(CMSOracle.content(of: bytes) == receipt.content)
            #expect(throws: Never.self) { try asked.verify(bytes.span) }
            var error = #expect(throws: PayloadError.self) { try unpinned.verify(bytes.span) }
            #expect(error?.code == .invalidCertificateChain)
            #expect(error?.detail == "notPinned")
            error = #expect(throws: PayloadError.self) { try ReceiptVerifier().verify(bytes.span) }
            #expect(error?.code == .invalidCertificateChain)
            error = #expect(throws: PayloadError.self) { try elsewhere.verify(bytes.span) }
            #expect(error?.code == .wrongEnvironment)
        }
    }
}
