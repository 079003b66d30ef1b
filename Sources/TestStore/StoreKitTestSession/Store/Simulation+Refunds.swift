package import StoreKitVerify

/// Refunds: asked for, granted, declined and reversed.
extension Simulation {
    /// The customer asks for a refund, and the App Store asks the app's server how far the purchase was used.
    package mutating func requestRefund(
        of place: TransactionPlace, reason: ConsumptionRequestReason
    ) throws(StoreRefusal) {
        try checkCanBeRefunded(place)
        try notify(.consumptionRequest, transaction: place, consumptionRequestReason: reason)
    }

    /// Pays the price back, or a part of it.
    ///
    /// - Parameter percentage: the part, in thousandths of a percent: 100,000 is all of it.
    package mutating func refund(
        _ place: TransactionPlace, reason: Transaction.RevocationReason = .other, percentage: Int = 100_000
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
        if let index = purchases[place].subscription { try unclaimLostSeats(index) }
    }

    /// Declines to pay the price back.
    package mutating func declineRefund(of place: TransactionPlace) throws(StoreRefusal) {
        try checkCanBeRefunded(place)
        try notify(.refundDeclined, transaction: place)
    }

    /// Takes a refund back, after the customer disputed it. The renewal date stays as it was.
    mutating func reverseRefund(of place: TransactionPlace) throws(StoreRefusal) {
        guard let revocation = purchases[place].revocation, revocation.percentage != nil else {
            throw .notAllowed("transaction \(purchases[place].id) was not refunded")
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
    mutating func restore(_ place: TransactionPlace) {
        purchases[place].revocation = nil
        purchases[place].modificationDate = now
        guard let index = purchases[place].subscription, purchases[index].period.contains(place) else {
            return
        }
        stand(index)
        guard let before = purchases[index].beforeRevocation else { return }
        purchases[index].beforeRevocation = nil
        guard before.phase != .active || purchases[place].expiresDate ?? .max > now else {
            purchases[index].phase = .expired(.unknown)
            return
        }
        purchases[index].phase = before.phase
        purchases[index].willRenew = before.willRenew
        purchases.schedule(index)
    }

    /// Marks a transaction as revoked, and ends the subscription whose present period it pays for.
    ///
    /// A refund of an earlier period leaves the subscription as it is, and so does one of several transactions of the
    /// present period. A subscription that has expired is revoked if its last period is refunded: Apple's page "status" says
    /// of 5 that the transaction was refunded.
    mutating func revoke(_ place: TransactionPlace, _ revocation: TransactionRecord.Revocation) {
        purchases[place].revocation = revocation
        purchases[place].modificationDate = now
        guard let index = purchases[place].subscription, purchases[index].period.contains(place) else {
            return
        }
        stand(index)
        // If a transaction that is revoked stands for the period, all are.
        guard purchases[index].phase != .revoked,
            purchases[purchases[index].latest].revocation != nil
        else { return }
        purchases[index].beforeRevocation = (purchases[index].phase, purchases[index].willRenew)
        purchases[index].phase = .revoked
        purchases[index].willRenew = false
        purchases.schedule(index)
    }

    /// Has the first transaction of the period that is not revoked stand for it; if all are, the one that was revoked last.
    private mutating func stand(_ index: SubscriptionPlace) {
        let period = purchases[index].period
        let last = period.max { left, right in
            (purchases[left].revocation?.date ?? .max) < (purchases[right].revocation?.date ?? .max)
        }
        guard let place = period.first(where: { purchases[$0].revocation == nil }) ?? last else { return }
        purchases[index].latest = place
    }

    /// Apple refunds a purchase once. The family's part ends with the buyer's refund.
    private func checkCanBeRefunded(_ place: TransactionPlace) throws(StoreRefusal) {
        guard purchases[place].revocation == nil else {
            throw .notAllowed("transaction \(purchases[place].id) was refunded or revoked already")
        }
        guard !purchases[place].isFamilyShared else {
            throw .notAllowed(
                "the family shares the purchase with the customer: only its buyer gets a refund")
        }
    }
}
