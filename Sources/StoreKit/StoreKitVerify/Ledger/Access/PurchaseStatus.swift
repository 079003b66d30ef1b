public import Essentials

/// The rights that a purchase gives its customer at an instant.
public struct PurchaseStatus: Hashable, Sendable {
    /// The purchase, with the environment that all of its payloads give: a payload of before 2022 names none.
    public var purchase: PurchaseChain.ID { identity }
    /// The latest transaction of the purchase that stands.
    public var transaction: Transaction { latest }
    /// The subscription's renewal information, if it applies to the instant.
    public var renewalInfo: Product.SubscriptionInfo.RenewalInfo? { latestInfo }
    /// The state of an auto-renewable subscription; `nil` for other products.
    public let state: Product.SubscriptionInfo.RenewalState?
    /// Whether the transaction entitles the customer to its product.
    public let isEntitled: Bool
    /// The end of the grace period; `nil` in any other state.
    public let gracePeriodEnd: Date?
    /// The seat of another customer's subscription by which this one is entitled; `nil` for an own purchase.
    public internal(set) var seatClaim: SeatClaim?
    /// The seats of a subscription for several persons; `nil` for other purchases, and for a member.
    public internal(set) var seats: SubscriptionSeats?

    @Boxed private var identity: PurchaseChain.ID
    @Boxed private var latest: Transaction
    @Boxed private var latestInfo: Product.SubscriptionInfo.RenewalInfo?

    init(
        of purchase: PurchaseChain.ID, transaction: Transaction,
        renewalInfo: Product.SubscriptionInfo.RenewalInfo?,
        state: Product.SubscriptionInfo.RenewalState?, isEntitled: Bool, gracePeriodEnd: Date?
    ) {
        (identity, latest, latestInfo) = (purchase, transaction, renewalInfo)
        (self.state, self.isEntitled, self.gracePeriodEnd) = (state, isEntitled, gracePeriodEnd)
    }

    /// The end of the paid period, or of the grace period; `nil` if there is no end, or if it is unknown.
    ///
    /// Renewal information may know of a later period than the latest transaction. One of before that transaction does not.
    public var end: Date? {
        switch state {
        case .inGracePeriod?: gracePeriodEnd
        case .subscribed?:
            [
                transaction.expirationDate,
                renewalInfo.flatMap { $0.signedDate < transaction.purchaseDate ? nil : $0.renewalDate },
            ].compactMap(\.self).max()
        default: transaction.expirationDate
        }
    }
}

extension PurchaseChain {
    /// The rights that the purchase gives its customer at an instant; `nil` before the first transaction.
    public func status(at instant: Date) -> PurchaseStatus? { status(at: instant, signedUntil: instant) }

    /// The rights that the purchase gives its customer at an instant that may be now. The App Store's clock may be
    /// ahead of the server's, so a payload that it has just signed counts.
    func statusNow(at instant: Date) -> PurchaseStatus? {
        status(at: instant, signedUntil: instant + Self.clockTolerance)
    }

    /// - Parameter limit: until when the last of all payloads may be signed.
    private func status(at instant: Date, signedUntil limit: Date) -> PurchaseStatus? {
        guard let latest = latest(at: instant) else { return nil }
        let isRevoked = isRevoked(latest, at: instant)
        guard latest.productType == .autoRenewable else {
            let isOwned = latest.productType == .nonConsumable || latest.productType == .nonRenewable
            return PurchaseStatus(
                of: id, transaction: latest, renewalInfo: nil, state: nil, isEntitled: isOwned && !isRevoked,
                gracePeriodEnd: nil)
        }
        let renewalInfo = renewalInfo(at: instant, signedUntil: limit)
        let isSuperseded = isSuperseded(latest, at: instant)
        var state = Product.SubscriptionInfo.RenewalState(
            of: latest, renewalInfo: renewalInfo, revokedAt: revocation(of: latest, at: instant),
            isSuperseded: isSuperseded, at: instant)
        var graceEnd = state == .inGracePeriod ? renewalInfo?.gracePeriodExpirationDate : nil
        if state == .inBillingRetryPeriod || state == .expired, !isSuperseded,
            let grace = announcedGrace(after: latest, at: instant, signedUntil: limit)
        {
            (state, graceEnd) = (.inGracePeriod, grace.end)
        }
        var status = PurchaseStatus(
            of: id, transaction: latest, renewalInfo: renewalInfo, state: state,
            isEntitled: state.isEntitled && !isRevoked && !isSuperseded, gracePeriodEnd: graceEnd)
        status.seats = seats(status, at: instant)
        return status
    }

    /// The grace period after a transaction that a notification announced, if nothing has put an end to it.
    private func announcedGrace(
        after transaction: Transaction, at instant: Date, signedUntil limit: Date
    ) -> AnnouncedGrace? {
        guard let end = transaction.expirationDate, let grace = announcedGrace[end], instant < grace.end
        else { return nil }
        let later = infos.all.map(\.signedDate) + transactionsByID.values.map(\.signedDate)
        return later.contains { grace.signedDate < $0 && $0 <= limit } ? nil : grace
    }

    /// The instants, in order, at which `status(at:)` can give another answer. It gives the same one from each to the
    /// next, except for the minute of tolerance before a purchase.
    package var instantsOfChange: [Date] {
        var dates: Set<Date> = []
        for transaction in transactions {
            dates.insert(transaction.purchaseDate)
            for renewalInfo in infos.all.map(Optional.some) + (infos.latest == nil ? [nil] : []) {
                dates.formUnion(
                    Product.SubscriptionInfo.RenewalState.instantsOfChange(
                        of: transaction, renewalInfo: renewalInfo))
            }
        }
        for grace in announcedGrace.values {
            dates.formUnion([grace.signedDate, grace.end])
            // A payload that is signed in the meantime puts an end to it.
            let signed = infos.all.map(\.signedDate) + transactions.map(\.signedDate)
            dates.formUnion(signed.filter { (grace.signedDate...grace.end).contains($0) })
        }
        return dates.sorted()
    }

    /// The first purchase, or the earliest transaction that is known.
    var first: Transaction? { self[id.originalTransactionID] ?? transactions.last }
}
