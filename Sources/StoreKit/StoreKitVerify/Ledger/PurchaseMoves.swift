/// How purchases moved from one original transaction to another, such as into a bundle (`previousOriginalTransactionId`).
struct PurchaseMoves {
    private var previous: [PurchaseChain.ID: PurchaseChain.ID] = [:]
    /// The purchases that name one as the former: payloads may contradict each other, so there may be several.
    private var next: [PurchaseChain.ID: [PurchaseChain.ID]] = [:]

    /// - Complexity: linear in the number of purchases, and in the transactions of those that moved.
    init(_ purchases: [PurchaseChain]) {
        for chain in purchases where !chain.otherOriginals.isEmpty {
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

    /// Whether a purchase moved from another one or to one.
    func concern(_ id: PurchaseChain.ID) -> Bool { previous[id] != nil || next[id] != nil }

    /// The purchases that one moved from and to, itself among them; in no order.
    func history(of id: PurchaseChain.ID) -> Set<PurchaseChain.ID> {
        var (found, rest): (Set<PurchaseChain.ID>, [PurchaseChain.ID]) = ([id], [id])
        while let last = rest.popLast() {
            for other in (next[last] ?? []) + [previous[last]].compactMap(\.self)
            where found.insert(other).inserted {
                rest.append(other)
            }
        }
        return found
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

extension [PurchaseChain] {
    /// These purchases, those that moved with the names of their whole history: the customer who has it now has had it before. The
    /// purchase that was paid for last decides, and former ones on names that it lacks.
    func namingMoved() -> [PurchaseChain] {
        let moves = PurchaseMoves(self)
        guard !moves.isEmpty else { return self }
        let places = Dictionary(enumerated().map { ($1.id, $0) }) { first, _ in first }
        var (chains, named): ([PurchaseChain], Set<PurchaseChain.ID>) = (self, [])
        for chain in self where moves.concern(chain.id) && !named.contains(chain.id) {
            let history = moves.history(of: chain.id)
            named.formUnion(history)
            let known = history.compactMap { places[$0] }
            guard known.count > 1 else { continue }
            let latestFirst = known.ordered { self[$0].isPaidAfter(self[$1]) }
            let names = latestFirst.reduce(into: PurchaseNames()) { $0.complete(with: self[$1].names) }
            for place in known { chains[place].takeNames(ofHistory: names) }
        }
        return chains
    }
}

extension PurchaseChain {
    fileprivate func isPaidAfter(_ other: PurchaseChain) -> Bool {
        guard let own = latest, let others = other.latest else { return latest != nil }
        return own.follows(others)
    }
}
