import Dispatch
import Foundation
import Minting
import RepositoryFiles
import SignedPayloads
import Synchronization
import Testing

/// Flips every bit of a verified token; each flip must change the verdict.
///
/// All kinds of payloads stand under the same header. One bit of each of its bytes is flipped under the first kind; at a
/// large `TestScale`, every bit under each kind.
@Suite struct BitFlipTests {
    @Test(
        "flipping any single bit of a verified token makes it unverified; no bit is irrelevant",
        arguments: [
            #"{"transactionId":"1","bundleId":"com.example","environment":"Production","signedDate":1760000000000}"#,
            #"{"originalTransactionId":"1","autoRenewStatus":1,"signedDate":1760000000000}"#,
            #"{"receiptType":"Production","appAppleId":1,"receiptCreationDate":1760000000000}"#,
            #"{"notificationType":"TEST","data":{"bundleId":"com.example"},"signedDate":1760000000000}"#,
            #"{"userLocale":"en-US","requestIdentifier":"1","signedDate":1760000000000}"#,
        ])
    func everyBitCounts(payload: String) throws {
        let token = Array(try TestPKI.standard().minter().token(payload: payload).utf8)
        let isFirst = payload.hasPrefix(#"{"transactionId""#)
        let headerEnd = token.firstIndex(of: UInt8(ascii: ".")) ?? 0
        let header = TestScale.isLarge || isFirst ? 0 : headerEnd
        let verifier = try SignedPayloadVerifier(anchors: [TrustAnchor(der: TestPKI.standard().root.der())])
        #expect(throws: Never.self) { try verifier.verify(token.span) }
        let survivors = Mutex<[Int]>([])
        let codes = Mutex<Set<PayloadError.Code>>([])
        DispatchQueue.concurrentPerform(iterations: token.count - header) { place in
            let index = header + place
            var flipped = token
            for bit in 0..<8 where TestScale.isLarge || index >= headerEnd || bit == index % 8 {
                flipped[index] = token[index] ^ 1 << UInt8(bit)
                do throws(PayloadError) {
                    _ = try verifier.verify(flipped.span)
                    survivors.withLock { $0.append(index * 8 + bit) }
                } catch {
                    codes.withLock { _ = $0.insert(error.code) }
                }
            }
        }
        #expect(survivors.withLock(\.self) == [])
        let expected: Set<PayloadError.Code> =
            header == 0
            ? [.invalidEncoding, .invalidCertificateChain, .invalidSignature]
            : [.invalidEncoding, .invalidSignature]
        #expect(codes.withLock(\.self) == expected)
    }
}
