/// The namespace of StoreKit's types for products.
///
/// There are no values of `Product` itself. A product, with its name and display price, comes from the App
/// Store on a device. It is not in any signed payload.
public enum Product {}
