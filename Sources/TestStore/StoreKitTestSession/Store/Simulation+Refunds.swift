package import StoreKitVerify

/// Refunds: asked for, granted, declined and reversed.
extension Simulation {
    /// The customer asks for a refund, and the App Store asks the app's server how far the purchase was used.
    package mutating func requestRefund(
        of place: Int, reason: ConsumptionRequestReason
    ) throws(StoreRefusal) {
        try checkCanBeRefunded(place)
        try notify(.consumptionRequest, transaction: place, consumptionRequestReason: reason)
    }

    /// Pays the price back, or a part of it.
    ///
    /// - Parameter percentage: the part, in thousandths of a percent: 100,000 is all of it.
    package mutating func refund(
        _ place: Int, reason: Transaction.RevocationReason = .other, percentage: Int = 100_000
    ) throws(StoreRefusal) {
        try checkCanBeRefunded(place)
        guard (1...100_000).contains(percentage) else {
            throw .notAllowed("a refund is more than nothing, and at most the whole price")
        }
        revoke(
            place,
            .init(
                date: now, reason: reason, type: percentage == 100_000 ? .fullRefund : .proratedRefund,
                percentage: percentage))
        try notify(.refund, transaction: place)
        try revokeFromFamily(place, reason)
        if let index = transactions[place].subscription { try unclaimLostSeats(index) }
    }

    /// Declines to pay the price back.
    package mutating func declineRefund(of place: Int) throws(StoreRefusal) {
        try checkCanBeRefunded(place)
        try notify(.refundDeclined, transaction: place)
    }

    /// Takes a refund back, after the customer disputed it. The renewal date stays as it was.
    mutating func reverseRefund(of place: Int) throws(StoreRefusal) {
        guard let revocation = transactions[place].revocation, revocation.percentage != nil else {
            throw .notAllowed("transaction \(transactions[place].id) was not refunded")
        }
        restore(place)
        try notify(.refundReversed, transaction: place)
        try restoreToFamily(place)
        // The end of a grace period that has passed meanwhile.
        try advance(to: now)
    }

    /// Takes a revocation back.
    ///
    /// A subscription whose period has ended meanwhile stays ended: nothing was charged for the time since, and its
    /// renewal date stays (Apple, `REFUND_REVERSED`).
    mutating func restore(_ place: Int) {
        transactions[place].revocation = nil
        transactions[place].modificationDate = now
        guard let index = transactions[place].subscription, subscriptions[index].period.contains(place) else {
            return
        }
        stand(index)
        guard let before = subscriptions[index].beforeRevocation else { return }
        subscriptions[index].beforeRevocation = nil
        guard before.phase != .active || transactions[place].expiresDate ?? .max > now else {
            subscriptions[index].phase = .expired(.unknown)
            return
        }
        subscriptions[index].phase = before.phase
        subscriptions[index].willRenew = before.willRenew
        schedule(index)
    }

    /// Marks a transaction as revoked, and ends the subscription whose present period it pays for.
    ///
    /// A refund of an earlier period leaves the subscription as it is, and so does one of several transactions of the
    /// present period. A subscription that has expired is revoked if its last period is refunded: Apple's page "status" says
    /// of 5 that the transaction was refunded.
    mutating func revoke(_ place: Int, _ revocation: TransactionRecord.Revocation) {
        transactions[place].revocation = revocation
        transactions[place].modificationDate = now
        guard let index = transactions[place].subscription, subscriptions[index].period.contains(place) else {
            return
        }
        stand(index)
        // If a transaction that is revoked stands for the period, all are.
        guard subscriptions[index].phase != .revoked,
            transactions[subscriptions[index].latest].revocation != nil
        else { return }
        subscriptions[index].beforeRevocation = (subscriptions[index].phase, subscriptions[index].willRenew)
        subscriptions[index].phase = .revoked
        subscriptions[index].willRenew = false
        schedule(index)
    }

    /// Has the first transaction of the period that is not revoked stand for it; if all are, the one that was revoked last.
    private mutating func stand(_ index: Int) {
        let period = subscriptions[index].period
        let last = period.max { left, right in
            (transactions[left].revocation?.date ?? .max) < (transactions[right].revocation?.date ?? .max)
        }
        guard let place = period.first(where: { transactions[$0].revocation == nil }) ?? last else { return }
        subscriptions[index].latest = place
    }

    /// Apple refunds a purchase once. The family's part ends with the buyer's refund.
    private func checkCanBeRefunded(_ place: Int) throws(StoreRefusal) {
        guard transactions[place].revocation == nil else {
            throw .notAllowed("transaction \(transactions[place].id) was refunded or revoked already")
        }
        guard !transactions[place].isFamilyShared else {
            throw .notAllowed(
                "the family shares the purchase with the customer: only its buyer gets a refund")
        }
    }
}
