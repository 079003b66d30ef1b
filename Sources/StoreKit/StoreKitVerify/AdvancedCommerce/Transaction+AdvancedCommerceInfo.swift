public import Essentials
package import WireFormats

extension Transaction {
    /// The items and taxes of a purchase through the Advanced Commerce API.
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// An item that the customer bought.
        public struct Item: Hashable, Sendable {
            /// The item's name and number.
            public let details: AdvancedCommerce.Details
            /// The offer that the customer used; `nil` without an offer.
            public let offer: AdvancedCommerce.Offer?
            /// The paid price, in units of the transaction's currency.
            public let price: Decimal?
            /// The refunds of this item alone; empty if it was not refunded.
            public let refunds: [AdvancedCommerce.Refund]
            /// When the App Store revoked the item.
            public let revocationDate: Date?

            package static let form = PayloadForm("item", Item.init)

            init(_ properties: inout PayloadProperties) {
                details = properties.group("details", AdvancedCommerce.Details.init)
                offer = properties.object("offer", AdvancedCommerce.Offer.form, AdvancedCommerce.Offer.init)
                price = properties.optional("price", .thousandths, "price")
                refunds = properties.objects(
                    "refunds", AdvancedCommerce.Refund.form, AdvancedCommerce.Refund.init)
                revocationDate = properties.optional("revocationDate", .revocation, "revocationDate")
            }
        }

        /// The purchase's name and description from the app; `nil` if the app did not give them.
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

        package static let form = PayloadForm("Advanced Commerce information", AdvancedCommerceInfo.init)

        init(_ properties: inout PayloadProperties) {
            requestReferenceID = properties.optional("requestReferenceID", .text, "requestReferenceId")
            descriptors = properties.object(
                "descriptors", AdvancedCommerce.Details.form, AdvancedCommerce.Details.init)
            period = properties.optional("period", .period, "period")
            taxCode = properties.optional("taxCode", .text, "taxCode")
            taxRate = properties.optional("taxRate", .decimal, "taxRate")
            taxExclusivePrice = properties.optional("taxExclusivePrice", .thousandths, "taxExclusivePrice")
            estimatedTax = properties.optional("estimatedTax", .thousandths, "estimatedTax")
            items = properties.objects("items", Item.form, Item.init)
        }
    }
}
