/// How purchases moved from one original transaction to another, such as into a bundle (`previousOriginalTransactionId`).
struct PurchaseMoves {
    private var previous: [PurchaseChain.ID: PurchaseChain.ID] = [:]
    /// The purchases that name one as the former: payloads may contradict each other, so there may be several.
    private var next: [PurchaseChain.ID: [PurchaseChain.ID]] = [:]

    /// - Complexity: linear in the number of transactions.
    init(_ purchases: [PurchaseChain]) {
        for chain in purchases {
            let moved = chain.transactionsByID.values.lazy.filter { $0.previousOriginalTransactionID != nil }
            guard let first = moved.min(by: { $1.follows($0) }),
                let original = first.previousOriginalTransactionID, original != chain.id.originalTransactionID
            else { continue }
            let id = PurchaseChain.ID(
                originalTransactionID: original, environment: chain.id.environment,
                appBundleID: chain.id.appBundleID)
            previous[chain.id] = id
            next[id, default: []].append(chain.id)
        }
    }

    /// Whether no purchase moved.
    var isEmpty: Bool { next.isEmpty }

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

    /// The purchases to which one moved, in one move or in several; in no order.
    func following(_ id: PurchaseChain.ID) -> Set<PurchaseChain.ID> {
        var (found, rest): (Set<PurchaseChain.ID>, [PurchaseChain.ID]) = ([], [id])
        while let last = rest.popLast() {
            for other in next[last] ?? [] where other != id && found.insert(other).inserted {
                rest.append(other)
            }
        }
        return found
    }
}
