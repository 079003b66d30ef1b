internal import Essentials

/// The seats of a subscription that several persons use, in the present period.
public struct SubscriptionSeats: Hashable, Sendable {
    /// The seats that the purchaser bought for the period, also those that were taken back.
    public let purchased: Int
    /// The seats that a refund took back.
    public let revoked: Int
    /// The seats of the next period, as renewal information expects them; `nil` if it says nothing. They may change until
    /// the renewal.
    public let atRenewal: Int?

    /// The seats that the purchaser has.
    public var available: Int { purchased - revoked }
}

extension PurchaseChain {
    /// The seats that the transactions of one period stand for; `nil` if no transaction has seats.
    ///
    /// A refund of some seats leaves the transaction valid and counts them (`revokedSeatQuantity`); a transaction with a
    /// revocation date stands for no seat. Copies of a transaction are one.
    ///
    /// - Parameters:
    ///   - status: the status of the purchase at the instant.
    ///   - instant: the instant.
    func seats(_ status: PurchaseStatus, at instant: Date) -> SubscriptionSeats? {
        let transactions = period(of: status.transaction, at: instant).filter {
            $0.multiSeatInfo != nil && $0.ownershipType == .purchased
                && $0.purchaseDate <= instant + Self.clockTolerance
        }
        guard !transactions.isEmpty else { return nil }
        var (purchased, revoked) = (0, 0)
        var rest = transactions.ordered { $0.id < $1.id }[...]
        while let first = rest.popFirst() {
            // Another device's copy stands for the same seats, and may not know of those that were taken back.
            let copies = [first] + rest.filter { Self.areCopies(first, $0) }
            rest.removeAll { copies.contains($0) }
            // No product has more seats, and sums of these cannot overflow.
            let quantity = min(max(0, first.purchasedQuantity), Int(Int32.max))
            purchased += quantity
            let taken = copies.compactMap { $0.multiSeatInfo?.revokedSeatQuantity }.max() ?? 0
            revoked += isRevoked(first, at: instant) ? quantity : min(quantity, max(0, taken))
        }
        return SubscriptionSeats(
            purchased: purchased, revoked: revoked,
            atRenewal: status.renewalInfo?.renewalQuantity.map { max(0, $0) })
    }
}
