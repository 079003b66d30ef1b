#if Service
    internal import Logging
    internal import Synchronization

    /// Lets some lines of each message through in a second, and counts the others: a client that sends nonsense must not fill
    /// the operator's disk. The next line says how many were left out.
    struct LogLimiter: LogHandler {
        private struct Window {
            var start: ContinuousClock.Instant
            var lines = 0
            var leftOut = 0
        }

        /// A class, because copies of a logger share it.
        private final class State: Sendable {
            /// By their messages, which are constants of the service.
            let windows = Mutex<[String: Window]>([:])
        }

        private static let linesPerSecond = 10

        private var log: JSONLog
        private let state = State()

        init(_ log: JSONLog) { self.log = log }

        var logLevel: Logger.Level {
            get { log.logLevel }
            set { log.logLevel = newValue }
        }
        var metadata: Logger.Metadata {
            get { log.metadata }
            set { log.metadata = newValue }
        }
        var metadataProvider: Logger.MetadataProvider? {
            get { log.metadataProvider }
            set { log.metadataProvider = newValue }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { log[metadataKey: key] }
            set { log[metadataKey: key] = newValue }
        }

        func log(event: LogEvent) {
            guard let leftOut = place(for: "\(event.message)", ContinuousClock.now) else { return }
            var event = event
            if leftOut > 0 {
                event.metadata = (event.metadata ?? [:]).merging(["leftOut": "\(leftOut)"]) { $1 }
            }
            log.log(event: event)
        }

        /// - Returns: how many lines of the message were left out since the last one; `nil` if this one is left out too.
        private func place(for message: String, _ now: ContinuousClock.Instant) -> Int? {
            state.windows.withLock { windows in
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
