#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// How a server names a customer.
public enum Customer: Hashable, Sendable {
    /// By the token that the app gave with the purchase, or that the server set later.
    case appAccountToken(UUID)
    /// By the identifier of the app's download. Each Apple Account has its own for each app.
    case appTransactionID(String)
    /// By the original transaction of one purchase. The customer's history is then that purchase alone.
    case originalTransactionID(UInt64)
}

extension PurchaseChain {
    /// All names of the purchase's customer.
    public var customers: [Customer] {
        [.originalTransactionID(id.originalTransactionID)]
            + (appAccountToken.map { [.appAccountToken($0)] } ?? [])
            + (appTransactionID.map { [.appTransactionID($0)] } ?? [])
    }
}
