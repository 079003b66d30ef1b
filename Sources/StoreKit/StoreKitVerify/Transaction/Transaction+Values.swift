extension Transaction {
    /// The kind of offer.
    ///
    /// An unknown value is kept unchanged.
    public struct OfferType: RawRepresentable, Hashable, Sendable {
        /// The value, as the payload gives it.
        public let rawValue: Int

        /// Makes a value from its raw form, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// For new subscribers.
        public static let introductory = OfferType(rawValue: 1)
        /// For existing and former subscribers.
        public static let promotional = OfferType(rawValue: 2)
        /// For customers who redeem a code.
        public static let code = OfferType(rawValue: 3)
        /// For former subscribers.
        public static let winBack = OfferType(rawValue: 4)
    }

    /// How the customer got the product.
    ///
    /// An unknown value is kept unchanged.
    public struct OwnershipType: RawRepresentable, Hashable, Sendable {
        /// The value, as the payload gives it.
        public let rawValue: String

        /// Makes a value from its raw form, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The customer bought the product.
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        /// A family member bought the product and shares it with the customer.
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
        /// An organization or a group gave the customer one of the seats that it bought. The transaction's price and
        /// quantity repeat the purchaser's, and are not revenue.
        public static let assigned = OwnershipType(rawValue: "ASSIGNED")
    }

    /// Why the transaction took place.
    ///
    /// An unknown value is kept unchanged.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The value, as the payload gives it.
        public let rawValue: String

        /// Makes a value from its raw form, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The customer bought something.
        public static let purchase = Reason(rawValue: "PURCHASE")
        /// The App Store renewed a subscription.
        public static let renewal = Reason(rawValue: "RENEWAL")
    }

    /// Why the App Store revoked a purchase.
    ///
    /// An unknown value is kept unchanged.
    public struct RevocationReason: RawRepresentable, Hashable, Sendable {
        /// The value, as the payload gives it.
        public let rawValue: Int

        /// Makes a value from its raw form, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Any other reason.
        public static let other = RevocationReason(rawValue: 0)
        /// The customer named a problem with the app as the reason.
        public static let developerIssue = RevocationReason(rawValue: 1)
    }

    /// How the App Store revoked a purchase.
    ///
    /// An unknown value is kept unchanged.
    public struct RevocationType: RawRepresentable, Hashable, Sendable {
        /// The value, as the payload gives it.
        public let rawValue: String

        /// Makes a value from its raw form, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The App Store refunded the whole price.
        public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
        /// The App Store refunded a part of the price.
        public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
        /// Family Sharing ended: the buyer stopped sharing the purchase, or the customer left the family.
        public static let familyRevocation = RevocationType(rawValue: "FAMILY_REVOKE")
        /// The organization's administrator took the assigned seat back. Apple's own pages of November 2026 do not give
        /// the raw value; one copy of them does.
        public static let assignmentRevocation = RevocationType(rawValue: "ASSIGNMENT_REVOKE")
    }
}
