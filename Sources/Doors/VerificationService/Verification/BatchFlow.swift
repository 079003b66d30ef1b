#if Service
    internal import NIOCore
    internal import SignedPayloads
    internal import Synchronization

    /// The lines and verdicts of one batch, between the task that reads, the tasks that verify, and the one that writes.
    ///
    /// Lines collect until there are enough for a worker, or a moment has passed: few at a time cost more threads' wakes
    /// than verification. While all workers are busy, more collect; then reading waits. So memory is bounded, whatever the
    /// client sends or does not read.
    ///
    /// All state is behind one lock. Continuations are resumed outside of it, one step at a time.
    final class BatchFlow: Sendable {
        /// Lines with their place in the order.
        struct Work: Sendable {
            /// Counted from 0. Verdicts are written in this order, whichever worker is done first.
            let place: Int
            let chunk: LineAssembler.Chunk
        }

        private struct State {
            var lines: LineAssembler
            var isAtEnd = false
            var isEnded = false
            /// Whether a worker waits for the end of a line: reading must go on, however long the line is already.
            var isStarved = false
            /// Whether a moment is being waited for. There is one after every part.
            var isWaiting = false
            /// Whether a moment has passed: lines are handed out until none is left.
            var isDue = false
            /// The chunks handed out, and those whose verdicts were taken for writing.
            var taken = 0
            var written = 0
            /// Done, and waiting for earlier ones to be written.
            var verdicts: [Int: ByteBuffer] = [:]
            /// Each is `nil` unless its task waits. There is one reader, one writer, and a worker for each
            /// job.
            var reader: CheckedContinuation<Void, Never>?
            var workers: [CheckedContinuation<Work?, Never>] = []
            var writer: CheckedContinuation<ByteBuffer?, Never>?
        }

        /// Enough lines for the arithmetic to be at its best, and few enough for a core's cache.
        static let maximumLines = BatchPipeline.maximumLines
        /// Reading waits while this many bytes of lines do.
        private static let enoughBytes = 1 << 19
        /// A worker gets fewer bytes of lines only when they have waited for a moment.
        private static let worthwhileBytes = 1 << 18
        /// One millisecond: an interactive client notices nothing, and a fast one fills a chunk meanwhile.
        private static let moment = TimeAmount.milliseconds(1)

        private let state: Mutex<State>
        private let maximumAhead: Int
        private let eventLoop: any EventLoop

        /// - Parameter maximumAhead: how many chunks may be handed out before the first one is written.
        init(_ policy: VerificationPolicy, maximumAhead: Int, _ eventLoop: any EventLoop) {
            self.eventLoop = eventLoop
            state = Mutex(State(lines: LineAssembler(policy.lineLimits)))
            self.maximumAhead = maximumAhead
        }

        // MARK: - Reading

        /// Adds a part of the body. Waits while there are enough lines.
        ///
        /// One reader calls this, one part after the other.
        func add(_ part: ByteBuffer) async {
            let isFirst = state.withLock { state in
                state.lines.append(part)
                state.isStarved = false
                defer { state.isWaiting = true }
                return !state.isWaiting
            }
            // However many bytes wait: a worker may leave some of them, and no part may follow.
            if isFirst {
                eventLoop.scheduleTask(in: Self.moment) {
                    self.state.withLock { ($0.isWaiting, $0.isDue) = (false, true) }
                    self.handOut()
                }
            }
            handOut()
            await withCheckedContinuation { continuation in
                let isNow = state.withLock { state in
                    if Self.isReading(state) { return true }
                    state.reader = continuation
                    return false
                }
                if isNow { continuation.resume() }
            }
        }

        /// No part follows.
        func finish() {
            state.withLock { state in
                state.isAtEnd = true
                state.lines.finish()
            }
            handOut()
        }

        // MARK: - Verifying

        /// The next lines; `nil` if there are no more.
        ///
        /// Workers are served last come, first served: a warm thread stays warm.
        func next() async -> Work? {
            await withCheckedContinuation { continuation in
                state.withLock { $0.workers.append(continuation) }
                handOut()
            }
        }

        /// Adds the verdicts on lines.
        func add(_ verdicts: ByteBuffer, at place: Int) {
            state.withLock { $0.verdicts[place] = verdicts }
            handOut()
        }

        // MARK: - Writing

        /// The verdicts that are to be written next; `nil` at the end.
        func verdicts() async -> ByteBuffer? {
            await withCheckedContinuation { continuation in
                state.withLock { $0.writer = continuation }
                handOut()
            }
        }

        /// Ends everything, because the client has gone, or something failed.
        ///
        /// May be called more than once, also after the end.
        func end() {
            state.withLock { $0.isEnded = true }
            handOut()
        }

        // MARK: - Who goes on

        private enum Step: Sendable {
            case reader(CheckedContinuation<Void, Never>)
            case worker(CheckedContinuation<Work?, Never>, Work?)
            case writer(CheckedContinuation<ByteBuffer?, Never>, ByteBuffer?)
        }

        /// Lets everyone go on who can.
        private func handOut() {
            while let step = state.withLock({ Self.nextStep(&$0, maximumAhead) }) {
                switch step {
                case .reader(let continuation): continuation.resume()
                case .worker(let continuation, let work): continuation.resume(returning: work)
                case .writer(let continuation, let verdicts): continuation.resume(returning: verdicts)
                }
            }
        }

        /// Writing comes first, because it frees what holds up the others.
        private static func nextStep(_ state: inout State, _ maximumAhead: Int) -> Step? {
            if let step = writerStep(&state) ?? workerStep(&state, maximumAhead) { return step }
            guard let reader = state.reader, isReading(state) else {
                return nil
            }
            state.reader = nil
            return .reader(reader)
        }

        /// A line without an end is bounded: the longest is skipped, not held.
        private static func isReading(_ state: State) -> Bool {
            state.isEnded || state.isStarved || state.lines.count < enoughBytes
        }

        private static func writerStep(_ state: inout State) -> Step? {
            guard let writer = state.writer else { return nil }
            let verdicts = state.verdicts.removeValue(forKey: state.written)
            let isDone = state.isEnded || state.isAtEnd && state.written == state.taken && state.lines.isEmpty
            guard verdicts != nil || isDone else { return nil }
            if verdicts != nil { state.written += 1 }
            state.writer = nil
            return .writer(writer, state.isEnded ? nil : verdicts)
        }

        /// - Parameter maximumAhead: stops workers when the client does not read its verdicts.
        private static func workerStep(_ state: inout State, _ maximumAhead: Int) -> Step? {
            guard let worker = state.workers.last else { return nil }
            if state.isEnded {
                state.workers.removeLast()
                return .worker(worker, nil)
            }
            guard state.taken - state.written < maximumAhead,
                state.isDue || state.isAtEnd || state.lines.count >= worthwhileBytes
            else { return nil }
            if let chunk = state.lines.take(atMost: maximumLines) {
                state.workers.removeLast()
                state.taken += 1
                return .worker(worker, Work(place: state.taken - 1, chunk: chunk))
            }
            (state.isStarved, state.isDue) = (true, false)
            guard state.isAtEnd else { return nil }
            state.workers.removeLast()
            return .worker(worker, nil)
        }
    }
#endif
