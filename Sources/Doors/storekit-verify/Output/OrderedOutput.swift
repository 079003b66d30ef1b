import CommandSupport
import Dispatch
import Platform
import Synchronization

/// Writes the verdicts on chunks in the order of their lines, although chunks finish in any order. The thread
/// that adds the next verdicts in order writes them.
final class OrderedOutput: Sendable {
    /// Verdicts on consecutive lines of a chunk.
    struct Verdicts: Sendable {
        /// The bytes for standard output, or for another sink.
        var text: [UInt8] = []
        /// The bytes for standard error.
        var diagnostics: [UInt8] = []
        var tally = Tally()
        /// The lines on which an audit came to a different verdict.
        var disputed: [Int] = []
        /// How far the input was read when these verdicts were made.
        fileprivate let progress: InputProgress
    }

    /// The result of a whole run.
    struct Outcome {
        var tally = Tally()
        var isDisputed = false
        /// Why the text could not be written.
        var failure: SystemError?
    }

    /// Verdicts that wait for earlier chunks. There are at most two for each job, so a list is searched fast
    /// enough.
    private struct Waiting {
        let chunk: Int
        var verdicts: Verdicts
        let isLast: Bool
    }

    private struct State {
        /// `turn` is the chunk whose verdicts are written next. `waiting` has verdicts of other chunks, in
        /// the order in which they were added. `isWriting` is true while a thread is writing.
        var turn = 0
        var waiting: [Waiting] = []
        var isWriting = false
        var outcome = Outcome()
        /// Buffers for reuse.
        var spares: [[UInt8]] = []

        mutating func takeNext() -> Waiting? {
            guard let index = waiting.firstIndex(where: { $0.chunk == turn }) else {
                isWriting = false
                return nil
            }
            isWriting = true
            return waiting.remove(at: index)
        }
    }

    /// The largest buffer that is kept for reuse. A few megabytes are enough for usual verdicts.
    private static let maximumSpareBytes = 4 << 20

    private let state = Mutex(State())
    /// Only the thread that is writing takes this lock.
    private let progress: Mutex<Progress>
    private let file: String
    private let totalBytes: Int?
    private let stopRequest: StopRequest
    /// Counts the chunks that may still begin. It bounds the memory, whatever the speed of the reader of the
    /// output.
    private let room = DispatchSemaphore(value: 0)
    private let maximumSpares: Int
    private let sink: @Sendable ([UInt8]) throws(SystemError) -> Void

    /// - Parameters:
    ///   - progress: is updated as verdicts are written.
    ///   - file: the input's name for people.
    ///   - totalBytes: the length of a regular file; `nil` for a pipe, whose share is not shown.
    ///   - chunks: how many chunks may have verdicts that are not written yet.
    ///   - stopRequest: is set if the text cannot be written.
    ///   - sink: writes the verdicts' text, which is whole lines.
    init(
        _ progress: consuming Progress, of file: String, totalBytes: Int?, chunks: Int,
        _ stopRequest: StopRequest,
        to sink: @escaping @Sendable ([UInt8]) throws(SystemError) -> Void = StandardOutput.write(lines:)
    ) {
        self.sink = sink
        self.progress = Mutex(progress)
        self.file = file
        self.totalBytes = totalBytes
        self.stopRequest = stopRequest
        maximumSpares = chunks
        // A semaphore must not be destroyed while its value is below its initial one, so the initial one is
        // zero.
        for _ in 0..<chunks { room.signal() }
    }

    /// Waits until another chunk may begin.
    ///
    /// - Returns: false if no more verdicts are wanted.
    func waitForRoom() -> Bool {
        room.wait()
        guard stopRequest.isMade else { return true }
        room.signal()
        return false
    }

    /// Empty verdicts, with a buffer from an earlier chunk if there is one.
    func emptyVerdicts(after progress: InputProgress) -> Verdicts {
        var verdicts = Verdicts(progress: progress)
        verdicts.text = state.withLock { $0.spares.popLast() ?? [] }
        return verdicts
    }

    /// Writes verdicts if it is their turn and no other thread is writing. Otherwise leaves them to the
    /// thread that is writing, or to the one that adds the verdicts before them.
    ///
    /// The verdicts are taken away: their buffer must have no other owner, or emptying it would make a new one, with
    /// thousands of page faults.
    func add(_ verdicts: inout Verdicts, ofChunk chunk: Int, isLast: Bool) {
        var next = state.withLock { state in
            state.waiting.append(
                Waiting(chunk: chunk, verdicts: Verdicts(progress: verdicts.progress), isLast: isLast))
            swap(&state.waiting[state.waiting.count - 1].verdicts, &verdicts)
            return state.isWriting ? nil : state.takeNext()
        }
        while var current = next.take() {
            let failure = write(current.verdicts)
            var text: [UInt8] = []
            swap(&text, &current.verdicts.text)
            next = finish(current, emptying: &text, failure)
        }
    }

    /// The result, to be read when no more verdicts will be added.
    var outcome: Outcome {
        progress.withLock { $0.clear() }
        return state.withLock(\.outcome)
    }

    /// Counts verdicts that were written, and takes the next ones.
    private func finish(_ written: Waiting, emptying text: inout [UInt8], _ failure: SystemError?) -> Waiting?
    {
        let isLast = written.isLast
        text.removeAll(keepingCapacity: text.capacity <= Self.maximumSpareBytes)
        let next = state.withLock { state in
            state.outcome.tally.add(written.verdicts.tally)
            if !written.verdicts.disputed.isEmpty { state.outcome.isDisputed = true }
            if state.outcome.failure == nil { state.outcome.failure = failure }
            if isLast { state.turn += 1 }
            if state.spares.count < maximumSpares { state.spares.append(text) }
            return state.takeNext()
        }
        if failure != nil { stopRequest.end() }
        if isLast { room.signal() }
        return next
    }

    /// After a failure nothing more is written: a hole in the output would be worse than its end.
    private func write(_ verdicts: Verdicts) -> SystemError? {
        guard state.withLock({ $0.outcome.failure == nil }) else { return nil }
        return progress.withLock { progress in
            var failure: SystemError?
            if !verdicts.text.isEmpty {
                progress.clear()
                do throws(SystemError) {
                    try sink(verdicts.text)
                } catch {
                    failure = error
                }
            }
            if !verdicts.diagnostics.isEmpty {
                progress.clear()
                StandardError.write(String(decoding: verdicts.diagnostics, as: UTF8.self))
            }
            for line in verdicts.disputed {
                progress.clear()
                StandardError.say(
                    "AUDIT FAILED: libcrypto comes to another verdict on line \(line); please report it")
            }
            progress.update { text(about: verdicts.progress) }
            return failure
        }
    }

    private func text(about progress: InputProgress) -> String {
        let share = totalBytes.map { $0 > 0 ? " (\(min(100, progress.bytes * 100 / $0)) %)" : "" } ?? ""
        return "\(file): \(progress.lines) lines, \(progress.bytes / 1_000_000) MB\(share)"
    }
}
