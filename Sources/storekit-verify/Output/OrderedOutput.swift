import Dispatch
import Synchronization

/// Writes the verdicts on chunks in the order of their lines, whichever is done first; whoever brings the one
/// whose turn it is writes.
final class OrderedOutput: Sendable {
    /// Verdicts on consecutive lines of a chunk.
    struct Verdicts: Sendable {
        /// What goes to standard output.
        var text: [UInt8] = []
        /// What goes to standard error.
        var diagnostics: [UInt8] = []
        var tally = Tally()
        /// The numbers of lines on which an audit came to another verdict.
        var disputed: [Int] = []
        /// How far the input had been read.
        fileprivate let progress: InputProgress
    }

    /// What came of it all.
    struct Outcome {
        var tally = Tally()
        var isDisputed = false
        /// Why standard output could not be written.
        var failure: SystemError?
    }

    private struct Waiting {
        let chunk: Int
        let verdicts: Verdicts
        let isLast: Bool
    }

    private struct State {
        /// The chunk whose verdicts are written next, those of others, in the order in which they came, and
        /// whether somebody is writing.
        var turn = 0
        var waiting: [Waiting] = []
        var isWriting = false
        var outcome = Outcome()
        /// Memory to be used again.
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

    /// Memory is kept of so many verdicts at most; more than a few megabytes came of something unusual.
    private static let maximumSpareBytes = 4 << 20

    private let state = Mutex(State())
    /// Only whoever is writing takes it.
    private let progress: Mutex<Progress>
    private let stopRequest: StopRequest
    private let room = DispatchSemaphore(value: 0)
    private let maximumSpares: Int

    /// - Parameters:
    ///   - progress: is updated as verdicts are written.
    ///   - chunks: of how many chunks there may be verdicts that are not written yet.
    ///   - stopRequest: is made where standard output cannot be written.
    init(_ progress: consuming Progress, chunks: Int, _ stopRequest: StopRequest) {
        self.progress = Mutex(progress)
        self.stopRequest = stopRequest
        maximumSpares = chunks
        // A semaphore must not be let go of below the value that it began with.
        for _ in 0..<chunks { room.signal() }
    }

    /// Waits until verdicts on another chunk may be brought.
    ///
    /// - Returns: no, if nobody wants more.
    func waitForRoom() -> Bool {
        room.wait()
        guard stopRequest.isMade else { return true }
        room.signal()
        return false
    }

    /// Room for verdicts.
    func emptyVerdicts(after progress: InputProgress) -> Verdicts {
        var verdicts = Verdicts(progress: progress)
        verdicts.text = state.withLock { $0.spares.popLast() ?? [] }
        return verdicts
    }

    /// Writes verdicts, or leaves them to whoever is writing, or to whoever brings what comes before them.
    func add(_ verdicts: consuming Verdicts, ofChunk chunk: Int, isLast: Bool) {
        let added = Waiting(chunk: chunk, verdicts: verdicts, isLast: isLast)
        var next = state.withLock { state in
            state.waiting.append(added)
            return state.isWriting ? nil : state.takeNext()
        }
        while let current = next {
            let failure = write(current.verdicts)
            next = finish(current, failure)
        }
    }

    /// What came of it, once nobody brings more.
    var outcome: Outcome {
        progress.withLock { $0.clear() }
        return state.withLock(\.outcome)
    }

    /// Counts verdicts that were written, and takes the next.
    private func finish(_ written: consuming Waiting, _ failure: SystemError?) -> Waiting? {
        let isLast = written.isLast
        let next = state.withLock { state in
            state.outcome.tally.add(written.verdicts.tally)
            if !written.verdicts.disputed.isEmpty { state.outcome.isDisputed = true }
            if state.outcome.failure == nil { state.outcome.failure = failure }
            if isLast { state.turn += 1 }
            var spare = written.verdicts.text
            if spare.capacity <= Self.maximumSpareBytes, state.spares.count < maximumSpares {
                spare.removeAll(keepingCapacity: true)
                state.spares.append(spare)
            }
            return state.takeNext()
        }
        if failure != nil { stopRequest.end() }
        if isLast { room.signal() }
        return next
    }

    private func write(_ verdicts: Verdicts) -> SystemError? {
        guard state.withLock({ $0.outcome.failure == nil }) else { return nil }
        return progress.withLock { progress in
            var failure: SystemError?
            if !verdicts.text.isEmpty {
                progress.clear()
                do throws(SystemError) {
                    try StandardOutput.write(lines: verdicts.text)
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
            progress.update(bytes: verdicts.progress.bytes, lines: verdicts.progress.lines)
            return failure
        }
    }
}
