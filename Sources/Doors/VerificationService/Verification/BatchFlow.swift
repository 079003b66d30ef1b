#if Service
    internal import NIOCore
    internal import SignedPayloads
    internal import Synchronization

    /// The lines and verdicts of one batch, between the task that reads, the tasks that verify, the one that spools, and
    /// the one that writes.
    ///
    /// Lines collect until there are enough for a worker, or a moment has passed: few at a time cost more threads' wakes
    /// than verification. While all workers are busy, more collect; then reading waits. So memory is bounded, whatever the
    /// client sends or does not read.
    ///
    /// If the client does not read, its verdicts are spooled, so that it can send on. They are handed to the writer itself
    /// as long as it takes them: then nothing is copied.
    ///
    /// All state is behind one lock. Continuations are resumed outside of it, one step at a time.
    final class BatchFlow: Sendable {
        /// Lines with their place in the order.
        struct Work: Sendable {
            /// Counted from 0. Verdicts are written in this order, whichever worker is done first.
            let place: Int
            let chunk: LineChunk
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
            /// How many chunks have their verdicts.
            var done = 0
            /// Whether verdicts are spooled instead of waited with. Those of a whole answer always are.
            var isSpooling: Bool
            /// Whether a check is due whether the client reads.
            var isWatched = false
            /// The spooled bytes that are not written. They come before all other verdicts.
            var spooled = 0
            /// Whether the task that spools has verdicts, which are the next ones.
            var isMoving = false
            /// Each is `nil` unless its task waits. There is one reader, one writer, one that spools, and a worker for each
            /// job.
            var spooler: CheckedContinuation<ByteBuffer?, Never>?
            var whole: CheckedContinuation<Int?, Never>?
            var reader: CheckedContinuation<Void, Never>?
            var workers: [CheckedContinuation<Work?, Never>] = []
            var writer: CheckedContinuation<Output, Never>?

            /// Whether every line has its verdict, and none is being spooled.
            var isVerified: Bool { isAtEnd && lines.isEmpty && done == taken && !isMoving }

            /// Whether as many chunks are handed out as may be before the first one is written or spooled.
            func isAhead(_ maximum: Int) -> Bool { taken - written >= maximum }
        }

        /// The next thing to write.
        enum Output: Sendable {
            case verdicts(ByteBuffer)
            /// The spool has it: at least this many bytes.
            case spooled(bytes: Int)
            case end
        }

        /// Enough lines for the arithmetic to be at its best, and few enough for a core's cache.
        static let maximumLines = BatchPipeline.maximumLines
        /// Reading waits while this many bytes of lines do.
        private static let enoughBytes = 1 << 19
        /// A worker gets fewer bytes of lines only when they have waited for a moment.
        private static let worthwhileBytes = 1 << 18
        /// One millisecond: an interactive client notices nothing, and a fast one fills a chunk meanwhile.
        private static let moment = TimeAmount.milliseconds(1)
        /// How long a client may take no verdicts before they are spooled: a fifth of a second, once. A client that reads
        /// takes some within a thousandth.
        private static let patience = TimeAmount.milliseconds(200)

        private let state: Mutex<State>
        private let maximumAhead: Int
        private let isWhole: Bool
        private let eventLoop: any EventLoop

        /// - Parameters:
        ///   - maximumAhead: how many chunks may be handed out before the first one is written or spooled.
        ///   - isWhole: whether nothing is written before every line has its verdict.
        init(_ policy: VerificationPolicy, maximumAhead: Int, isWhole: Bool, _ eventLoop: any EventLoop) {
            self.eventLoop = eventLoop
            self.isWhole = isWhole
            state = Mutex(State(lines: LineAssembler(policy.lineLimits), isSpooling: isWhole))
            self.maximumAhead = maximumAhead
        }

        // MARK: - Reading

        /// Adds a part of the body. Waits while there are enough lines. After the end, the part is passed over.
        ///
        /// One reader calls this, one part after the other.
        func add(_ part: ByteBuffer) async {
            let isFirst = state.withLock { state in
                guard !state.isEnded else { return false }
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
            state.withLock { state in
                state.verdicts[place] = verdicts
                state.done += 1
            }
            handOut()
        }

        // MARK: - Spooling

        /// The next verdicts to spool; `nil` at the end.
        func verdictsToSpool() async -> ByteBuffer? {
            await withCheckedContinuation { continuation in
                state.withLock { $0.spooler = continuation }
                handOut()
            }
        }

        /// The verdicts are spooled.
        func didSpool(_ bytes: Int) {
            state.withLock { state in
                (state.isMoving, state.spooled) = (false, state.spooled + bytes)
                state.written += 1
            }
            handOut()
        }

        /// The verdicts cannot be spooled. They wait for the writer, or for the next attempt.
        func didNotSpool(_ verdicts: ByteBuffer) {
            state.withLock { state in
                (state.isMoving, state.isSpooling) = (false, false)
                state.verdicts[state.written] = verdicts
            }
            handOut()
        }

        /// Waits until every line has its verdict.
        ///
        /// - Returns: the bytes of all verdicts that are not written; `nil` if the batch has ended before.
        func wholeBytes() async -> Int? {
            await withCheckedContinuation { continuation in
                state.withLock { $0.whole = continuation }
                handOut()
            }
        }

        // MARK: - Writing

        /// The next thing to write. Waits for it.
        func output() async -> Output {
            await withCheckedContinuation { continuation in
                state.withLock { $0.writer = continuation }
                handOut()
            }
        }

        /// The writer has these bytes from the spool. Once it has all, the client is known to read again.
        func didTake(_ bytes: Int) {
            state.withLock { state in
                state.spooled -= bytes
                if state.spooled == 0, !state.isMoving { state.isSpooling = isWhole }
            }
            handOut()
        }

        /// Ends everything, because the client has gone, or something failed.
        ///
        /// May be called more than once, also after the end.
        func end() {
            state.withLock { $0.isEnded = true }
            handOut()
        }

        // MARK: - Handing out

        private enum Step: Sendable {
            case reader(CheckedContinuation<Void, Never>)
            case worker(CheckedContinuation<Work?, Never>, Work?)
            case spooler(CheckedContinuation<ByteBuffer?, Never>, ByteBuffer?)
            case whole(CheckedContinuation<Int?, Never>, Int?)
            case writer(CheckedContinuation<Output, Never>, Output)
            /// Check later whether the client reads; this many chunks are written.
            case watch(written: Int)
        }

        /// Resumes every task that can continue.
        private func handOut() {
            while let step = state.withLock({ Self.nextStep(&$0, maximumAhead) }) {
                switch step {
                case .reader(let continuation): continuation.resume()
                case .worker(let continuation, let work): continuation.resume(returning: work)
                case .spooler(let continuation, let verdicts): continuation.resume(returning: verdicts)
                case .whole(let continuation, let bytes): continuation.resume(returning: bytes)
                case .writer(let continuation, let output): continuation.resume(returning: output)
                case .watch(let written): watch(written)
                }
            }
        }

        /// Spools verdicts if the client takes none for a while.
        private func watch(_ written: Int) {
            eventLoop.scheduleTask(in: Self.patience) {
                self.state.withLock { state in
                    state.isWatched = false
                    // If the writer waits, it is the lines that take long.
                    if state.written == written, state.writer == nil { state.isSpooling = true }
                }
                self.handOut()
            }
        }

        /// Writing comes first, because it frees the room that the others wait for.
        private static func nextStep(_ state: inout State, _ maximumAhead: Int) -> Step? {
            if let step = writerStep(&state) ?? spoolerStep(&state, maximumAhead) ?? wholeStep(&state)
                ?? workerStep(&state, maximumAhead) ?? watchStep(&state, maximumAhead)
            {
                return step
            }
            guard let reader = state.reader, isReading(state) else { return nil }
            state.reader = nil
            return .reader(reader)
        }

        /// A line without an end is bounded: the longest is skipped, not held.
        private static func isReading(_ state: State) -> Bool {
            state.isEnded || state.isStarved || state.lines.count < enoughBytes
        }

        private static func writerStep(_ state: inout State) -> Step? {
            guard let writer = state.writer else { return nil }
            var output = Output.end
            if !state.isEnded {
                if state.spooled > 0 {
                    output = .spooled(bytes: state.spooled)
                } else if !state.isMoving, let verdicts = state.verdicts.removeValue(forKey: state.written) {
                    state.written += 1
                    output = .verdicts(verdicts)
                } else if !state.isVerified || state.written < state.taken {
                    return nil
                }
            }
            state.writer = nil
            return .writer(writer, output)
        }

        /// Verdicts are spooled in their order, and only if workers wait for their room.
        private static func spoolerStep(_ state: inout State, _ maximumAhead: Int) -> Step? {
            guard let spooler = state.spooler else { return nil }
            var verdicts: ByteBuffer?
            if !state.isEnded, !state.isVerified {
                guard state.isSpooling, state.isAhead(maximumAhead) else { return nil }
                verdicts = state.verdicts.removeValue(forKey: state.written)
                guard verdicts != nil else { return nil }
                state.isMoving = true
            }
            state.spooler = nil
            return .spooler(spooler, verdicts)
        }

        /// Whether the client reads matters when workers wait for room.
        private static func watchStep(_ state: inout State, _ maximumAhead: Int) -> Step? {
            guard state.isAhead(maximumAhead), state.writer == nil, !state.isSpooling, !state.isWatched,
                !state.isEnded
            else { return nil }
            state.isWatched = true
            return .watch(written: state.written)
        }

        private static func wholeStep(_ state: inout State) -> Step? {
            guard let whole = state.whole, state.isEnded || state.isVerified else { return nil }
            state.whole = nil
            let bytes = state.verdicts.values.reduce(state.spooled) { $0 + $1.readableBytes }
            return .whole(whole, state.isEnded ? nil : bytes)
        }

        /// - Parameter maximumAhead: stops workers when the client does not read its verdicts, and they cannot be spooled.
        private static func workerStep(_ state: inout State, _ maximumAhead: Int) -> Step? {
            guard let worker = state.workers.last else { return nil }
            if state.isEnded || state.isVerified {
                state.workers.removeLast()
                return .worker(worker, nil)
            }
            guard !state.isAhead(maximumAhead),
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
