#if Service
    internal import Synchronization

    /// Lets some lines of each message through in a second, and counts the others: a client that sends nonsense must not fill
    /// the operator's disk. The next line says how many were left out.
    ///
    /// A class, because copies of a logger share it.
    final class LogLimiter: Sendable {
        private struct Window {
            var start: ContinuousClock.Instant
            var lines = 0
            var leftOut = 0
        }

        private static let linesPerSecond = 10

        /// By their messages, which are constants of the service.
        private let windows = Mutex<[String: Window]>([:])

        /// - Returns: how many lines of the message were left out since the last one; `nil` if this one is left out too.
        func place(for message: String) -> Int? {
            let now = ContinuousClock.now
            return windows.withLock { windows in
                var window = windows[message] ?? Window(start: now)
                if now - window.start >= .seconds(1) { (window.start, window.lines) = (now, 0) }
                defer { windows[message] = window }
                guard window.lines < Self.linesPerSecond else {
                    window.leftOut += 1
                    return nil
                }
                window.lines += 1
                defer { window.leftOut = 0 }
                return window.leftOut
            }
        }
    }
#endif
