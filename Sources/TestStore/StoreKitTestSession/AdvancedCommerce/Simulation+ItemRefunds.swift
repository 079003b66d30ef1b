internal import StoreKitVerify

/// Refunds of items, and of their seats.
extension Simulation {
    /// Whether a transaction stands for the present period of a subscription that has not ended.
    package func isPresent(_ place: TransactionPlace) -> Bool {
        guard let index = purchases[place].subscription else { return false }
        return purchases[index].latest == place && !purchases[index].isEnded
    }

    /// Pays an item back in full, and takes it away.
    ///
    /// - Parameter sku: `nil` for the first item that is left.
    mutating func refundItem(_ sku: String?, of place: TransactionPlace) throws(StoreRefusal) {
        let transaction = purchases[place]
        guard let terms = purchases.terms(ofTransaction: place), transaction.revocation == nil else {
            throw .notAllowed("transaction \(transaction.id) has no items that could be refunded")
        }
        let refunded = Set(transaction.itemRefunds.map(\.sku))
        let left = terms.present.items.filter { !refunded.contains($0.sku) }
        guard let item = left.first(where: { $0.sku == sku ?? $0.sku }) else {
            throw .notAllowed("transaction \(transaction.id) has no such item, or it was refunded already")
        }
        guard left.count > 1 || transaction.subscription == nil else {
            throw .notAllowed("it is the last item of the subscription: refund pays the whole back")
        }
        let refund = ItemRefund(
            sku: item.sku, amount: ItemRefund.amount(item.charge, refundedShare(of: place, "FULL")),
            date: now,
            reason: "UNSATISFIED_WITH_PURCHASE", type: "FULL", revokes: true)
        try self.refund([refund], of: place)
    }

    /// Takes back some seats of the present period, from the transaction that was added last on, and tells of it in the
    /// refunds of the items.
    ///
    /// - Parameters:
    ///   - count: less than the seats that there are.
    ///   - reason, type: Apple's names.
    package mutating func revokeSeats(
        _ count: Int, of index: SubscriptionPlace, _ reason: String, _ type: String
    ) throws(StoreRefusal) {
        var left = count
        for place in purchases[index].period.reversed() where left > 0 {
            let taken = min(left, purchases[place].seatsLeft ?? 0)
            guard taken > 0, purchases[place].revocation == nil else { continue }
            refundItems(of: place, taken, refundedShare(of: place, type), reason, type, revokes: false)
            left -= taken
            try refundSeats(place, taken)
        }
    }

    /// Notes a refund of all items of a transaction.
    ///
    /// - Parameters:
    ///   - seats: how many are paid back; `nil` for an item of one person.
    ///   - share: the part that is paid back, in thousandths of a percent.
    ///   - reason, type: Apple's names.
    package mutating func refundItems(
        of place: TransactionPlace, _ seats: Int?, _ share: Int, _ reason: String, _ type: String,
        revokes: Bool
    ) {
        for item in purchases.terms(ofTransaction: place)?.present.items ?? [] {
            let price = min(item.charge, SeatSale.highestPrice) * (seats ?? 1)
            purchases[place].itemRefunds.append(
                ItemRefund(
                    sku: item.sku, amount: ItemRefund.amount(price, share), date: now, reason: reason,
                    type: type, revokes: revokes, seats: revokes ? nil : seats))
        }
    }

    /// The part of a price that a refund of a type pays back, in thousandths of a percent.
    package func refundedShare(of place: TransactionPlace, _ type: String) -> Int {
        type == "FULL" ? 100_000 : unusedShare(of: place)
    }

    /// The part of a transaction's period that is still to come, in thousandths of a percent.
    package func unusedShare(of place: TransactionPlace) -> Int {
        unusedShare(from: purchases[place].purchaseDate, to: purchases[place].expiresDate)
    }

    /// The part of a period that is still to come, in thousandths of a percent.
    func unusedShare(from start: Int, to end: Int?) -> Int {
        guard let end, start < end else { return 0 }
        let rest = min(max(0, end - now), end - start)
        return Int((Double(rest) / Double(end - start) * 100_000).rounded(.down))
    }
}
