/// How purchases moved from one original transaction to another, such as into a bundle (`previousOriginalTransactionId`).
struct PurchaseMoves {
    private var previous: [PurchaseChain.ID: PurchaseChain.ID] = [:]
    private var first: [PurchaseChain.ID: Transaction] = [:]
    private var next: [PurchaseChain.ID: PurchaseChain.ID] = [:]

    init(_ purchases: [PurchaseChain]) {
        for chain in purchases {
            guard
                let transaction = chain.transactions.last(where: { $0.previousOriginalTransactionID != nil }),
                let original = transaction.previousOriginalTransactionID,
                original != chain.id.originalTransactionID
            else { continue }
            let id = PurchaseChain.ID(
                originalTransactionID: original, environment: chain.id.environment,
                appBundleID: chain.id.appBundleID)
            (previous[chain.id], first[chain.id]) = (id, transaction)
            // Payloads may contradict each other: the earliest that goes on counts.
            if let known = next[id].flatMap({ first[$0] }), transaction.follows(known) { continue }
            next[id] = chain.id
        }
    }

    /// The original transaction with which a history began. In a circle it is the lowest.
    func firstOriginal(of id: PurchaseChain.ID) -> UInt64 {
        var (first, seen): (PurchaseChain.ID, Set<PurchaseChain.ID>) = (id, [id])
        while let before = previous[first] {
            guard seen.insert(before).inserted else {
                return seen.map(\.originalTransactionID).min() ?? id.originalTransactionID
            }
            first = before
        }
        return first.originalTransactionID
    }

    /// The purchase to which one moved.
    func next(of id: PurchaseChain.ID) -> PurchaseChain.ID? { next[id] }
}
