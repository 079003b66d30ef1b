public import Essentials

/// A product that an app sells (StoreKit's `Product`).
///
/// No signed payload has a product's name and price for display, so a server has no values of this type. A `SimulatedAppStore` makes
/// them: the test App Store of the module StoreKitTestSession does, of a `.storekit` file.
public struct Product: Hashable, Identifiable, Sendable {
    /// The product's identifier.
    public let id: String
    /// The kind of product.
    public let type: ProductType
    /// The name, in the language of the storefront's customer.
    public let displayName: String
    /// The description, in the language of the storefront's customer.
    public let description: String
    /// The price, in the storefront's currency.
    public let price: Decimal
    /// The price as text, with the currency.
    public let displayPrice: String
    /// Whether a family can share the product.
    public let isFamilyShareable: Bool
    /// Whether the subscription is sold for several people at once.
    public let supportsMultiSeatPurchase: Bool
    /// The group, the period and the offers of an auto-renewable subscription; `nil` for other products.
    public let subscription: SubscriptionInfo?
    /// The App Store's own description of the product, in JSON.
    public let jsonRepresentation: Data

    /// Makes a product, for a `SimulatedAppStore`.
    ///
    /// - Parameters:
    ///   - id: the product's identifier.
    ///   - type: the kind of product.
    ///   - displayName: the name for people.
    ///   - description: the description for people.
    ///   - price: the price, in the storefront's currency.
    ///   - displayPrice: the price as text, with the currency.
    ///   - isFamilyShareable: whether a family can share the product.
    ///   - supportsMultiSeatPurchase: whether the subscription is sold for several people at once.
    ///   - subscription: the group, the period and the offers of an auto-renewable subscription.
    ///   - jsonRepresentation: the App Store's own description of the product.
    public init(
        id: String, type: ProductType, displayName: String, description: String, price: Decimal,
        displayPrice: String, isFamilyShareable: Bool, supportsMultiSeatPurchase: Bool = false,
        subscription: SubscriptionInfo?, jsonRepresentation: Data
    ) {
        self.id = id
        self.type = type
        self.displayName = displayName
        self.description = description
        self.price = price
        self.displayPrice = displayPrice
        self.isFamilyShareable = isFamilyShareable
        self.supportsMultiSeatPurchase = supportsMultiSeatPurchase
        self.subscription = subscription
        self.jsonRepresentation = jsonRepresentation
    }
}

extension Product: CustomDebugStringConvertible {
    /// The JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

extension Product {
    /// Requests products from the scope's simulated App Store; see `CustomerScope.appStore`. Identifiers that the App
    /// Store does not know are left out.
    ///
    /// - Throws: `NoAppStoreError` outside of such a scope, or that App Store's error.
    public static func products(for identifiers: some Collection<String>) async throws -> [Product] {
        try await CustomerScope.openAppStore("Product.products(for:)").products(for: Array(identifiers))
    }

    /// Buys the product for the scope's customer; see `CustomerScope.appStore`.
    ///
    /// - Throws: `NoAppStoreError` outside of such a scope, `PurchaseError`, or `StoreKitError`.
    public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
        try await CustomerScope.openAppStore("Product.purchase(options:)").purchase(id, options: options)
    }

    /// The latest transaction of the scope's customer for the product; `nil` if the customer did not buy it.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await Transaction.latest(for: id) }
    }

    /// The transactions that entitle the scope's customer to the product.
    public var currentEntitlements: Transaction.Transactions { Transaction.currentEntitlements(for: id) }
}
