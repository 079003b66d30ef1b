#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a purchase gives its customer at an instant.
public struct PurchaseStatus: Hashable, Sendable {
    /// The latest transaction of the purchase.
    public let transaction: Transaction
    /// The subscription's renewal information, if it applies to the instant.
    public let renewalInfo: Product.SubscriptionInfo.RenewalInfo?
    /// The state of an auto-renewable subscription; `nil` for other products.
    public let state: Product.SubscriptionInfo.RenewalState?
    /// Whether the transaction entitles the customer to its product.
    public let isEntitled: Bool

    /// The end of what is paid for, or of the grace period; `nil` if there is no end, or if it is unknown.
    ///
    /// Renewal information may know of a later period than the latest transaction.
    public var end: Date? {
        guard let renewalInfo else { return transaction.expirationDate }
        switch state {
        case .inGracePeriod?: return renewalInfo.gracePeriodExpirationDate
        case .subscribed?:
            return [transaction.expirationDate, renewalInfo.renewalDate].compactMap(\.self).max()
        default: return transaction.expirationDate
        }
    }
}

extension PurchaseChain {
    /// What the purchase gives its customer at an instant; `nil` before the first transaction.
    public func status(at instant: Date) -> PurchaseStatus? {
        guard let latest = latest(at: instant) else { return nil }
        let isRevoked = isRevoked(latest, at: instant)
        guard latest.productType == .autoRenewable else {
            let isOwned = latest.productType == .nonConsumable || latest.productType == .nonRenewable
            return PurchaseStatus(
                transaction: latest, renewalInfo: nil, state: nil, isEntitled: isOwned && !isRevoked)
        }
        let renewalInfo = renewalInfo(at: instant)
        let isSuperseded = isSuperseded(latest, at: instant)
        let state = Product.SubscriptionInfo.RenewalState(
            of: latest, renewalInfo: renewalInfo, isSuperseded: isSuperseded, at: instant)
        return PurchaseStatus(
            transaction: latest, renewalInfo: renewalInfo, state: state,
            isEntitled: state.isEntitled && !isRevoked && !isSuperseded)
    }

    /// The instants, in order, at which `status(at:)` can give another answer. It gives the same one from each to the
    /// next, except for the minute of tolerance before a purchase.
    package var instantsOfChange: [Date] {
        var dates: Set<Date> = []
        for transaction in transactions {
            dates.insert(transaction.purchaseDate)
            dates.formUnion(
                Product.SubscriptionInfo.RenewalState.instantsOfChange(
                    of: transaction, renewalInfo: renewalInfo))
        }
        return dates.sorted()
    }

    /// The first purchase, or the earliest transaction that is known.
    var first: Transaction? { self[id.originalTransactionID] ?? transactions.last }
}
