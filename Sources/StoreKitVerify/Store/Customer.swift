#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// How a customer is named.
public enum Customer: Hashable, Sendable {
    /// By the token that the app gave with the purchase, or set later.
    case appAccountToken(UUID)
    /// By the identifier of the app's download, which each Apple Account has for each app.
    case appTransactionID(String)
    /// By one purchase's original transaction; the view is of that purchase.
    case originalTransactionID(UInt64)
}

extension PurchaseChain {
    /// The names under which its customer is known.
    public var customers: [Customer] {
        [.originalTransactionID(id.originalTransactionID)]
            + (appAccountToken.map { [.appAccountToken($0)] } ?? [])
            + (appTransactionID.map { [.appTransactionID($0)] } ?? [])
    }
}
