public import Essentials

extension PurchaseChain {
    /// How much later than a given instant a purchase may be and still count, in seconds. The App Store's clock
    /// and the server's differ, and a customer who has just paid must not wait for the difference.
    static let clockTolerance: TimeInterval = 60

    /// The latest transaction at an instant; `nil` if there was none at that time.
    ///
    /// A purchase up to a minute later counts too, unless an earlier transaction still covers the instant.
    ///
    /// Several transactions may stand for one period: a customer who adds seats buys them by another one
    /// (`additionalTransactionReason`), which does not replace the first. If the latest is refunded, the latest of the
    /// others that is not stands for the period.
    public func latest(at instant: Date) -> Transaction? {
        let past = latest(at: instant, boughtUntil: instant)
        if let past, covers(past, instant) { return past }
        return latest(at: instant, boughtUntil: instant + Self.clockTolerance) ?? past
    }

    private func latest(at instant: Date, boughtUntil limit: Date) -> Transaction? {
        let latest = transactionsByID.values.filter { $0.purchaseDate <= limit }.max { $1.follows($0) }
        guard let latest, isRevoked(latest, at: instant) else { return latest }
        let others = period(of: latest, at: instant).filter {
            $0.purchaseDate <= limit && !isRevoked($0, at: instant)
        }
        return others.max { $1.follows($0) } ?? latest
    }

    /// The transactions that stand for the same period as a given one, itself among them.
    ///
    /// Each says that it is not the only one. The App Store signs the first again for that, but the server may know it as
    /// it was before. One that an upgrade has replaced by the instant stands for its period no more.
    func period(of transaction: Transaction, at instant: Date) -> [Transaction] {
        Array(transactionsByID.values).filter { other in
            other.id == transaction.id
                || Self.areOfOnePeriod(other, transaction) && !isSuperseded(other, at: instant)
        }
    }

    /// Whether two transactions stand for the same period, and neither replaces the other.
    static func areOfOnePeriod(_ one: Transaction, _ other: Transaction) -> Bool {
        (one.additionalTransactionReason ?? other.additionalTransactionReason) != nil
            && one.expirationDate == other.expirationDate && one.productID == other.productID
            && one.ownershipType == other.ownershipType
    }

    /// Whether a transaction's own time, and nothing else, gives access at an instant.
    private func covers(_ transaction: Transaction, _ instant: Date) -> Bool {
        !isRevoked(transaction, at: instant) && !isSuperseded(transaction, at: instant)
            && transaction.expirationDate.map { instant < $0 } ?? true
    }

    /// Whether a transaction was already upgraded at an instant.
    ///
    /// Payloads do not give the time of the upgrade. It is the purchase date of the next transaction, if that is before this
    /// one's end, or before the end of the time in which the App Store tried to renew it: a customer may upgrade in a grace
    /// period. Without such a transaction, this one counts as upgraded at every instant.
    func isSuperseded(_ transaction: Transaction, at instant: Date) -> Bool {
        guard transaction.isUpgraded, !notYetReplaced.contains(transaction.id) else { return false }
        let next = transactionsByID.values.map(\.purchaseDate).filter { $0 > instant }.min()
        guard let next, let end = transaction.expirationDate else { return true }
        return next >= end && next >= self.end(ofRenewing: transaction, before: next)
    }

    /// Until when the App Store tried to renew a transaction, as information of before its successor tells, or a grace period
    /// was announced.
    private func end(ofRenewing transaction: Transaction, before successor: Date) -> Date {
        let informed = infos.all.lazy
            .filter { transaction.purchaseDate <= $0.signedDate && $0.signedDate <= successor }
            .compactMap { $0.endOfTrying(after: transaction) }
        let announced = transaction.expirationDate.flatMap { announcedGrace[$0]?.end }
        return ([announced].compactMap(\.self) + informed).max() ?? .distantPast
    }

    /// Whether the App Store had refunded or revoked a transaction at an instant.
    ///
    /// A refund of a non-consumable covers what was restored from it later, whether the first purchase says so or a copy
    /// that was restored before. The end of Family Sharing or of an assignment covers no copy: the product may be shared or
    /// assigned again.
    func isRevoked(_ transaction: Transaction, at instant: Date) -> Bool {
        if revocation(of: transaction, at: instant) != nil { return true }
        guard transaction.productType == .nonConsumable else { return false }
        if transactionsByID[id.originalTransactionID]?.isRevoked(at: instant) ?? false { return true }
        return transactionsByID.values.contains { copy in
            copy.isOwners && copy.purchaseDate <= transaction.purchaseDate
                && copy.isRevoked(at: instant)
        }
    }

    /// When the App Store refunded or revoked a transaction, or a copy of it, if it had by an instant.
    func revocation(of transaction: Transaction, at instant: Date) -> Date? {
        if transaction.webOrderLineItemID?.isEmpty ?? true {
            return transaction.isRevoked(at: instant) ? transaction.revocationDate : nil
        }
        return transactionsByID.values
            .filter {
                $0.id == transaction.id
                    || transaction.productType != .nonConsumable && Self.areCopies($0, transaction)
            }
            .filter { $0.isRevoked(at: instant) }.compactMap(\.revocationDate).min()
    }

    /// The renewal information that was in force at an instant; `nil` if there is none.
    ///
    /// Information does not apply if it was signed after a transaction that was still to come at that instant. Of each
    /// earlier period, the information that reports a failed renewal is kept.
    public func renewalInfo(at instant: Date) -> Product.SubscriptionInfo.RenewalInfo? {
        renewalInfo(at: instant, signedUntil: instant)
    }

    /// - Parameter limit: until when the last of all may be signed.
    func renewalInfo(
        at instant: Date, signedUntil limit: Date
    ) -> Product.SubscriptionInfo.RenewalInfo? {
        let purchase = latest(at: instant)
        return infos.inForce(at: instant, signedUntil: limit, since: purchase) { info in
            !transactionsByID.values.contains {
                $0.purchaseDate > instant && $0.purchaseDate <= info.signedDate
            }
        }
    }
}
