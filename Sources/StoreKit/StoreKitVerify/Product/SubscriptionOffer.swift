public import Essentials

extension Product {
    /// An offer of a subscription (StoreKit's `Product.SubscriptionOffer`).
    public struct SubscriptionOffer: Hashable, Sendable {
        /// The kind of offer.
        public typealias OfferType = Transaction.OfferType
        /// How the customer pays with an offer.
        public typealias PaymentMode = Transaction.Offer.PaymentMode

        /// The identifier; `nil` for introductory offers.
        public let id: String?
        /// The kind of offer.
        public let type: OfferType
        /// The price of a period, or of the whole offer if it is paid up front.
        public let price: Decimal
        /// The price as text, with the currency.
        public let displayPrice: String
        /// The length of one period of the offer.
        public let period: SubscriptionPeriod
        /// How many periods the offer lasts.
        public let periodCount: Int
        /// How the customer pays.
        public let paymentMode: PaymentMode

        /// Makes an offer, for a `SimulatedAppStore`.
        ///
        /// - Parameters:
        ///   - id: the identifier; `nil` for introductory offers.
        ///   - type: the kind of offer.
        ///   - price: the price of a period, or of the whole offer if it is paid up front.
        ///   - displayPrice: the price as text, with the currency.
        ///   - period: the length of one period of the offer.
        ///   - periodCount: how many periods the offer lasts.
        ///   - paymentMode: how the customer pays.
        public init(
            id: String?, type: OfferType, price: Decimal, displayPrice: String, period: SubscriptionPeriod,
            periodCount: Int, paymentMode: PaymentMode
        ) {
            self.id = id
            self.type = type
            self.price = price
            self.displayPrice = displayPrice
            self.period = period
            self.periodCount = periodCount
            self.paymentMode = paymentMode
        }
    }
}
