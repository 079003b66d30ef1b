#if ServerAPI
    extension ExternalPurchaseLineItem {
        /// The event of a line (Apple's `eventType`).
        public struct EventType: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// A purchase, or a payment of a subscription.
            public static let buy = EventType(rawValue: "BUY")
            /// A refund, also after a dispute with a bank.
            public static let refund = EventType(rawValue: "REFUND")
        }

        /// The kind of the bought product (Apple's `productType`).
        public struct ProductType: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// It is bought once.
            public static let oneTimeBuy = ProductType(rawValue: "ONE_TIME_BUY")
            /// It renews.
            public static let subscription = ProductType(rawValue: "SUBSCRIPTION")
        }

        /// The event of a line about a subscription (Apple's `subscriptionEvent`).
        public struct SubscriptionEvent: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The first period.
            public static let start = SubscriptionEvent(rawValue: "SUBSCRIPTION_START")
            /// A later period.
            public static let renewal = SubscriptionEvent(rawValue: "RENEWAL")
            /// Another plan.
            public static let change = SubscriptionEvent(rawValue: "SUBSCRIPTION_CHANGE")
            /// A payment within a period.
            public static let payment = SubscriptionEvent(rawValue: "SUBSCRIPTION_PAYMENT")
        }
    }
#endif
