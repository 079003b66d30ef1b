extension Transaction {
    /// An offer that a customer used, or that applies to the next period of a subscription.
    public struct Offer: Hashable, Sendable {
        /// How the customer pays with an offer.
        public struct PaymentMode: RawRepresentable, Hashable, Sendable {
            /// The value as the payload has it.
            public let rawValue: String

            /// Any value.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// Nothing, for a time.
            public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
            /// A lower price in each period.
            public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
            /// One lower price for several periods.
            public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
            /// One lower price, for what is no subscription.
            public static let oneTime = PaymentMode(rawValue: "ONE_TIME")
        }

        /// The identifier of a promotional or win-back offer, or the reference name of an offer code; `nil` for
        /// introductory offers.
        public let id: String?
        /// The kind of offer.
        public let type: OfferType
        /// How the customer pays; `nil` in old payloads.
        public let paymentMode: PaymentMode?
        /// How long a period of the offer is; `nil` in old payloads, and for what is no subscription.
        public let period: Product.SubscriptionPeriod?

        init(id: String?, type: OfferType, paymentMode: PaymentMode?) {
            self.id = id
            self.type = type
            self.paymentMode = paymentMode
            period = nil
        }

        static let names = ["offerType", "offerIdentifier", "offerDiscountType", "offerPeriod"]

        /// An offer is there if its type is.
        init?(_ fields: PayloadFields) {
            guard let type = fields.integer("offerType") else { return nil }
            self.type = OfferType(rawValue: type)
            id = fields.string("offerIdentifier")
            paymentMode = fields.string("offerDiscountType").map(PaymentMode.init(rawValue:))
            period = fields.string("offerPeriod").flatMap(Product.SubscriptionPeriod.init(iso8601:))
        }
    }
}
