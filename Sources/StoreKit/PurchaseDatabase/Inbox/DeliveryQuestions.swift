#if SQLite
    public import Foundation

    /// Which deliveries are meant. Without a state, those that have not succeeded.
    public struct DeliverySelection: Hashable, Sendable {
        /// The address, as it was given to the inbox; `nil` for all.
        public var address: String?
        /// Their state; `nil` for those that wait and those that were given up.
        public var state: NotificationDelivery.State?
        /// When their notifications came, at the earliest.
        public var since: Date?

        /// - Parameters:
        ///   - address: the address; `nil` for all.
        ///   - state: the state; `nil` for those that wait and those that were given up.
        ///   - since: when the notifications came, at the earliest; `nil` for any time.
        public init(address: String? = nil, state: NotificationDelivery.State? = nil, since: Date? = nil) {
            (self.address, self.state, self.since) = (address, state, since)
        }
    }

    /// Some deliveries, and where the next ones begin.
    public struct DeliveryPage: Hashable, Sendable {
        /// A place in the list. Deliveries that end meanwhile move no other one.
        public struct Cursor: Hashable, Sendable, LosslessStringConvertible {
            let state: Int
            let key: DeliveryRows.Key

            init(state: Int, key: DeliveryRows.Key) { (self.state, self.key) = (state, key) }

            /// Reads a text of `description`; `nil` for another text.
            public init?(_ description: String) {
                let numbers = description.split(separator: "-", omittingEmptySubsequences: false).map {
                    Int64($0)
                }
                guard numbers.count == 3, let state = numbers[0].flatMap({ Int(exactly: $0) }),
                    let notification = numbers[1], let address = numbers[2]
                else { return nil }
                self.init(state: state, key: DeliveryRows.Key(notification: notification, address: address))
            }

            /// A text for the next request. Its form may change.
            public var description: String { "\(state)-\(key.notification)-\(key.address)" }
        }

        /// The deliveries: first those that were given up, then those that wait; each beginning with the oldest
        /// notification.
        public let deliveries: [NotificationDelivery]
        /// Where the next page begins; `nil` on the last one.
        public let next: Cursor?
    }

    /// How many deliveries to an address have not succeeded.
    public struct DeliveryCount: Hashable, Sendable {
        /// The address. Addresses that nothing is forwarded to any more are counted too.
        public let address: String
        /// How many wait for an attempt.
        public let waiting: Int
        /// How many were given up.
        public let givenUp: Int
        /// When the oldest waiting notification came; `nil` if no notification waits.
        public let oldestWaiting: Date?
    }

    /// An attempt to deliver a notification that failed.
    public struct DeliveryFailure: Hashable, Sendable {
        /// The address.
        public let address: String
        /// When the attempt ended.
        public let date: Date
        /// Why it failed, in some words.
        public let reason: String
    }
#endif
