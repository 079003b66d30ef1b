import SignedPayloads
import Synchronization

/// Takes lines from an input, verifies them and hands the verdicts to the output, chunk by chunk, on one core
/// and with memory that it keeps.
final class VerificationWorker: Sendable {
    private struct State: ~Copyable {
        var worker: BatchWorker
        var chunk = LineReader.Chunk()
    }

    /// How long verdicts may wait for others: well within the 50 ms that are promised.
    private static let delay = Duration.milliseconds(15)

    private let state: Mutex<State>
    /// Decides every line a second time, by libcrypto alone; `nil` where that was not asked for.
    private let auditor: SignedPayloadVerifier?

    init(_ context: BatchContext, auditor: SignedPayloadVerifier?) {
        state = Mutex(State(worker: BatchWorker(context)))
        self.auditor = auditor
    }

    /// Works until the input is at its end, or nobody wants more.
    func run(_ input: InputQueue, _ writer: VerdictWriter, _ output: OrderedOutput) {
        state.withLock { state in
            while output.waitForRoom(), let number = input.next(into: &state.chunk) {
                let start = ContinuousClock.now
                verify(state.chunk, as: number, by: &state.worker, writer, output)
                input.adapt(toChunkOf: state.chunk.lines.count, time: start.duration(to: .now))
            }
        }
    }

    private func verify(
        _ chunk: LineReader.Chunk, as number: Int, by worker: inout BatchWorker, _ writer: VerdictWriter,
        _ output: OrderedOutput
    ) {
        var verdicts = output.emptyVerdicts(after: chunk.progress)
        var start = ContinuousClock.now
        var next = 0
        while next < chunk.lines.count {
            next = worker.verify(
                chunk.lines, from: next, to: chunk.lines.count, of: chunk.buffer.span
            ) { index, verdict, json in
                let line = chunk.numbers[index]
                switch verdict {
                case .plain, .verified: verdicts.tally.countVerified()
                case .failed(let error): verdicts.tally.count(error.code)
                }
                writer.append(
                    verdict, json: json, line: line, to: &verdicts.text, diagnostics: &verdicts.diagnostics)
                guard let auditor else { return }
                let second = Self.verdict(on: chunk.lines[index], of: chunk.buffer, auditor)
                if !Self.isSame(verdict, json, second) { verdicts.disputed.append(line) }
            }
            if next < chunk.lines.count, start.duration(to: .now) > Self.delay {
                output.add(verdicts, ofChunk: number, isLast: false)
                verdicts = output.emptyVerdicts(after: chunk.progress)
                start = .now
            }
        }
        output.add(verdicts, ofChunk: number, isLast: true)
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
