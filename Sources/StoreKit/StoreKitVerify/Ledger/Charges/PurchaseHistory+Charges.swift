internal import Essentials

/// What the customers of a history paid, and what they got back.
extension PurchaseHistory {
    /// The charges and refunds of these purchases, earliest first.
    ///
    /// The rules are in <doc:WhatWasPaid>. Copies of a purchase for other devices, and what the family shares or an organization
    /// has assigned, are no charges. The time is linear in the number of transactions, but for the order.
    public var charges: [Charge] { chargesAndCopies.charges }

    /// The charges, and how many copies are left out of them.
    package var chargesAndCopies: (charges: [Charge], copies: Int) {
        let purchases = purchases
        let moves = PurchaseMoves(purchases)
        let paid = purchases.flatMap { $0.paidPurchases(moves) }
        return (
            paid.flatMap(\.charges).ordered { $0.precedes($1) },
            paid.reduce(0) { $0 + $1.copies.count - 1 }
        )
    }
}

extension PurchaseChain {
    /// What the customer paid for, earliest first.
    func paidPurchases(_ moves: PurchaseMoves) -> [PaidPurchase] {
        let paid = paid
        guard !paid.isEmpty else { return [] }
        let (customers, firstOriginal) = (customers, moves.firstOriginal(of: id))
        // The next one that does not stand for the same period: added seats replace nothing.
        var next = [Int](repeating: paid.count, count: paid.count)
        for place in paid.indices.dropLast().reversed() {
            let isSame = Self.areOfOnePeriod(paid[place].first, paid[place + 1].first)
            next[place] = isSame ? next[place + 1] : place + 1
        }
        var successors = [Int?](repeating: nil, count: paid.count)
        var predecessors = successors
        for (place, purchase) in paid.enumerated() {
            let following = next[place]
            guard following < paid.count, purchase.isReplaced(by: paid[following].first) else { continue }
            successors[place] = following
            predecessors[following] = predecessors[following] ?? place
        }
        return paid.indices.map { place in
            PaidPurchase(
                id: id, firstOriginal: firstOriginal, customers: customers, transaction: paid[place].first,
                copies: paid[place].copies, successor: successors[place].map { paid[$0].first },
                predecessor: predecessors[place].map { paid[$0].first.id },
                isLaterPeriod: place > 0 && next[place - 1] == place
                    && paid[place].first.productType == .autoRenewable)
        }
    }
}
