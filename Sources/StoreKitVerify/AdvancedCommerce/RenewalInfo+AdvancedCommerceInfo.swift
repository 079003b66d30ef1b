#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Product.SubscriptionInfo.RenewalInfo {
    /// What a subscription through the Advanced Commerce API is about.
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// One of the things that the customer is subscribed to.
        public struct Item: Hashable, Sendable {
            /// What it is.
            public let details: AdvancedCommerce.Details
            /// The offer on it.
            public let offer: AdvancedCommerce.Offer?
            /// Its price.
            public let price: Decimal?
            /// The change of its price to come.
            public let priceIncreaseInfo: AdvancedCommerce.PriceIncreaseInfo?

            static let names = AdvancedCommerce.Details.names + ["offer", "price", "priceIncreaseInfo"]

            init(_ fields: PayloadFields) {
                details = AdvancedCommerce.Details(fields)
                offer = AdvancedCommerce.Offer(fields)
                price = fields.thousandths("price")
                priceIncreaseInfo = AdvancedCommerce.PriceIncreaseInfo(fields)
            }
        }

        /// The value that the API's next request on the subscription has to give.
        public let consistencyToken: String?
        /// The subscription in the app's words; `nil` where it gave none.
        public let descriptors: AdvancedCommerce.Details?
        /// What the customer is subscribed to.
        public let items: [Item]
        /// How long a period is.
        public let period: Product.SubscriptionPeriod?
        /// The app's number for the request.
        public let requestReferenceID: String?
        /// The tax category.
        public let taxCode: String?

        private static let names = [
            "consistencyToken", "descriptors", "items", "period", "requestReferenceId", "taxCode",
        ]

        init?(_ renewalInfo: PayloadFields) {
            guard let fields = renewalInfo.object("advancedCommerceInfo", names: Self.names) else {
                return nil
            }
            consistencyToken = fields.string("consistencyToken")
            descriptors = fields.object("descriptors", names: AdvancedCommerce.Details.names).map(
                AdvancedCommerce.Details.init)
            items = (fields.objects("items", names: Item.names) ?? []).map(Item.init)
            period = fields.string("period").flatMap(Product.SubscriptionPeriod.init(iso8601:))
            requestReferenceID = fields.string("requestReferenceId")
            taxCode = fields.string("taxCode")
        }
    }
}
