#if Service
    internal import Dispatch
    internal import Synchronization

    /// Lines on their way to standard error. Requests add lines, and one thread writes them.
    ///
    /// Standard error may be a pipe that no program reads. Writing blocks then, so no request may wait for it. While the
    /// queue is full, lines are dropped and counted, and the first line behind the gap says how many are missing.
    package final class LogQueue: Sendable {
        private struct State {
            var lines: [String] = []
            var bytes = 0
            /// Lines that were dropped behind those of the queue.
            var dropped = 0
            /// Whether the writer has lines, or will look for some.
            var isWriting = false
            /// Are signalled when everything is written.
            var whenEmpty: [DispatchSemaphore] = []
        }

        /// One megabyte: some 5,000 lines, which a reader takes within a moment.
        package static let maximumBytes = 1 << 20

        private let state = Mutex(State())
        /// A serial queue, so that there is one writer.
        private let writer = DispatchQueue(label: "storekit-verify.log")
        private let maximumBytes: Int
        private let write: @Sendable (String) -> Void
        private let gap: @Sendable (Int) -> String

        /// - Parameters:
        ///   - maximumBytes: the most bytes that wait.
        ///   - gap: a line that says how many lines are missing.
        ///   - write: writes a line, and may block. Lines are written one at a time: a pipe keeps each of up to 4,096 bytes
        ///     whole, beside what other threads write (POSIX, `PIPE_BUF`).
        package init(
            maximumBytes: Int = LogQueue.maximumBytes, gap: @escaping @Sendable (Int) -> String,
            write: @escaping @Sendable (String) -> Void
        ) {
            (self.maximumBytes, self.gap, self.write) = (maximumBytes, gap, write)
        }

        /// Adds a line, or drops it if the queue is full. Never waits.
        package func add(_ line: String) {
            let starts = state.withLock { state in
                let bytes = line.utf8.count
                let fits = state.dropped == 0 && state.bytes + bytes <= maximumBytes
                // A line that is longer than the queue can still be written by itself.
                guard fits || state.lines.isEmpty else {
                    state.dropped += 1
                    return false
                }
                state.lines.append(line)
                state.bytes += bytes
                defer { state.isWriting = true }
                return !state.isWriting
            }
            if starts { writer.async { self.writeAll() } }
        }

        /// Waits until every line is written, but not longer than a program may take that still reads.
        ///
        /// - Returns: whether every line is written.
        @discardableResult
        package func flush(within time: Duration) -> Bool {
            let isEmpty = DispatchSemaphore(value: 0)
            let waits = state.withLock { state in
                if state.isWriting { state.whenEmpty.append(isEmpty) }
                return state.isWriting
            }
            guard waits else { return true }
            return isEmpty.wait(timeout: .now() + time / .seconds(1)) == .success
        }

        private func writeAll() {
            while let (lines, dropped) = take() {
                for line in lines { write(line) }
                if dropped > 0 { write(gap(dropped)) }
            }
        }

        /// Takes the lines of the queue. Those that come while these are written have the whole queue again.
        ///
        /// - Returns: the lines, and how many were dropped behind them; `nil` if everything is written.
        private func take() -> (lines: [String], dropped: Int)? {
            let (taken, waiting) = state.withLock {
                state -> ((lines: [String], dropped: Int)?, [DispatchSemaphore]) in
                if state.lines.isEmpty {
                    defer { (state.isWriting, state.whenEmpty) = (false, []) }
                    return (nil, state.whenEmpty)
                }
                defer { (state.lines, state.bytes, state.dropped) = ([], 0, 0) }
                return ((state.lines, state.dropped), [])
            }
            for semaphore in waiting { semaphore.signal() }
            return taken
        }
    }
#endif
