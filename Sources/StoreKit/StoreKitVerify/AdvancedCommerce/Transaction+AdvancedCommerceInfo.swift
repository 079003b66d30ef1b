package import WireFormats

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Transaction {
    /// The items and taxes of a purchase through the Advanced Commerce API.
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// An item that the customer bought.
        public struct Item: Hashable, Sendable {
            /// The item's name and number.
            public let details: AdvancedCommerce.Details
            /// The offer for the item.
            public let offer: AdvancedCommerce.Offer?
            /// The item's price.
            public let price: Decimal?
            /// The item's refunds.
            public let refunds: [AdvancedCommerce.Refund]
            /// When the App Store revoked the item.
            public let revocationDate: Date?

            package static let form = PayloadForm(
                "item",
                [
                    .group("details", AdvancedCommerce.Details.properties),
                    .object("offer", AdvancedCommerce.Offer.form),
                    .optional("price", .thousandths, "price"),
                    .objects("refunds", AdvancedCommerce.Refund.form),
                    .optional("revocationDate", .date, "revocationDate"),
                ])

            init(_ fields: PayloadFields) {
                details = AdvancedCommerce.Details(fields)
                offer = AdvancedCommerce.Offer(fields)
                price = fields.thousandths("price")
                refunds = (fields.objects("refunds", names: AdvancedCommerce.Refund.form.names) ?? []).map(
                    AdvancedCommerce.Refund.init)
                revocationDate = fields.date("revocationDate")
            }
        }

        /// The purchase's name and description from the app; `nil` if the app gave none.
        public let descriptors: AdvancedCommerce.Details?
        /// The tax, as estimated by the App Store.
        public let estimatedTax: Decimal?
        /// The items that the customer bought.
        public let items: [Item]
        /// The length of one period of a subscription.
        public let period: Product.SubscriptionPeriod?
        /// The app's number for the request.
        public let requestReferenceID: String?
        /// The tax category.
        public let taxCode: String?
        /// The price without tax.
        public let taxExclusivePrice: Decimal?
        /// The tax rate, as a share of the price without tax: 0.15 for 15 %.
        public let taxRate: Decimal?

        package static let form = PayloadForm(
            "Advanced Commerce information",
            [
                .optional("requestReferenceID", .text, "requestReferenceId"),
                .object("descriptors", AdvancedCommerce.Details.form),
                .optional("period", .period, "period"),
                .optional("taxCode", .text, "taxCode"),
                .optional("taxRate", .decimal, "taxRate"),
                .optional("taxExclusivePrice", .thousandths, "taxExclusivePrice"),
                .optional("estimatedTax", .thousandths, "estimatedTax"),
                .objects("items", Item.form),
            ])

        init?(_ transaction: PayloadFields) {
            guard let fields = transaction.object("advancedCommerceInfo", names: Self.form.names) else {
                return nil
            }
            descriptors = fields.object("descriptors", names: AdvancedCommerce.Details.form.names).map(
                AdvancedCommerce.Details.init)
            estimatedTax = fields.thousandths("estimatedTax")
            items = (fields.objects("items", names: Item.form.names) ?? []).map(Item.init)
            period = fields.string("period").flatMap(Product.SubscriptionPeriod.init(iso8601:))
            requestReferenceID = fields.string("requestReferenceId")
            taxCode = fields.string("taxCode")
            taxExclusivePrice = fields.thousandths("taxExclusivePrice")
            taxRate = fields.string("taxRate").flatMap { Decimal(string: $0) }
        }
    }
}
