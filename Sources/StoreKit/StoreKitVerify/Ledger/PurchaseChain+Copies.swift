/// Which transactions are one purchase.
///
/// The App Store signs a purchase that was restored on another device with an identifier of its own: the copy has the same
/// `webOrderLineItemId` (subscriptions), or the same original transaction (non-consumables). The customer paid once.
extension PurchaseChain {
    /// Whether two transactions are copies of one purchase.
    ///
    /// A renewal may have the `webOrderLineItemId` of an earlier period, and is a purchase of its own: the periods of copies
    /// overlap. Added seats are paid for beside the others of the period.
    package static func areCopies(_ one: Transaction, _ other: Transaction) -> Bool {
        if one.id == other.id { return true }
        if one.productType == .nonConsumable { return other.productType == .nonConsumable }
        guard let order = one.webOrderLineItemID, !order.isEmpty, order == other.webOrderLineItemID else {
            return false
        }
        let areSeatsAdded = (one.additionalTransactionReason ?? other.additionalTransactionReason) != nil
        if areSeatsAdded, one.purchaseDate != other.purchaseDate { return false }
        return one.begins(beforeEndOf: other) && other.begins(beforeEndOf: one)
    }

    /// The transactions that the customer paid for, earliest first, each with its copies.
    ///
    /// What the family shares, or an organization has assigned, was paid for by somebody else: those transactions repeat the
    /// buyer's numbers. The time is linear, but for copies of one `webOrderLineItemId`.
    var paid: [PaidTransaction] {
        var paid: [PaidTransaction] = []
        var places: [String: [Int]] = [:]
        for transaction in transactions.reversed() where transaction.isOwners {
            // Without an identifier in common there is no copy.
            let key = transaction.productType == .nonConsumable ? "" : transaction.webOrderLineItemID ?? ""
            let isAlone = key.isEmpty && transaction.productType != .nonConsumable
            let known = isAlone ? nil : places[key]?.first { Self.areCopies(paid[$0].first, transaction) }
            if let known {
                paid[known].copies.append(transaction)
            } else {
                if !isAlone { places[key, default: []].append(paid.count) }
                paid.append(PaidTransaction(first: transaction, copies: [transaction]))
            }
        }
        return paid
    }
}

/// A transaction that the customer paid for, with its copies.
struct PaidTransaction {
    /// The earliest of the copies.
    @Boxed var first: Transaction
    var copies: [Transaction]

    /// Whether another transaction, the next one of the purchase, has cut off the period: the customer upgraded.
    ///
    /// The App Store signs the first one again for that, maybe with a refund of what was left, but the server may know it as it
    /// was before. Then another product shows the upgrade, unless a refund had ended the period.
    func isReplaced(by next: Transaction) -> Bool {
        guard let end = first.expirationDate, first.purchaseDate <= next.purchaseDate, next.purchaseDate < end
        else {
            return false
        }
        if copies.contains(where: \.isUpgraded) { return true }
        return next.productID != first.productID
            && copies.compactMap(\.revocationDate).allSatisfy { next.purchaseDate < $0 }
    }
}

extension Transaction {
    fileprivate func begins(beforeEndOf other: Transaction) -> Bool {
        other.expirationDate.map { purchaseDate < $0 } ?? true
    }

    /// Whether the customer has bought the product: neither the family shares it, nor an organization or a group has assigned it.
    var isOwners: Bool { ownershipType != .familyShared && ownershipType != .assigned }
}
