/// The namespace of StoreKit's types for products.
///
/// There are no values of `Product` itself. A product, with its name and display price, comes from the App
/// Store on a device. It is not in any signed payload.
public enum Product {}

extension Product {
    /// Requests products from the App Store. Unavailable: no signed payload has names and prices for display.
    @available(
        *, unavailable,
        message:
            "Ask the App Store Connect API for products and prices; signed payloads have the identifiers and what was paid."
    )
    public static func products(for identifiers: some Collection<String>) async throws -> [Product] { [] }
}
