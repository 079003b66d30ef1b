extension Product {
    /// The kind of a product.
    ///
    /// A value that has no name here is kept as it is.
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        /// The value as the payload has it.
        public let rawValue: String

        /// Any value.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Used up, and bought again.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// Bought once.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// A subscription that ends.
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        /// A subscription that goes on until it is cancelled.
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")
    }
}
