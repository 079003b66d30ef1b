package import WireFormats

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Product.SubscriptionInfo.RenewalInfo {
    /// The items of a subscription through the Advanced Commerce API.
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// An item that the customer is subscribed to.
        public struct Item: Hashable, Sendable {
            /// The item's name and number.
            public let details: AdvancedCommerce.Details
            /// The offer for the item.
            public let offer: AdvancedCommerce.Offer?
            /// The item's price.
            public let price: Decimal?
            /// The coming change of the item's price.
            public let priceIncreaseInfo: AdvancedCommerce.PriceIncreaseInfo?

            package static let form = PayloadForm(
                "item",
                [
                    .group("details", AdvancedCommerce.Details.properties),
                    .object("offer", AdvancedCommerce.Offer.form),
                    .optional("price", .thousandths, "price"),
                    .object("priceIncreaseInfo", AdvancedCommerce.PriceIncreaseInfo.form),
                ])

            init(_ fields: PayloadFields) {
                details = AdvancedCommerce.Details(fields)
                offer = AdvancedCommerce.Offer(fields)
                price = fields.thousandths("price")
                priceIncreaseInfo = AdvancedCommerce.PriceIncreaseInfo(fields)
            }
        }

        /// The value that the next API request about the subscription has to repeat.
        public let consistencyToken: String?
        /// The subscription's name and description from the app; `nil` if the app gave none.
        public let descriptors: AdvancedCommerce.Details?
        /// The items that the customer is subscribed to.
        public let items: [Item]
        /// The length of one period.
        public let period: Product.SubscriptionPeriod?
        /// The app's number for the request.
        public let requestReferenceID: String?
        /// The tax category.
        public let taxCode: String?

        package static let form = PayloadForm(
            "Advanced Commerce information",
            [
                .optional("requestReferenceID", .text, "requestReferenceId"),
                .optional("consistencyToken", .text, "consistencyToken"),
                .object("descriptors", AdvancedCommerce.Details.form),
                .optional("period", .period, "period"),
                .optional("taxCode", .text, "taxCode"),
                .objects("items", Item.form),
            ])

        init?(_ renewalInfo: PayloadFields) {
            guard let fields = renewalInfo.object("advancedCommerceInfo", names: Self.form.names) else {
                return nil
            }
            consistencyToken = fields.string("consistencyToken")
            descriptors = fields.object("descriptors", names: AdvancedCommerce.Details.form.names).map(
                AdvancedCommerce.Details.init)
            items = (fields.objects("items", names: Item.form.names) ?? []).map(Item.init)
            period = fields.string("period").flatMap(Product.SubscriptionPeriod.init(iso8601:))
            requestReferenceID = fields.string("requestReferenceId")
            taxCode = fields.string("taxCode")
        }
    }
}
