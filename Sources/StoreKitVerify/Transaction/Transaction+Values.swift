extension Transaction {
    /// The kind of an offer.
    ///
    /// A value that has no name here is kept as it is.
    public struct OfferType: RawRepresentable, Hashable, Sendable {
        /// The value as the payload has it.
        public let rawValue: Int

        /// Any value.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// For new subscribers.
        public static let introductory = OfferType(rawValue: 1)
        /// For existing and former subscribers.
        public static let promotional = OfferType(rawValue: 2)
        /// Redeemed by a code.
        public static let code = OfferType(rawValue: 3)
        /// For former subscribers.
        public static let winBack = OfferType(rawValue: 4)
    }

    /// How the customer came by the product.
    ///
    /// A value that has no name here is kept as it is.
    public struct OwnershipType: RawRepresentable, Hashable, Sendable {
        /// The value as the payload has it.
        public let rawValue: String

        /// Any value.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The customer bought it.
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        /// A member of the family bought it and shares it.
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
    }

    /// Why the transaction took place.
    ///
    /// A value that has no name here is kept as it is.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The value as the payload has it.
        public let rawValue: String

        /// Any value.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The customer bought something.
        public static let purchase = Reason(rawValue: "PURCHASE")
        /// The App Store renewed a subscription.
        public static let renewal = Reason(rawValue: "RENEWAL")
    }

    /// Why the App Store took a purchase back.
    ///
    /// A value that has no name here is kept as it is.
    public struct RevocationReason: RawRepresentable, Hashable, Sendable {
        /// The value as the payload has it.
        public let rawValue: Int

        /// Any value.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Any other reason.
        public static let other = RevocationReason(rawValue: 0)
        /// The customer gave a problem with the app as the reason.
        public static let developerIssue = RevocationReason(rawValue: 1)
    }

    /// How the App Store took a purchase back.
    ///
    /// A value that has no name here is kept as it is.
    public struct RevocationType: RawRepresentable, Hashable, Sendable {
        /// The value as the payload has it.
        public let rawValue: String

        /// Any value.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// All of the price was refunded.
        public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
        /// A part of the price was refunded.
        public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
        /// The customer no longer shares it with the family, or left it.
        public static let familyRevocation = RevocationType(rawValue: "FAMILY_REVOKE")
    }
}
