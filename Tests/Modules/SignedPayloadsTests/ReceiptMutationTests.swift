import Dispatch
import Foundation
import Minting
import ReceiptOracle
import RepositoryFiles
import SeededRandom
import SignedPayloads
import Synchronization
import TestMinting
import Testing

/// Receipts with random changes.
@Suite struct ReceiptMutationTests {
    private static let mutations = TestScale.size(small: 1_000, usual: 5_000, large: 100_000)

    @Test func `a spoilt receipt gets a clear error; what is verified all the same says the same as before`()
        throws
    {
        let root = try ReceiptPKI.standard().root.der()
        let bases = try Self.bases()
        let contents = Set(bases.map(\.content))
        let remembering = try ReceiptVerifier(anchors: [TrustAnchor(der: root)])
        let forgetting = try ReceiptVerifier(
            anchors: [TrustAnchor(der: root)], policy: VerificationPolicy(), deviceIdentifier: nil,
            remembersSigners: false)
        let found = Mutex<[String]>([])
        let codes = Mutex<[PayloadError.Code: Int]>([:])
        DispatchQueue.concurrentPerform(iterations: 100) { part in
            var random = SplitMix64(seed: UInt64(part))
            for number in 0..<Self.mutations / 100 {
                let base = bases[number % bases.count]
                var mutator = ReceiptMutator(base.bytes, random)
                let spoilt = mutator.spoilt()
                random = mutator.random
                let verdict = Self.verdict(on: spoilt, remembering)
                if let error = verdict.error {
                    codes.withLock { $0[error.code, default: 0] += 1 }
                    if error.message.count < 20 { found.withLock { $0.append("no message: \(error)") } }
                } else {
                    // BER has several encodings for one content. libcrypto must find the same content.
                    let isSame = (try? verdict.get()).map { contents.contains($0.receipt.content) } ?? false
                    let oracle = CMSOracle.content(of: spoilt, root: root)
                    if !isSame || oracle == nil || oracle != (try? verdict.get().receipt.content) {
                        found.withLock { $0.append("verified: \(Data(spoilt).base64EncodedString())") }
                    }
                }
                guard number % 16 == 0 else { continue }
                let second = Self.verdict(on: spoilt, forgetting)
                if verdict.error != second.error {
                    found.withLock { $0.append("by CMS: \(second), else \(verdict)") }
                }
            }
        }
        #expect(found.withLock(\.self) == [])
        #expect(remembering.rememberedSignerCount <= 32)
        let reached = codes.withLock { Set($0.keys) }
        #expect(reached.isSuperset(of: [.invalidEncoding, .invalidCertificateChain, .invalidSignature]))
    }

    private static func verdict(
        on receipt: [UInt8], _ verifier: ReceiptVerifier
    ) -> Result<VerifiedReceipt, PayloadError> {
        do throws(PayloadError) {
            return .success(try verifier.verify(receipt.span))
        } catch {
            return .failure(error)
        }
    }

    private struct Base: Sendable {
        let bytes: [UInt8]
        let content: [UInt8]
    }

    private static func bases() throws -> [Base] {
        var bases: [Base] = []
        for purchases in [0, 1, 3] {
            for form in [SignedDataTemplate.Form.definite, .indefinite(pieceBytes: 300)] {
                let content = ReceiptContent(
                    ReceiptContent.App(),
                    purchases: (0..<purchases).map { _ in ReceiptContent(ReceiptContent.Purchase()) })
                var minter = try ReceiptPKI.standard().minter()
                minter.form = form
                bases.append(Base(bytes: try minter.signedData(content.der).der, content: content.der))
            }
        }
        return bases
    }
}

/// Changes bytes in the ways that break DER readers.
private struct ReceiptMutator {
    private(set) var random: SplitMix64
    private var bytes: [UInt8]

    init(_ bytes: [UInt8], _ random: SplitMix64) { (self.bytes, self.random) = (bytes, random) }

    /// A copy of the bytes with one to three changes.
    mutating func spoilt() -> [UInt8] {
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty { change() }
        return bytes
    }

    private mutating func change() {
        // The structure is at the beginning, so a third of the changes are made there.
        let isEarly = Int.random(in: 0..<3, using: &random) == 0
        let place = Int.random(in: 0..<(isEarly ? min(80, bytes.count) : bytes.count), using: &random)
        let length = min(Int.random(in: 1...40, using: &random), bytes.count - place)
        switch Int.random(in: 0..<9, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        case 2:
            bytes[place] =
                Self.meaningfulBytes[Int.random(in: 0..<Self.meaningfulBytes.count, using: &random)]
        case 3: bytes.removeSubrange(place..<place + length)
        case 4: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
        case 5:
            bytes.insert(
                Self.meaningfulBytes[Int.random(in: 0..<Self.meaningfulBytes.count, using: &random)],
                at: place)
        case 6: bytes.removeLast(bytes.count - place)
        case 7:
            let other = Int.random(in: 0...bytes.count - length, using: &random)
            bytes.replaceSubrange(place..<place + length, with: Array(bytes[other..<other + length]))
        default:
            bytes.insert(contentsOf: [UInt8](repeating: 0x24, count: 1) + [0x80], at: place)
            bytes.append(contentsOf: [0, 0])
        }
    }

    /// Bytes that have a meaning as a tag, a length or an end.
    private static let meaningfulBytes: [UInt8] = [
        0x00, 0x01, 0x02, 0x04, 0x05, 0x06, 0x24, 0x30, 0x31, 0x7f, 0x80, 0x81, 0x82, 0x84, 0x85, 0xa0, 0xa1,
        0xff,
    ]
}
