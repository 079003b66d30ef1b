#if SQLite
    public import Foundation

    /// The delivery of a notification to one address, and its state.
    public struct NotificationDelivery: Hashable, Sendable {
        /// Whether a notification is delivered.
        public enum State: Int, Hashable, Sendable, CaseIterable {
            /// It waits for its first or next attempt.
            case waiting = 0
            /// The address accepted it.
            case delivered = 1
            /// The last attempt failed, and there will be no other unless `NotificationInbox.deliverAgain(to:at:)`
            /// is called.
            case givenUp = 2
        }

        /// The notification's `notificationUUID`.
        public let notificationUUID: UUID
        /// The address.
        public let address: String
        /// Whether it is delivered.
        public let state: State
        /// The number of attempts until now, since it was queued.
        public let attempts: Int
        /// When the next attempt is due, if it waits. Otherwise when it was delivered or given up.
        public let date: Date
        /// Why the last failed attempt failed, in some words; `nil` if no attempt failed.
        public let lastFailure: String?
    }

    /// A notification that an inbox keeps.
    public struct ReceivedNotification: Hashable, Sendable {
        /// Its `notificationUUID`.
        public let notificationUUID: UUID
        /// When it came.
        public let date: Date
        /// The body of the App Store's request, byte for byte. It was verified when it came and when it was read. `nil`
        /// if its time is over, and the file keeps the identifier alone.
        public let body: Data?
        /// Its deliveries, in the order of the addresses.
        public let deliveries: [NotificationDelivery]
        /// The attempts to deliver it that failed, in their order.
        public let failures: [DeliveryFailure]
    }
#endif
