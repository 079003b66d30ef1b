#if Service
    internal import Logging
    internal import WireFormats
    internal import Essentials

    /// Writes log events as one JSON object a line to standard error. No event has a payload, a token or a header in it.
    ///
    /// Standard error is for the operator, so an event that cannot be written is lost and stops nothing.
    struct JSONLog: LogHandler {
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?
        private let limiter: LogLimiter?
        private let write: @Sendable (String) -> Void

        /// - Parameters:
        ///   - limiter: leaves out lines; `nil` if every event is written.
        ///   - write: writes a line to standard error.
        init(
            _ level: Logger.Level, limitedBy limiter: LogLimiter? = nil,
            _ write: @escaping @Sendable (String) -> Void
        ) {
            (logLevel, self.limiter, self.write) = (level, limiter, write)
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        /// The members are time, level and message, then the metadata by name, then the error.
        func log(event: LogEvent) {
            var leftOut = 0
            if let limiter {
                guard let count = limiter.place(for: "\(event.message)") else { return }
                leftOut = count
            }
            var line = ObjectText()
            line.add("time", Date().formatted(.iso8601))
            line.add("level", "\(event.level)")
            line.add("message", message: "\(event.message)")
            var all = metadata.merging(event.metadata ?? [:]) { $1 }
            if leftOut > 0 { all["leftOut"] = "\(leftOut)" }
            for (key, value) in all.sorted(by: { $0.key < $1.key }) { line.add(key, message: "\(value)") }
            line.add("error", message: event.error.map { "\($0)" })
            write(line.json + "\n")
        }

        /// A line that says how many lines are missing before it.
        static func gap(ofLines count: Int) -> String {
            var line = ObjectText()
            line.add("time", Date().formatted(.iso8601))
            line.add("level", "\(Logger.Level.warning)")
            line.add("message", message: "lines of the log were dropped, because standard error was not read")
            line.add("leftOut", message: "\(count)")
            return line.json + "\n"
        }
    }
#endif
