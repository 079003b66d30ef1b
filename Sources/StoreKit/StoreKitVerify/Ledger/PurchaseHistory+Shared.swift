/// Purchases that have a transaction in common.
///
/// `transactionId` is unique in an app and environment. So a transaction that was signed under two original transactions is
/// one, and a refund under the second one takes back what the first one gave.
extension [PurchaseChain] {
    /// These purchases, those that have a transaction in common as one.
    ///
    /// - Parameter isOriginal: whether a transaction is the original one of a purchase.
    func joiningShared(_ isOriginal: (UInt64) -> Bool) -> [PurchaseChain] {
        guard count > 1, hasShared(isOriginal) else { return self }
        var groups = DisjointSets(count)
        var owners: [PurchaseChain.ID: Int] = [:]
        for (place, chain) in enumerated() {
            for transaction in chain.transactionsByID.keys {
                let key = PurchaseChain.ID(
                    originalTransactionID: transaction, environment: chain.id.environment,
                    appBundleID: chain.id.appBundleID)
                if let other = owners[key] { groups.unite(other, place) } else { owners[key] = place }
            }
        }
        let members = Dictionary(grouping: indices) { groups.set(of: $0) }
        return members.values.map { joined($0.map { self[$0] }) }
    }

    /// Whether there may be such purchases. Most transactions are the original ones of their purchases, and cost nothing here.
    private func hasShared(_ isOriginal: (UInt64) -> Bool) -> Bool {
        let others = flatMap { chain in
            chain.transactionsByID.keys.filter { $0 != chain.id.originalTransactionID }
        }
        if others.contains(where: isOriginal) { return true }
        let sorted = others.sorted()
        return zip(sorted, sorted.dropFirst()).contains { $0 == $1 }
    }

    /// One purchase of several, under the original transaction of the one whose shared transaction was signed last.
    private func joined(_ chains: [PurchaseChain]) -> PurchaseChain {
        guard chains.count > 1 else { return chains[0] }
        var counts: [UInt64: Int] = [:]
        for chain in chains {
            for transaction in chain.transactionsByID.keys { counts[transaction, default: 0] += 1 }
        }
        var last: (signed: Transaction, place: Int)?
        for (place, chain) in chains.enumerated() {
            for transaction in chain.transactionsByID.values where counts[transaction.id, default: 0] > 1 {
                if let last, last.signed.isLater(than: transaction) { continue }
                last = (transaction, place)
            }
        }
        var joined = chains[last?.place ?? 0]
        for place in chains.indices where place != last?.place ?? 0 { joined.join(chains[place]) }
        return joined
    }
}
