import Foundation
import Minting
import OCSPResponders
import SeededRandom
import SignedPayloads
import Synchronization
import TestMinting
import Testing

/// Uses every way to verify, in many tasks at the same time and on the same verifiers, like a busy server.
@Suite struct LoadTests {
    private typealias Verdict = Result<[UInt8], PayloadError>

    /// One payload or receipt, with its verdict when it is verified alone.
    private struct Sample: Sendable {
        let line: String
        let expected: Verdict
    }

    private let samples: [Sample]
    private let batch: BatchVerifier
    private let receipts: ReceiptVerifier
    /// A verifier that checks revocation.
    private let asking: BatchVerifier
    private let answers: PreparedAnswers

    init() throws {
        let pki = try TestPKI.p256().naming(
            leafResponder: "http://leaf.invalid/", intermediateResponder: "http://intermediate.invalid/")
        let anchors = [TrustAnchor(der: try pki.root.der())]
        let receiptAnchors = [TrustAnchor(der: try ReceiptPKI.standard().root.der())]
        let (alone, receiptsAlone) = (
            try SignedPayloadVerifier(anchors: anchors), try ReceiptVerifier(anchors: receiptAnchors)
        )
        samples = try Self.lines(pki).map { line in
            Sample(
                line: line,
                expected: Result { () throws(PayloadError) in
                    try alone.verify(line: Array(line.utf8).span, receipts: receiptsAlone).json
                })
        }
        // Verifiers with empty caches, so that signers are judged, cached and given tables under load.
        receipts = try ReceiptVerifier(anchors: receiptAnchors)
        batch = BatchVerifier(try SignedPayloadVerifier(anchors: anchors), receipts: receipts, jobs: 4)
        let (answers, clock) = (try PreparedAnswers(pki), Clock())
        self.answers = answers
        let checker = RevocationChecker(.hard, transport: answers) { clock.next() }
        asking = BatchVerifier(
            try SignedPayloadVerifier(anchors: anchors, revocation: checker), receipts: receipts, jobs: 4)
    }

    /// A clock near the end of the answers' day, at which they are renewed in the background again and again.
    /// It stays within the five minutes by which clocks may differ, so that every answer counts.
    private final class Clock: Sendable {
        private let start = Int64(Date().timeIntervalSince1970) + 24 * 3_600 - 180
        private let calls = Atomic<Int64>(0)

        func next() -> Int64 { start + calls.add(1, ordering: .relaxed).newValue * 7 % 300 }
    }

    /// OpenSSL's answers about each certificate, valid for a day.
    private final class PreparedAnswers: OCSPTransport {
        private let answers: [(serialNumber: [UInt8], answer: [UInt8])]
        private let asked = Atomic<Int>(0)

        /// The number of requests so far.
        var requests: Int { asked.load(ordering: .relaxed) }

        init(_ pki: TestPKI) throws {
            let issued = pki.leaves.map { ($0, pki.intermediate) } + [(pki.intermediate, pki.root)]
            answers = try issued.map { certificate, issuer in
                let files = try OCSPResponderFiles(
                    issuer: issuer, signer: TestPKI.responder(of: issuer),
                    certificates: [(certificate, .good)])
                return (
                    certificate.template.serialNumber,
                    try OpenSSLResponder.answer(about: certificate, files)
                )
            }
        }

        func response(
            to request: [UInt8], from url: String, timeout: Duration, maximumBytes: Int
        ) async throws -> [UInt8] {
            asked.add(1, ordering: .relaxed)
            return answers.first { request.firstRange(of: $0.serialNumber) != nil }?.answer ?? []
        }
    }

    /// Payloads and receipts from several leaves, some of them bad.
    private static func lines(_ pki: TestPKI) throws -> [String] {
        var lines: [String] = []
        for (leaf, date) in [1_640_000_000_000, 1_700_000_000_000, 1_760_000_000_000].enumerated() {
            let minter = try pki.minter(leaf: leaf)
            for number in 0..<12 {
                lines.append(
                    try minter.token(payload: #"{"transactionId":"\#(number)","signedDate":\#(date)}"#))
            }
            let receipts = try ReceiptPKI.standard().minter(leaf: leaf)
            lines.append(try receipts.receipt(ReceiptContent(ReceiptContent.App())))
        }
        lines.append(try TestPKI.forged().minter().token(payload: "{}"))
        lines.append(try pki.minter().token(payload: "null"))
        return lines + [
            lines[0] + "x", "{\"signedPayload\":\"\(lines[1])\"}", "", String(lines[12].dropLast(8)),
        ]
    }

    @Test func `every way to verify gives the same verdicts at the same time`() async throws {
        let found = await withTaskGroup(of: Int.self) { group in
            for task in 0..<24 {
                group.addTask { await mismatches(of: task) }
            }
            return await group.reduce(0, +)
        }
        #expect(found == 0)
        #expect(samples.contains { (try? $0.expected.get()) != nil })
        // The first requests concern three leaves and an intermediate.
        #expect(answers.requests > 4, "no answer was renewed")
    }

    /// Verifies samples in a random order, in a different way for each task. Returns the number of wrong
    /// verdicts.
    private func mismatches(of task: Int) async -> Int {
        var random = SplitMix64(seed: UInt64(task))
        let chosen = (0..<96).map { _ in samples[Int(random.next() % UInt64(samples.count))] }
        let lines = chosen.map(\.line)
        var verdicts: [Verdict] = []
        switch task % 6 {
        case 0:
            verdicts = batch.verify(lines).map { $0.map(\.json) }
        case 1:
            for line in lines {
                do throws(PayloadError) {
                    verdicts.append(.success(try await batch.verify(line).json))
                } catch {
                    verdicts.append(.failure(error))
                }
            }
        case 2:
            let stream = AsyncStream { continuation in
                for line in lines { continuation.yield(line) }
                continuation.finish()
            }
            for await verdict in batch.verdicts(on: stream) { verdicts.append(verdict.map(\.json)) }
        case 3: verdicts = asking.verify(lines).map { $0.map(\.json) }
        default:
            let verifier = task % 6 == 4 ? batch.payloads : asking.payloads
            for line in lines {
                verdicts.append(
                    Result { () throws(PayloadError) in
                        try verifier.verify(line: Array(line.utf8).span, receipts: receipts).json
                    })
            }
        }
        return verdicts.count == chosen.count
            ? zip(verdicts, chosen).count { $0 != $1.expected } : chosen.count
    }
}
