/// The home of StoreKit's types around products. A product itself, with its name and price for display, comes
/// from a device's App Store, and signed payloads hold none.
public enum Product {}
