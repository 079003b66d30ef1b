#if SQLite
    /// News for the operator of a forwarder.
    ///
    /// `attempt` comes for each attempt, for counters. The others are for a log: an address that fails a thousand times
    /// is `failing` once, until it has accepted again.
    public enum ForwardingEvent: Hashable, Sendable {
        /// The result of an attempt.
        public enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// The address accepted the notification.
            case delivered
            /// The address answered, and did not accept this notification.
            case refused
            /// The address gave no answer, or accepts nothing at the moment.
            case failed
            /// The notification was not sent, because its body in the file is not verified.
            case unverified
        }

        /// An attempt ended.
        case attempt(address: String, Outcome)
        /// An address did not accept a notification, for the first time since it last accepted one.
        case failing(address: String, reason: String)
        /// An address accepts again, after so many attempts that failed.
        case recovered(address: String, failures: Int)
        /// A notification will not be sent any more, unless `NotificationInbox.deliverAgain(to:at:)` is called.
        case givenUp(address: String, notificationUUID: String, attempts: Int, reason: String)
        /// Another forwarder on the same file delivers to the address: this one stands by, or has taken its place.
        case standsBy(address: String, Bool)
    }
#endif
