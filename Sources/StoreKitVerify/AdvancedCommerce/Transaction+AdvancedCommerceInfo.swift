#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Transaction {
    /// What a purchase through the Advanced Commerce API was about.
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// One of the things that were bought.
        public struct Item: Hashable, Sendable {
            /// What it is.
            public let details: AdvancedCommerce.Details
            /// The offer on it.
            public let offer: AdvancedCommerce.Offer?
            /// Its price.
            public let price: Decimal?
            /// Its refunds.
            public let refunds: [AdvancedCommerce.Refund]
            /// When it was taken back.
            public let revocationDate: Date?

            static let names =
                AdvancedCommerce.Details.names + ["offer", "price", "refunds", "revocationDate"]

            init(_ fields: PayloadFields) {
                details = AdvancedCommerce.Details(fields)
                offer = AdvancedCommerce.Offer(fields)
                price = fields.thousandths("price")
                refunds = (fields.objects("refunds", names: AdvancedCommerce.Refund.names) ?? []).map(
                    AdvancedCommerce.Refund.init)
                revocationDate = fields.date("revocationDate")
            }
        }

        /// The purchase in the app's words; `nil` where it gave none.
        public let descriptors: AdvancedCommerce.Details?
        /// The tax, as the App Store estimated it.
        public let estimatedTax: Decimal?
        /// What was bought.
        public let items: [Item]
        /// How long a period of a subscription is.
        public let period: Product.SubscriptionPeriod?
        /// The app's number for the request.
        public let requestReferenceID: String?
        /// The tax category.
        public let taxCode: String?
        /// The price without tax.
        public let taxExclusivePrice: Decimal?
        /// The tax's share of the price without tax: 0.15 for 15 %.
        public let taxRate: Decimal?

        private static let names = [
            "descriptors", "estimatedTax", "items", "period", "requestReferenceId", "taxCode",
            "taxExclusivePrice", "taxRate",
        ]

        init?(_ transaction: PayloadFields) {
            guard let fields = transaction.object("advancedCommerceInfo", names: Self.names) else {
                return nil
            }
            descriptors = fields.object("descriptors", names: AdvancedCommerce.Details.names).map(
                AdvancedCommerce.Details.init)
            estimatedTax = fields.thousandths("estimatedTax")
            items = (fields.objects("items", names: Item.names) ?? []).map(Item.init)
            period = fields.string("period").flatMap(Product.SubscriptionPeriod.init(iso8601:))
            requestReferenceID = fields.string("requestReferenceId")
            taxCode = fields.string("taxCode")
            taxExclusivePrice = fields.thousandths("taxExclusivePrice")
            taxRate = fields.string("taxRate").flatMap { Decimal(string: $0) }
        }
    }
}
