extension Product {
    /// The kind of product.
    ///
    /// An unknown value is kept unchanged.
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        /// The value, as the payload gives it.
        public let rawValue: String

        /// Makes a value from its raw form, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A product that the customer uses up and can buy again.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// A product that the customer buys once and keeps.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// A subscription that ends and does not renew.
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        /// A subscription that renews until the customer cancels it.
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")
    }
}
