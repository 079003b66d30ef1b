#if SQLite
    /// When a delivery that failed is tried again, and how often.
    ///
    /// The pause after the first failure is doubled after each further one, up to a limit. With the defaults, the
    /// pauses are 5 s, 10 s, 20 s and so on to an hour, and the last of 80 attempts is some three days after the
    /// first.
    public struct ForwardingSchedule: Hashable, Sendable {
        /// The pause after the first attempt.
        public var firstPause = Duration.seconds(5)
        /// The longest pause.
        public var longestPause = Duration.seconds(3600)
        /// The number of attempts; at least 1. After the last one, the delivery is given up: it is listed, and not
        /// tried again.
        public var attempts = 80
        /// How long an attempt may take, until its answer is complete.
        public var timeout = Duration.seconds(30)
        /// How many requests to an address may be under way at a time; at least 1. With 1, deliveries are made in
        /// the order in which they are due.
        public var concurrency = 8

        /// The defaults.
        public init() {}

        /// The pause after an attempt, in milliseconds.
        ///
        /// - Parameter attempt: its number, from 1.
        func milliseconds(after attempt: Int) -> Double {
            var pause = max(.zero, firstPause)
            for _ in 1..<max(1, attempt) where pause < longestPause { pause *= 2 }
            return min(pause, longestPause) / .milliseconds(1)
        }
    }
#endif
