import Foundation
import SignedPayloads
import Testing

/// The batch gives the same verdicts as the verifier of single payloads, to the byte of their messages.
@Suite struct BatchVectorTests {
    @Test("every file of vectors, often enough that keys earn tables", arguments: try Manifest.load())
    func agreesOnVectors(file: Manifest.File) throws {
        let (alone, receipts) = (try file.makeVerifier(), try file.makeReceiptVerifier())
        let lines = try file.contents()
        let expected = lines.map { line in
            Outcome(
                Result { () throws(PayloadError) in
                    try alone.verify(line: line.span, receipts: receipts)
                })
        }
        // Good lines in between keep the keys busy. All good lines of the folder would take too long.
        let repetitions = max(1, 200 / max(1, lines.count))
        let repeated = [[[UInt8]]](repeating: lines, count: repetitions).joined()
        let text = Array(repeated.joined(separator: [0x0d, 0x0a]))
        for engine in BatchVerifier.Engine.allCases {
            let batch = BatchVerifier(
                try file.makeVerifier(), receipts: receipts, engine: engine, jobs: 2)
            for round in 0..<2 {
                let verdicts = batch.verify(lines: text)
                let present = (0..<lines.count * repetitions).filter { !lines[$0 % lines.count].isEmpty }
                #expect(verdicts.map(\.line) == present.map { $0 + 1 })
                for (index, verdict) in zip(present, verdicts) {
                    #expect(
                        Outcome(verdict.verdict) == expected[index % lines.count],
                        "\(file.file):\(index % lines.count + 1), \(engine), round \(round)")
                }
            }
        }
    }
}

/// Everything that a caller can see of a verdict.
struct Outcome: Equatable {
    private let kind: SignedPayloadKind?
    private let json: [UInt8]?
    private let date: Int64?
    private let subjects: [String]?
    private let nested: [String]?
    private let error: String?
    private let detail: String?

    init(_ verdict: Result<VerifiedPayload, PayloadError>) {
        let payload = try? verdict.get()
        kind = payload?.kind
        json = payload?.json
        date = payload?.effectiveDateMilliseconds
        subjects = payload?.certificates.map(\.sha256Fingerprint)
        nested = payload?.nested.map { "\($0.member) \($0.payload.json)" }
        var failure: PayloadError?
        if case .failure(let error) = verdict { failure = error }
        error = failure.map { "\($0)" }
        detail = failure?.detail
    }
}
