internal import SignedPayloads
internal import WireFormats

extension Transaction {
    /// An offer that the customer used, or that applies to the next period of a subscription.
    public struct Offer: Hashable, Sendable {
        /// How the customer pays with an offer.
        public struct PaymentMode: RawRepresentable, Hashable, Sendable {
            /// The value, as the payload gives it.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The customer pays nothing for some time.
            public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
            /// The customer pays a lower price in each period.
            public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
            /// The customer pays once, in advance, for several periods.
            public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
            /// The customer pays a lower price once, for a product that is not a subscription.
            public static let oneTime = PaymentMode(rawValue: "ONE_TIME")
        }

        /// The identifier of a promotional or win-back offer, or the reference name of an offer code. `nil`
        /// for introductory offers.
        public let id: String?
        /// The kind of offer.
        public let type: OfferType
        /// How the customer pays; `nil` in old payloads.
        public let paymentMode: PaymentMode?
        /// The length of one period of the offer; `nil` in old payloads, and for products that are not
        /// subscriptions.
        public let period: Product.SubscriptionPeriod?

        init(id: String?, type: OfferType, paymentMode: PaymentMode?) {
            self.id = id
            self.type = type
            self.paymentMode = paymentMode
            period = nil
        }

        /// - Throws: `PayloadError` if the payload has no offer type.
        init(_ properties: inout PayloadProperties) throws(PayloadError) {
            id = properties.optional("id", .text, "offerIdentifier")
            type = OfferType(rawValue: try properties.required("type", .integer, "offerType"))
            paymentMode = properties.optional("paymentMode", .text, "offerDiscountType")
                .map(PaymentMode.init(rawValue:))
            period = properties.optional("period", .period, "offerPeriod")
        }
    }
}
