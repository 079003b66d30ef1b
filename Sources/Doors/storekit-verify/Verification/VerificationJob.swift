import PayloadOutput
import SignedPayloads
import StoreKitVerify
import Synchronization
import WireFormats

/// Takes lines from an input, verifies them and passes the verdicts to the output, chunk by chunk. It uses
/// one core and reuses its memory.
final class VerificationJob: Sendable {
    private struct State: ~Copyable {
        var pipeline: BatchPipeline
        var chunk = LineReader.Chunk()
    }

    /// How long finished verdicts may wait for others: well within the promised 50 ms.
    private static let delay = Duration.milliseconds(15)

    private let state: Mutex<State>
    /// Decides every line a second time, with libcrypto alone; `nil` if no audit was requested.
    private let auditor: Auditor?

    init(_ context: BatchContext, auditor: Auditor?) {
        state = Mutex(State(pipeline: BatchPipeline(context)))
        self.auditor = auditor
    }

    /// Works until the input ends or no more verdicts are wanted.
    ///
    /// - Parameters:
    ///   - writer: a writer for this job's verdicts.
    ///   - callAnother: is called once, unless the first lines are known to be the last.
    func run(
        _ input: InputQueue, _ writer: LineWriter, _ output: OrderedOutput, callAnother: () -> Void
    ) {
        var writer = writer
        state.withLock { state in
            var isFirst = true
            while output.waitForRoom(), let number = input.next(into: &state.chunk) {
                if isFirst, !state.chunk.isLast { callAnother() }
                isFirst = false
                let start = ContinuousClock.now
                verify(state.chunk, as: number, by: &state.pipeline, &writer, output)
                input.adapt(toChunkOf: state.chunk.text.lines.count, time: start.duration(to: .now))
            }
        }
    }

    private func verify(
        _ chunk: LineReader.Chunk, as number: Int, by pipeline: inout BatchPipeline,
        _ writer: inout LineWriter, _ output: OrderedOutput
    ) {
        var verdicts = output.emptyVerdicts(after: chunk.progress)
        var start = ContinuousClock.now
        var next = 0
        while next < chunk.text.lines.count {
            next = pipeline.verify(
                chunk.text.lines, from: next, to: chunk.text.lines.count, of: chunk.text.buffer.span
            ) { index, verdict, results in
                let line = chunk.text.numbers[index]
                var verdict = verdict
                let text = chunk.text.buffer.span.extracting(chunk.text.lines[index].place)
                writer.append(
                    &verdict, results, line: line, text: text, member: chunk.text.member(at: index),
                    to: &verdicts.text, diagnostics: &verdicts.diagnostics)
                verdicts.tally.count(verdict.failure)
                guard let auditor else { return }
                let second = auditor.verdict(on: chunk.text.lines[index], of: chunk.text.buffer)
                if !Self.isSame(verdict, results, second) { verdicts.disputed.append(line) }
            }
            if next < chunk.text.lines.count, start.duration(to: .now) > Self.delay {
                output.add(&verdicts, ofChunk: number, isLast: false)
                verdicts = output.emptyVerdicts(after: chunk.progress)
                start = .now
            }
        }
        output.add(&verdicts, ofChunk: number, isLast: true)
    }

    /// Whether two verdicts are equal to the byte when they are written, or differ only by a responder's
    /// silence.
    private static func isSame(
        _ first: LineVerdict, _ results: borrowing BatchResults, _ second: LineVerdict
    ) -> Bool {
        var (writer, first, second) = (LineWriter(.ndjson), first, second)
        var (one, other, diagnostics): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        writer.append(
            &first, results, line: 0, text: [UInt8]().span, to: &one, diagnostics: &diagnostics)
        writer.append(
            &second, results, line: 0, text: [UInt8]().span, to: &other, diagnostics: &diagnostics)
        return one == other || isRetried(first, second) || isRetried(second, first)
    }

    /// Whether the first verdict is only that a responder gave no answer at the time. The second must have
    /// passed all checks before that one.
    private static func isRetried(_ first: LineVerdict, _ second: LineVerdict) -> Bool {
        guard let error = first.failure, error.isRetryable else { return false }
        guard let other = second.failure else { return true }
        return other.check >= error.check
    }
}
