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
        let period = Set(
            period(of: status.transaction, at: instant).lazy.filter {
                $0.multiSeatInfo != nil && $0.ownershipType == .purchased
                    && $0.purchaseDate <= instant + Self.clockTolerance
            }.map(\.id))
        guard !period.isEmpty else { return nil }
        var (purchased, revoked) = (0, 0)
        for paid in paid where paid.copies.contains(where: { period.contains($0.id) }) {
            // No product has more seats, and sums of these cannot overflow.
            let quantity = min(max(0, paid.first.purchasedQuantity), Int(Int32.max))
            purchased += quantity
            // Another device's copy may not know of seats that were taken back.
            let taken = paid.copies.compactMap { $0.multiSeatInfo?.revokedSeatQuantity }.max() ?? 0
            revoked += isRevoked(paid.first, at: instant) ? quantity : min(quantity, max(0, taken))
        }
        return SubscriptionSeats(
            purchased: purchased, revoked: revoked,
            atRenewal: status.renewalInfo?.renewalQuantity.map { max(0, $0) })
    }
}
