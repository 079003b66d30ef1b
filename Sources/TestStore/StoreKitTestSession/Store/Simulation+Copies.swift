internal import StoreKitVerify

/// Purchases on other devices.
extension Simulation {
    /// Has another device restore a purchase: the App Store gives it the same purchase under another identifier.
    ///
    /// Nothing is charged, and no notification tells of it: the device has the transaction. A subscription's copy has the same
    /// `webOrderLineItemId` and dates; that of another product has the date on which it was restored.
    mutating func restoreElsewhere(_ place: TransactionPlace) throws(StoreRefusal) {
        let transaction = purchases[place]
        switch transaction.product.type {
        case .consumable, .nonRenewable:
            throw .notAllowed("\"\(transaction.product.id)\" cannot be restored: only what lasts can")
        default: break
        }
        guard transaction.revocation == nil else {
            throw .notAllowed("transaction \(transaction.id) was refunded or revoked")
        }
        let copy = RestoredCopy(
            id: purchases.addCopy(of: place), date: transaction.subscription == nil ? now : nil)
        guard output.tellsAll else { return }
        beginSigning()
        output.add(.transaction(try transactionToken(place, as: copy)))
    }
}
