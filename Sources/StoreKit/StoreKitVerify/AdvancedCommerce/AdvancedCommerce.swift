public import Essentials
internal import SignedPayloads
package import WireFormats

/// The namespace of the types that all purchases through the Advanced Commerce API share.
///
/// Prices and taxes are in units of the transaction's currency. All members are optional: if one is missing,
/// the others are still read.
public enum AdvancedCommerce {
    /// An item for sale, with the app's own names and numbers.
    public struct Details: Hashable, Sendable {
        /// The app's number for the item (stock keeping unit).
        public let sku: String?
        /// The item's name for display.
        public let displayName: String?
        /// The item's description for display.
        public let description: String?
        /// The prices of several seats, as the app's server set them; empty for other items. How many seats the customer
        /// bought at each price is in the transaction's `multiSeatInfo`.
        public let seatPriceTiers: [SeatPriceTier]

        package static let form = PayloadForm("details", Details.init)

        init(_ properties: inout PayloadProperties) {
            sku = properties.optional("sku", .text, "SKU")
            displayName = properties.optional("displayName", .text, "displayName")
            description = properties.optional("description", .text, "description")
            seatPriceTiers = properties.objects("seatPriceTiers", SeatPriceTier.form, SeatPriceTier.init)
        }
    }

    /// Seats of one price.
    public struct SeatPriceTier: Hashable, Sendable {
        /// The price of one seat.
        public let price: Decimal
        /// The last seat at this price, counted from 1; `nil` if the tier has no end.
        public let maximumSeatQuantity: Int?

        package static let form = PayloadForm("seat price tier", SeatPriceTier.init)

        init(_ properties: inout PayloadProperties) throws(PayloadError) {
            price = try properties.required("price", .thousandths, "price")
            maximumSeatQuantity = properties.optional("maximumSeatQuantity", .integer, "maximumSeatQuantity")
        }
    }

    /// An offer on an item.
    public struct Offer: Hashable, Sendable {
        /// The purpose of an offer.
        ///
        /// An unknown value is kept unchanged.
        public struct Reason: RawRepresentable, Hashable, Sendable {
            /// The value, as the payload gives it.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The offer is for new customers.
            public static let acquisition = Reason(rawValue: "ACQUISITION")
            /// The offer is for former customers.
            public static let winBack = Reason(rawValue: "WIN_BACK")
            /// The offer is for present customers, to keep them.
            public static let retention = Reason(rawValue: "RETENTION")
        }

        /// The length of one period of the offer.
        public let period: Product.SubscriptionPeriod?
        /// The number of periods that the offer lasts.
        public let periodCount: Int?
        /// The price of one period.
        public let price: Decimal?
        /// The purpose of the offer.
        public let reason: Reason?

        package static let form = PayloadForm("offer", Offer.init)

        init(_ properties: inout PayloadProperties) {
            period = properties.optional("period", .period, "period")
            periodCount = properties.optional("periodCount", .integer, "periodCount")
            price = properties.optional("price", .thousandths, "price")
            reason = properties.optional("reason", .text, "reason").map(Reason.init(rawValue:))
        }
    }

    /// A refund of an item.
    public struct Refund: Hashable, Sendable {
        /// Why the App Store refunded an item.
        ///
        /// An unknown value is kept unchanged.
        public struct Reason: RawRepresentable, Hashable, Sendable {
            /// The value, as the payload gives it.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The customer did not intend to buy the item.
            public static let unintendedPurchase = Reason(rawValue: "UNINTENDED_PURCHASE")
            /// The customer did not receive the item.
            public static let fulfillmentIssue = Reason(rawValue: "FULFILLMENT_ISSUE")
            /// The customer was not satisfied with the item.
            public static let unsatisfiedWithPurchase = Reason(rawValue: "UNSATISFIED_WITH_PURCHASE")
            /// A legal reason, such as a court's decision.
            public static let legal = Reason(rawValue: "LEGAL")
            /// Another reason.
            public static let other = Reason(rawValue: "OTHER")
            /// The app's server changed the items of the subscription.
            public static let modifyItemsRefund = Reason(rawValue: "MODIFY_ITEMS_REFUND")
            /// A test in which the App Store declines the refund.
            public static let simulateRefundDecline = Reason(rawValue: "SIMULATE_REFUND_DECLINE")
        }

        /// The part of the price that was refunded.
        ///
        /// An unknown value is kept unchanged.
        public struct RefundType: RawRepresentable, Hashable, Sendable {
            /// The value, as the payload gives it.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The whole price.
            public static let full = RefundType(rawValue: "FULL")
            /// The price of the unused part.
            public static let prorated = RefundType(rawValue: "PRORATED")
            /// An amount that the app's server set.
            public static let custom = RefundType(rawValue: "CUSTOM")
        }

        /// The refunded amount, in units of the transaction's currency; `nil` if the payload does not have it.
        public let amount: Decimal?
        /// When the item was refunded.
        public let date: Date?
        /// Why the item was refunded.
        public let reason: Reason?
        /// The part of the price that was refunded.
        public let type: RefundType?
        /// The number of seats that were refunded; `nil` if the refund is not of seats.
        public let revokedSeatQuantity: Int?

        package static let form = PayloadForm("refund", Refund.init)

        init(_ properties: inout PayloadProperties) {
            amount = properties.optional("amount", .thousandths, "refundAmount")
            date = properties.optional("date", .date, "refundDate")
            reason = properties.optional("reason", .text, "refundReason").map(Reason.init(rawValue:))
            type = properties.optional("type", .text, "refundType").map(RefundType.init(rawValue:))
            revokedSeatQuantity = properties.optional("revokedSeatQuantity", .integer, "revokedSeatQuantity")
        }
    }

    /// A coming change of an item's price.
    public struct PriceIncreaseInfo: Hashable, Sendable {
        /// The stage of the price change.
        ///
        /// An unknown value is kept unchanged.
        public struct Status: RawRepresentable, Hashable, Sendable {
            /// The value, as the payload gives it.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The change is planned, and not yet announced to the customer.
            public static let scheduled = Status(rawValue: "SCHEDULED")
            /// The customer has not answered yet.
            public static let pending = Status(rawValue: "PENDING")
            /// The customer consented.
            public static let accepted = Status(rawValue: "ACCEPTED")
        }

        /// The items whose prices depend on this item's price.
        public let dependentSKUs: [String]
        /// The new price.
        public let price: Decimal?
        /// The stage of the price change.
        public let status: Status?

        package static let form = PayloadForm("price increase", PriceIncreaseInfo.init)

        init(_ properties: inout PayloadProperties) {
            dependentSKUs = properties.value("dependentSKUs", .texts, "dependentSKUs")
            price = properties.optional("price", .thousandths, "price")
            status = properties.optional("status", .text, "status").map(Status.init(rawValue:))
        }
    }
}
