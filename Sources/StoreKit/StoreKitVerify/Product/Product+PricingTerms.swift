public import Essentials

extension Product.SubscriptionInfo {
    /// The time between two charges.
    public typealias BillingPeriod = Product.SubscriptionPeriod

    /// The charge of each billing period.
    public struct BillingInfo: Hashable, Sendable {
        /// The price of a period, in the storefront's currency; for several seats, that of one.
        public let price: Decimal
        /// The price as text, with the currency.
        public let displayPrice: String
        /// The time between two charges.
        public let period: BillingPeriod

        /// Makes a value, for a `SimulatedAppStore`.
        ///
        /// - Parameters:
        ///   - price: the price of a period, in the storefront's currency.
        ///   - displayPrice: the price as text, with the currency.
        ///   - period: the time between two charges.
        public init(price: Decimal, displayPrice: String, period: BillingPeriod) {
            self.price = price
            self.displayPrice = displayPrice
            self.period = period
        }
    }

    /// The customer's commitment.
    ///
    /// Apple's page of November 2026 names the price. Further members are not known here.
    public struct CommitmentInfo: Hashable, Sendable {
        /// The price of the whole commitment, in the storefront's currency.
        public let price: Decimal

        /// Makes a value, for a `SimulatedAppStore`.
        ///
        /// - Parameter price: the price of the whole commitment.
        public init(price: Decimal) { self.price = price }
    }

    /// One of the ways in which a subscription is sold: a billing plan, its price, and its offers.
    public struct PricingTerms: Hashable, Sendable {
        /// How the subscription is priced. StoreKit may add cases.
        public enum PricingModel: Hashable, Sendable {
            /// One price for one customer.
            case singlePrice(SinglePrice)
            /// A price for each seat.
            case seatBased(SeatBasedPricing)
        }

        /// One price for one customer.
        public struct SinglePrice: Hashable, Sendable {
            /// The charge of each billing period.
            public let billingInfo: BillingInfo
            /// The customer's commitment. Without one it is the price of one period.
            public let commitmentInfo: CommitmentInfo

            /// Makes a value, for a `SimulatedAppStore`.
            ///
            /// - Parameters:
            ///   - billingInfo: the charge of each billing period.
            ///   - commitmentInfo: the customer's commitment.
            public init(billingInfo: BillingInfo, commitmentInfo: CommitmentInfo) {
                self.billingInfo = billingInfo
                self.commitmentInfo = commitmentInfo
            }
        }

        /// A price for each seat, which falls with their number.
        public struct SeatBasedPricing: Hashable, Sendable {
            /// Seats of one price.
            public struct PriceTier: Hashable, Sendable {
                /// The first seat of the tier, counted from 1.
                public let minimumSeats: Int
                /// The last seat of the tier; `nil` if it has no end.
                public let maximumSeats: Int?
                /// The price of one seat in each billing period.
                public let billingInfo: BillingInfo

                /// Makes a value, for a `SimulatedAppStore`.
                ///
                /// - Parameters:
                ///   - minimumSeats: the first seat of the tier, counted from 1.
                ///   - maximumSeats: the last seat of the tier; `nil` if it has no end.
                ///   - billingInfo: the price of one seat in each billing period.
                public init(minimumSeats: Int, maximumSeats: Int?, billingInfo: BillingInfo) {
                    self.minimumSeats = minimumSeats
                    self.maximumSeats = maximumSeats
                    self.billingInfo = billingInfo
                }
            }

            /// The tiers, up to five.
            public let priceTiers: [PriceTier]

            /// Makes a value, for a `SimulatedAppStore`.
            ///
            /// - Parameter priceTiers: the tiers.
            public init(priceTiers: [PriceTier]) { self.priceTiers = priceTiers }
        }

        /// How the subscription is billed.
        public let billingPlanType: BillingPlanType
        /// The time between two charges.
        public let billingPeriod: BillingPeriod
        /// How the subscription is priced.
        public let pricingModel: PricingModel
        /// The offers of these terms.
        public let subscriptionOffers: [Product.SubscriptionOffer]

        /// Makes a value, for a `SimulatedAppStore`.
        ///
        /// - Parameters:
        ///   - billingPlanType: how the subscription is billed.
        ///   - billingPeriod: the time between two charges.
        ///   - pricingModel: how the subscription is priced.
        ///   - subscriptionOffers: the offers of these terms.
        public init(
            billingPlanType: BillingPlanType, billingPeriod: BillingPeriod, pricingModel: PricingModel,
            subscriptionOffers: [Product.SubscriptionOffer]
        ) {
            self.billingPlanType = billingPlanType
            self.billingPeriod = billingPeriod
            self.pricingModel = pricingModel
            self.subscriptionOffers = subscriptionOffers
        }

        /// The offers of a kind.
        public subscript(offers type: Product.SubscriptionOffer.OfferType) -> [Product.SubscriptionOffer] {
            subscriptionOffers.filter { $0.type == type }
        }
    }
}
