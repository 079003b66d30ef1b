extension Product {
    /// The properties of a product that is an auto-renewable subscription, and the namespace of StoreKit's types for
    /// subscriptions.
    public struct SubscriptionInfo: Hashable, Sendable {
        /// The identifier of the subscription group.
        public let subscriptionGroupID: String
        /// The name of the subscription group that customers see.
        public let groupDisplayName: String
        /// The level of service in the group; 1 is the highest.
        public let groupLevel: Int
        /// The time between renewals.
        public let subscriptionPeriod: SubscriptionPeriod
        /// The offer for customers who had no offer of the group before.
        public let introductoryOffer: SubscriptionOffer?
        /// The offers for present and former subscribers, which the app's server signs.
        public let promotionalOffers: [SubscriptionOffer]
        /// The offers for customers whose subscription has ended.
        public let winBackOffers: [SubscriptionOffer]
        /// The ways in which the subscription is sold.
        public let pricingTerms: [PricingTerms]
        /// The subscriptions in a bundle; empty for every other product.
        public let bundledSubscriptions: [BundledSubscription]

        /// Makes a value, for a `SimulatedAppStore`.
        ///
        /// - Parameters:
        ///   - subscriptionGroupID: the identifier of the subscription group.
        ///   - groupDisplayName: the name of the subscription group.
        ///   - groupLevel: the level of service in the group; 1 is the highest.
        ///   - subscriptionPeriod: the time between renewals.
        ///   - introductoryOffer: the offer for customers who had no offer of the group before.
        ///   - promotionalOffers: the promotional offers.
        ///   - winBackOffers: the offers for customers whose subscription has ended.
        ///   - pricingTerms: the ways in which the subscription is sold.
        ///   - bundledSubscriptions: the subscriptions in a bundle.
        public init(
            subscriptionGroupID: String, groupDisplayName: String, groupLevel: Int,
            subscriptionPeriod: SubscriptionPeriod, introductoryOffer: SubscriptionOffer?,
            promotionalOffers: [SubscriptionOffer], winBackOffers: [SubscriptionOffer],
            pricingTerms: [PricingTerms] = [], bundledSubscriptions: [BundledSubscription] = []
        ) {
            self.subscriptionGroupID = subscriptionGroupID
            self.groupDisplayName = groupDisplayName
            self.groupLevel = groupLevel
            self.subscriptionPeriod = subscriptionPeriod
            self.introductoryOffer = introductoryOffer
            self.promotionalOffers = promotionalOffers
            self.winBackOffers = winBackOffers
            self.pricingTerms = pricingTerms
            self.bundledSubscriptions = bundledSubscriptions
        }

        /// The present statuses of the group's subscriptions, for the scope's customer.
        ///
        /// - Throws: the store's error.
        public var status: [Status] { get async throws { try await Self.status(for: subscriptionGroupID) } }

        /// Whether the scope's customer may use an introductory offer of the group now.
        public var isEligibleForIntroOffer: Bool {
            get async { await Self.isEligibleForIntroOffer(for: subscriptionGroupID) }
        }
    }
}

extension Product.SubscriptionInfo {
    /// How a subscription is billed.
    ///
    /// An unknown value is kept unchanged.
    public struct BillingPlanType: RawRepresentable, Hashable, Sendable {
        /// The value, as the payload gives it.
        public let rawValue: String

        /// Makes a value from its raw form, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Billed each month, during a commitment of several months.
        public static let monthly = BillingPlanType(rawValue: "MONTHLY")
        /// Billed once for the whole period, at its beginning.
        public static let upFront = BillingPlanType(rawValue: "BILLED_UPFRONT")
    }

    /// The state of a subscription.
    ///
    /// The numbers are those of `status` in the App Store Server API. An unknown value is kept unchanged.
    public struct RenewalState: RawRepresentable, Hashable, Sendable {
        /// The number, as the App Store Server API gives it.
        public let rawValue: Int

        /// Makes a value from its raw form, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The customer is subscribed.
        public static let subscribed = RenewalState(rawValue: 1)
        /// The subscription has ended.
        public static let expired = RenewalState(rawValue: 2)
        /// The subscription ended because a payment failed. The App Store still tries to charge the customer.
        public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
        /// A payment failed, and the App Store still tries. The customer keeps the service during a grace
        /// period.
        public static let inGracePeriod = RenewalState(rawValue: 4)
        /// The App Store revoked the subscription.
        public static let revoked = RenewalState(rawValue: 5)
    }
}
