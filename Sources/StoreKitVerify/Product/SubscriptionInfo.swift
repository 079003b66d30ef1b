extension Product {
    /// The home of StoreKit's types around subscriptions.
    public enum SubscriptionInfo {
        /// How a subscription is billed.
        ///
        /// A value that has no name here is kept as it is.
        public struct BillingPlanType: RawRepresentable, Hashable, Sendable {
            /// The value as the payload has it.
            public let rawValue: String

            /// Any value.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// Month by month, for the length of a commitment.
            public static let monthly = BillingPlanType(rawValue: "MONTHLY")
            /// For the whole period at its beginning.
            public static let upFront = BillingPlanType(rawValue: "BILLED_UPFRONT")
        }

        /// Where a subscription stands.
        ///
        /// The numbers are those of the App Store Server API's `status`. A value that has no name here is kept
        /// as it is.
        public struct RenewalState: RawRepresentable, Hashable, Sendable {
            /// The number.
            public let rawValue: Int

            /// Any value.
            public init(rawValue: Int) { self.rawValue = rawValue }

            /// The customer is subscribed.
            public static let subscribed = RenewalState(rawValue: 1)
            /// The subscription has ended.
            public static let expired = RenewalState(rawValue: 2)
            /// The subscription has ended for want of payment, and the App Store goes on trying.
            public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
            /// The same, and the customer keeps the service for a while.
            public static let inGracePeriod = RenewalState(rawValue: 4)
            /// The App Store has taken the subscription back.
            public static let revoked = RenewalState(rawValue: 5)
        }
    }
}

extension Product.SubscriptionInfo.RenewalState {
    /// A word for people, in English.
    public var localizedDescription: String {
        switch self {
        case .subscribed: "Subscribed"
        case .expired: "Expired"
        case .inBillingRetryPeriod: "In billing retry"
        case .inGracePeriod: "In grace period"
        case .revoked: "Revoked"
        default: "Unknown"
        }
    }
}
