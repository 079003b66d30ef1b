public import Essentials

extension Product.SubscriptionInfo {
    /// A subscription in a bundle, which is a product of several subscriptions.
    public struct BundledSubscription: Hashable, Identifiable, Sendable {
        /// The product's identifier.
        public let id: String
        /// The name, in the language of the storefront's customer.
        public let displayName: String
        /// The description, in the language of the storefront's customer.
        public let description: String
        /// The price outside the bundle, in the storefront's currency.
        public let price: Decimal
        /// The price as text, with the currency.
        public let displayPrice: String
        /// Whether a family can share the product.
        public let isFamilyShareable: Bool
        /// The identifier of the subscription group.
        public let subscriptionGroupID: String

        /// Makes a value, for a `SimulatedAppStore`.
        ///
        /// - Parameters:
        ///   - id: the product's identifier.
        ///   - displayName: the name for people.
        ///   - description: the description for people.
        ///   - price: the price outside the bundle, in the storefront's currency.
        ///   - displayPrice: the price as text, with the currency.
        ///   - isFamilyShareable: whether a family can share the product.
        ///   - subscriptionGroupID: the identifier of the subscription group.
        public init(
            id: String, displayName: String, description: String, price: Decimal, displayPrice: String,
            isFamilyShareable: Bool, subscriptionGroupID: String
        ) {
            self.id = id
            self.displayName = displayName
            self.description = description
            self.price = price
            self.displayPrice = displayPrice
            self.isFamilyShareable = isFamilyShareable
            self.subscriptionGroupID = subscriptionGroupID
        }
    }
}
