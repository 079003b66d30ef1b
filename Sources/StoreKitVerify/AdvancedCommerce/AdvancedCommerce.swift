#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The home of what purchases through the Advanced Commerce API have in common.
///
/// Prices and taxes are in units of the transaction's currency. All members are optional: a missing one does not
/// keep the others from being read.
public enum AdvancedCommerce {
    /// What is sold, in the app's own words and under its own numbers.
    public struct Details: Hashable, Sendable {
        /// The app's number for it (stock keeping unit).
        public let sku: String?
        /// A name for people.
        public let displayName: String?
        /// A description for people.
        public let description: String?

        static let names = ["SKU", "displayName", "description"]

        init(_ fields: PayloadFields) {
            sku = fields.string("SKU")
            displayName = fields.string("displayName")
            description = fields.string("description")
        }
    }

    /// An offer on an item.
    public struct Offer: Hashable, Sendable {
        /// What an offer is for.
        ///
        /// A value that has no name here is kept as it is.
        public struct Reason: RawRepresentable, Hashable, Sendable {
            /// The value as the payload has it.
            public let rawValue: String

            /// Any value.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// To win customers.
            public static let acquisition = Reason(rawValue: "ACQUISITION")
            /// To win former customers back.
            public static let winBack = Reason(rawValue: "WIN_BACK")
            /// To keep customers.
            public static let retention = Reason(rawValue: "RETENTION")
        }

        /// How long a period of the offer is.
        public let period: Product.SubscriptionPeriod?
        /// How many periods the offer lasts.
        public let periodCount: Int?
        /// The price of a period.
        public let price: Decimal?
        /// What the offer is for.
        public let reason: Reason?

        private static let names = ["period", "periodCount", "price", "reason"]

        init?(_ item: PayloadFields) {
            guard let fields = item.object("offer", names: Self.names) else { return nil }
            period = fields.string("period").flatMap(Product.SubscriptionPeriod.init(iso8601:))
            periodCount = fields.integer("periodCount")
            price = fields.thousandths("price")
            reason = fields.string("reason").map(Reason.init(rawValue:))
        }
    }

    /// A refund of an item.
    public struct Refund: Hashable, Sendable {
        /// Why an item was refunded.
        ///
        /// A value that has no name here is kept as it is.
        public struct Reason: RawRepresentable, Hashable, Sendable {
            /// The value as the payload has it.
            public let rawValue: String

            /// Any value.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The customer did not mean to buy it.
            public static let unintendedPurchase = Reason(rawValue: "UNINTENDED_PURCHASE")
            /// The customer did not get it.
            public static let fulfillmentIssue = Reason(rawValue: "FULFILLMENT_ISSUE")
            /// The customer did not like it.
            public static let unsatisfiedWithPurchase = Reason(rawValue: "UNSATISFIED_WITH_PURCHASE")
            /// For legal reasons.
            public static let legal = Reason(rawValue: "LEGAL")
            /// For other reasons.
            public static let other = Reason(rawValue: "OTHER")
            /// The subscription's items were changed.
            public static let modifyItemsRefund = Reason(rawValue: "MODIFY_ITEMS_REFUND")
            /// A test, which declines the refund.
            public static let simulateRefundDecline = Reason(rawValue: "SIMULATE_REFUND_DECLINE")
        }

        /// How much was refunded.
        ///
        /// A value that has no name here is kept as it is.
        public struct RefundType: RawRepresentable, Hashable, Sendable {
            /// The value as the payload has it.
            public let rawValue: String

            /// Any value.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// All of the price.
            public static let full = RefundType(rawValue: "FULL")
            /// The price of what was not used.
            public static let prorated = RefundType(rawValue: "PRORATED")
            /// An amount that the app gave.
            public static let custom = RefundType(rawValue: "CUSTOM")
        }

        /// The amount.
        public let amount: Decimal?
        /// When it was refunded.
        public let date: Date?
        /// Why it was refunded.
        public let reason: Reason?
        /// How much was refunded.
        public let type: RefundType?

        static let names = ["refundAmount", "refundDate", "refundReason", "refundType"]

        init(_ fields: PayloadFields) {
            amount = fields.thousandths("refundAmount")
            date = fields.date("refundDate")
            reason = fields.string("refundReason").map(Reason.init(rawValue:))
            type = fields.string("refundType").map(RefundType.init(rawValue:))
        }
    }

    /// A change of an item's price to come.
    public struct PriceIncreaseInfo: Hashable, Sendable {
        /// How far the change is.
        ///
        /// A value that has no name here is kept as it is.
        public struct Status: RawRepresentable, Hashable, Sendable {
            /// The value as the payload has it.
            public let rawValue: String

            /// Any value.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// It will be announced.
            public static let scheduled = Status(rawValue: "SCHEDULED")
            /// The customer has not answered yet.
            public static let pending = Status(rawValue: "PENDING")
            /// The customer agreed.
            public static let accepted = Status(rawValue: "ACCEPTED")
        }

        /// The items whose price depends on this one's.
        public let dependentSKUs: [String]
        /// The price to come.
        public let price: Decimal?
        /// How far the change is.
        public let status: Status?

        private static let names = ["dependentSKUs", "price", "status"]

        init?(_ item: PayloadFields) {
            guard let fields = item.object("priceIncreaseInfo", names: Self.names) else { return nil }
            dependentSKUs = fields.strings("dependentSKUs") ?? []
            price = fields.thousandths("price")
            status = fields.string("status").map(Status.init(rawValue:))
        }
    }
}
