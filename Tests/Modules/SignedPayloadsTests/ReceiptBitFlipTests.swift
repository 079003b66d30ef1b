import Dispatch
import Minting
import RepositoryFiles
import SignedPayloads
import Synchronization
import TestMinting
import Testing

/// Flips bits of a verified receipt; each flip must change the verdict.
@Suite struct ReceiptBitFlipTests {
    @Test("flipping any single bit of a verified receipt makes it unverified", arguments: [false, true])
    func everyBitCounts(signerIsKnown: Bool) throws {
        let content = ReceiptContent(
            ReceiptContent.App(), purchases: [ReceiptContent(ReceiptContent.Purchase())])
        let receipt = try ReceiptPKI.standard().minter().signedData(content.der).der
        let verifier = try ReceiptVerifier(
            anchors: [TrustAnchor(der: ReceiptPKI.standard().root.der())], policy: VerificationPolicy(),
            deviceIdentifier: nil, remembersSigners: signerIsKnown)
        #expect(throws: Never.self) { try verifier.verify(receipt.span) }
        #expect(verifier.rememberedSignerCount == (signerIsKnown ? 1 : 0))
        let survivors = Mutex<[Int]>([])
        let codes = Mutex<Set<PayloadError.Code>>([])
        DispatchQueue.concurrentPerform(iterations: receipt.count) { index in
            var flipped = receipt
            // With CMS, each receipt takes twenty times as long, so one bit of each byte is enough. Unless `TestScale` is
            // large, it is half of the bits and half of the bytes.
            for bit in 0..<8 where signerIsKnown || bit == index % 8 {
                guard TestScale.isLarge || (signerIsKnown ? bit + index : index).isMultiple(of: 2) else {
                    continue
                }
                flipped[index] = receipt[index] ^ 1 << UInt8(bit)
                do throws(PayloadError) {
                    _ = try verifier.verify(flipped.span)
                    survivors.withLock { $0.append(index * 8 + bit) }
                } catch {
                    codes.withLock { _ = $0.insert(error.code) }
                }
            }
        }
        #expect(survivors.withLock(\.self) == [])
        #expect(codes.withLock(\.self) == [.invalidEncoding, .invalidCertificateChain, .invalidSignature])
    }
}
