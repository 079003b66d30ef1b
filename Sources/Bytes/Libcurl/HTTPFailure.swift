#if SQLite || ServerAPI
    /// Why a request has no answer.
    package struct HTTPFailure: Error, Equatable {
        /// What failed.
        package enum Cause: Equatable, Sendable {
            /// The task was cancelled.
            case cancelled
            /// The time is over.
            case deadline
            /// The body is longer than so many bytes.
            case tooLong(limit: Int)
            /// The address or a field is none.
            case malformed
            /// The host's name has no address.
            case name
            /// There is no connection.
            case connecting
            /// TLS: the server is not the one that is meant, or speaks no version that is accepted.
            case security
            /// The connection ended before the answer did.
            case breaking
            /// What came is no answer of HTTP/1.1, or its head is too long.
            case unreadable
            /// The system or libcurl has too little of something.
            case shortage
        }

        package let cause: Cause
        /// The reason in words, without a full stop.
        package let reason: String
        /// Whether anything of the request may have been sent.
        package let wasSent: Bool

        init(_ cause: Cause, _ reason: String, wasSent: Bool) {
            (self.cause, self.reason, self.wasSent) = (cause, reason, wasSent)
        }

        static func cancelled(wasSent: Bool) -> HTTPFailure {
            HTTPFailure(.cancelled, "the task was cancelled", wasSent: wasSent)
        }

        static func deadline(wasSent: Bool) -> HTTPFailure {
            HTTPFailure(.deadline, "no answer before the deadline", wasSent: wasSent)
        }
    }
#endif
