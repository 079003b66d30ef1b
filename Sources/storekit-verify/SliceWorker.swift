import SignedPayloads
import Synchronization

/// What one core made of its lines.
struct VerdictSlice: Sendable {
    var output: [UInt8] = []
    var diagnostics: [UInt8] = []
    var tally = Tally()
    /// How long it took.
    var time = Duration.zero
    /// The numbers of lines on which an audit came to another verdict.
    var disputed: [Int] = []
}

/// Verifies consecutive lines on one core, with memory that it keeps from slice to slice.
final class SliceWorker: Sendable {
    private let worker: Mutex<BatchWorker>
    /// Decides every line a second time, by libcrypto alone; `nil` where that was not asked for.
    private let auditor: SignedPayloadVerifier?

    init(_ context: BatchContext, auditor: SignedPayloadVerifier?) {
        worker = Mutex(BatchWorker(context))
        self.auditor = auditor
    }

    /// The verdicts on the lines, written in their order.
    func verdicts(on range: Range<Int>, of batch: LineReader.Batch, writer: VerdictWriter) -> VerdictSlice {
        var slice = VerdictSlice()
        // An ordinary verdict with its payload takes some 900 bytes.
        if writer.format != .none { slice.output.reserveCapacity(range.count * 1024) }
        let start = ContinuousClock.now
        worker.withLock { worker in
            worker.verify(batch.lines[range], of: batch.buffer.span) { index, verdict, json in
                let line = batch.numbers[index]
                switch verdict {
                case .plain, .verified: slice.tally.countVerified()
                case .failed(let error): slice.tally.count(error.code)
                }
                writer.append(
                    verdict, json: json, line: line, to: &slice.output, diagnostics: &slice.diagnostics)
                guard let auditor else { return }
                let second = Self.verdict(on: batch.lines[index], of: batch.buffer, auditor)
                if !Self.isSame(verdict, json, second) { slice.disputed.append(line) }
            }
        }
        slice.time = start.duration(to: .now)
        return slice
    }

    /// A verdict of libcrypto alone.
    private static func verdict(
        on line: BatchLine, of buffer: [UInt8], _ auditor: SignedPayloadVerifier
    ) -> BatchVerdict {
        switch line {
        case .oversized(let bytes, let limit): return .failed(.tooLarge(bytes: bytes, limit: limit))
        case .content(let range):
            let line = buffer.span.extracting(range)
            do throws(VerificationError) {
                return .verified(try auditor.verify(line: line))
            } catch {
                return .failed(error)
            }
        }
    }

    /// Whether two verdicts are written alike, to the byte.
    private static func isSame(_ first: BatchVerdict, _ json: Span<UInt8>, _ second: BatchVerdict) -> Bool {
        let writer = VerdictWriter(format: .ndjson, file: nil)
        var (one, other, diagnostics): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        writer.append(first, json: json, line: 0, to: &one, diagnostics: &diagnostics)
        writer.append(second, json: json, line: 0, to: &other, diagnostics: &diagnostics)
        return one == other
    }
}
