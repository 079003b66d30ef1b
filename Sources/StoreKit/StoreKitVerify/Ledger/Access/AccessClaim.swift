package import Essentials

/// The access to its product that a transaction gives by itself, for a reader who has no other payload of the purchase.
///
/// The ledger's rules decide, as if the purchase had this transaction alone.
package enum AccessClaim: Hashable, Sendable {
    /// `nil`: without an end.
    case granted(until: Date?)
    /// A subscription that does not renew. Only the app knows its end.
    case grantedForATime
    /// It was refunded or revoked, on this date.
    case takenBack(Date)
    /// An upgrade took its place.
    case replaced

    /// - Parameter json: the payload of a transaction, verified or not.
    /// - Returns: `nil` for a consumable, and for a payload without the members that a transaction must have.
    package init?(transaction json: [UInt8]) {
        let content = SignedContent(json: json)
        guard var properties = try? PayloadProperties(content, Transaction.form),
            let transaction = try? Transaction(content, &properties)
        else { return nil }
        var chain = PurchaseChain(id: transaction.chainID)
        _ = chain.add(transaction)
        if let date = chain.revocation(of: transaction, at: .distantFuture) {
            self = .takenBack(date)
        } else if chain.isSuperseded(transaction, at: .distantFuture) {
            self = .replaced
        } else if transaction.productType == .nonRenewable {
            self = .grantedForATime
        } else if chain.status(at: transaction.purchaseDate)?.isEntitled ?? false {
            self = .granted(until: transaction.expirationDate)
        } else {
            return nil
        }
    }
}
