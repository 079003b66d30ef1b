import Platform
import Synchronization

/// Gives the lines of an input to workers, chunk by chunk.
///
/// One worker at a time reads, under the lock; the others verify meanwhile, or wait for their turn.
final class InputQueue: Sendable {
    /// How many lines a worker takes, at first and at most.
    ///
    /// A verdict is due within 50 ms, and judging a chain takes up to 6 ms. If lines take less time, workers
    /// take more of them: the more signatures are verified together, the less each one costs.
    private static let linesPerChunk = 16...512
    /// How long a worker should take for a chunk.
    private static let chunkTime = Duration.milliseconds(4)...Duration.milliseconds(15)

    private struct State: ~Copyable {
        var reader: LineReader
        var chunks = 0
        var lines = InputQueue.linesPerChunk.lowerBound
        /// Why the input could not be read to its end.
        var failure: InputError?
    }

    private let state: Mutex<State>
    private let stopRequest: StopRequest
    private let whenIdle: (@Sendable (Bool) -> Void)?

    /// - Parameters:
    ///   - reader: reads the lines.
    ///   - stopRequest: ends the input.
    ///   - whenIdle: is called with `true` if no line comes for a while, and with `false` when one does. No
    ///     other thread reads meanwhile.
    init(
        _ reader: consuming LineReader, _ stopRequest: StopRequest,
        whenIdle: (@Sendable (Bool) -> Void)? = nil
    ) {
        self.whenIdle = whenIdle
        state = Mutex(State(reader: reader))
        self.stopRequest = stopRequest
    }

    /// Waits for the next lines.
    ///
    /// - Returns: the chunk's number, from 0; `nil` at the end of the input, and after a stop request.
    func next(into chunk: inout LineReader.Chunk) -> Int? {
        state.withLock { state in
            guard state.failure == nil, !stopRequest.isMade else { return nil }
            do throws(InputError) {
                guard
                    try state.reader.next(into: &chunk, atMost: state.lines, stopRequest, whenIdle: whenIdle)
                else { return nil }
            } catch {
                state.failure = error
                return nil
            }
            state.chunks += 1
            return state.chunks - 1
        }
    }

    /// Adapts the size of chunks to the time that a chunk took.
    ///
    /// Doubles and halves, so that a change of the input is followed within a few chunks.
    ///
    /// - Parameters:
    ///   - lines: the lines of the chunk; fewer than asked for say nothing about the speed.
    ///   - time: how long they took to verify, without the reading.
    func adapt(toChunkOf lines: Int, time: Duration) {
        state.withLock { state in
            let limits = Self.linesPerChunk
            if time < Self.chunkTime.lowerBound, lines >= state.lines {
                state.lines = min(state.lines * 2, limits.upperBound)
            } else if time > Self.chunkTime.upperBound {
                state.lines = max(state.lines / 2, limits.lowerBound)
            }
        }
    }

    /// How many lines were empty, and why the input could not be read to its end; `nil` if it could.
    var outcome: (emptyLines: Int, failure: InputError?) {
        state.withLock { ($0.reader.progress.emptyLines, $0.failure) }
    }
}
