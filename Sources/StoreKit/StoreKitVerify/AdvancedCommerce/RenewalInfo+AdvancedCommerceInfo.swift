public import Essentials
package import WireFormats

extension Product.SubscriptionInfo.RenewalInfo {
    /// The items of a subscription through the Advanced Commerce API.
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// An item that the customer is subscribed to.
        public struct Item: Hashable, Sendable {
            /// The item's name and number.
            public let details: AdvancedCommerce.Details
            /// The offer at the next renewal; `nil` without an offer.
            public let offer: AdvancedCommerce.Offer?
            /// The price at the next renewal, in units of the currency.
            public let price: Decimal?
            /// The coming change of the item's price.
            public let priceIncreaseInfo: AdvancedCommerce.PriceIncreaseInfo?

            package static let form = PayloadForm("item", Item.init)

            init(_ properties: inout PayloadProperties) {
                details = properties.group("details", AdvancedCommerce.Details.init)
                offer = properties.object("offer", AdvancedCommerce.Offer.form, AdvancedCommerce.Offer.init)
                price = properties.optional("price", .thousandths, "price")
                priceIncreaseInfo = properties.object(
                    "priceIncreaseInfo", AdvancedCommerce.PriceIncreaseInfo.form,
                    AdvancedCommerce.PriceIncreaseInfo.init)
            }
        }

        /// The value that the next API request about the subscription has to repeat.
        public let consistencyToken: String?
        /// The subscription's name and description from the app; `nil` if the app did not give them.
        public let descriptors: AdvancedCommerce.Details?
        /// The items that the customer is subscribed to.
        public let items: [Item]
        /// The length of one period.
        public let period: Product.SubscriptionPeriod?
        /// The app's number for the request.
        public let requestReferenceID: String?
        /// The tax category.
        public let taxCode: String?

        package static let form = PayloadForm("Advanced Commerce information", AdvancedCommerceInfo.init)

        init(_ properties: inout PayloadProperties) {
            requestReferenceID = properties.optional("requestReferenceID", .text, "requestReferenceId")
            consistencyToken = properties.optional("consistencyToken", .text, "consistencyToken")
            descriptors = properties.object(
                "descriptors", AdvancedCommerce.Details.form, AdvancedCommerce.Details.init)
            period = properties.optional("period", .period, "period")
            taxCode = properties.optional("taxCode", .text, "taxCode")
            items = properties.objects("items", Item.form, Item.init)
        }
    }
}
