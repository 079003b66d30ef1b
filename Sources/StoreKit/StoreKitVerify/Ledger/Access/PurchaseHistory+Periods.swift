public import Essentials

/// When the purchases of a history entitled their customers.
extension PurchaseHistory {
    /// The periods of access that these purchases gave and give, earliest first, as they are known at an instant.
    ///
    /// A period that is paid for beyond the instant is listed with its end, and has not ended. A purchase that became part of
    /// another one gives no access while that one does. Seats of other customers' subscriptions are not listed: they are no
    /// purchases of this customer.
    ///
    /// - Complexity: quadratic in the transactions of one purchase, and linear in the number of purchases.
    public func accessPeriods(at instant: Date) -> [AccessPeriod] {
        let purchases = purchases
        let moves = PurchaseMoves(purchases)
        let byID = Dictionary(purchases.map { ($0.id, $0.accessPeriods(moves, at: instant)) }) { one, _ in one
        }
        let all = byID.flatMap { id, periods in
            let following = moves.following(id).flatMap { byID[$0] ?? [] }
            guard !following.isEmpty else { return periods }
            return periods.flatMap { period in
                period.without(following.filter { $0.transaction.follows(period.transaction) }, at: instant)
            }
        }
        return all.ordered {
            ($0.begins, $0.purchase.originalTransactionID, $0.transaction.id)
                < ($1.begins, $1.purchase.originalTransactionID, $1.transaction.id)
        }
    }
}

extension AccessPeriod {
    /// What is left of the period beside the periods of the purchases that it moved to.
    fileprivate func without(_ others: [AccessPeriod], at now: Date) -> [AccessPeriod] {
        var (left, rest): ([AccessPeriod], AccessPeriod?) = ([], self)
        for other in others.ordered(by: { $0.begins < $1.begins }) {
            guard var period = rest, other.ends.map({ period.begins < $0 }) ?? true,
                period.ends.map({ other.begins < $0 }) ?? true
            else { continue }
            rest = nil
            if let end = other.ends, period.ends.map({ end < $0 }) ?? true {
                rest = period
                rest?.begins = end
            }
            guard period.begins < other.begins else { continue }
            (period.ends, period.ending) = (other.begins, other.begins <= now ? .moved : nil)
            left.append(period)
        }
        return left + [rest].compactMap(\.self)
    }
}

extension PurchaseChain {
    /// The periods of access, earliest first.
    fileprivate func accessPeriods(_ moves: PurchaseMoves, at now: Date) -> [AccessPeriod] {
        let (first, customers) = (moves.firstOriginal(of: id), customers)
        var periods: [AccessPeriod] = []
        var isOpen = false
        for step in StatusStep.all(at: instantsOfChange, { status(at: $0) }) {
            let entitling = step.status.flatMap { $0.isEntitled ? $0 : nil }
            let last = periods.indices.last
            if isOpen, let last {
                if let entitling, periods[last].isContinued(by: entitling) { continue }
                // A purchase of the next minute goes on with it, too.
                let next = step.status ?? status(at: step.start)
                periods[last].ends = step.start
                periods[last].ending =
                    step.start <= now ? next.map { ending(of: periods[last], at: step.start, $0) } : nil
            }
            isOpen = entitling != nil
            guard let entitling else { continue }
            periods.append(
                AccessPeriod(entitling, of: self, first: first, customers: customers, begins: step.start))
        }
        return periods
    }

    /// How a period ended.
    ///
    /// - Parameter next: the status at its end.
    private func ending(of period: AccessPeriod, at end: Date, _ next: PurchaseStatus) -> AccessPeriod.Ending
    {
        let (before, after) = (period.transaction, next.transaction)
        guard !next.isEntitled else {
            if before.productID != after.productID { return .replaced }
            if next.state == .inGracePeriod, period.state != .inGracePeriod { return .gracePeriod }
            return before.id == after.id || before.expirationDate == after.expirationDate
                ? .continued : .renewed
        }
        if isRevoked(before, at: end) {
            return before.isOwners ? .refund : .revoked
        }
        if isSuperseded(before, at: end) { return .replaced }
        if period.state == .inGracePeriod || next.state == .inBillingRetryPeriod { return .billing }
        return endingOfRenewal(of: before)
    }

    /// Why a period was not renewed, by the renewal information about it that was signed last.
    private func endingOfRenewal(of transaction: Transaction) -> AccessPeriod.Ending {
        let later = transactionsByID.values.map(\.purchaseDate).filter { $0 > transaction.purchaseDate }
            .min()
        let about = infos.kept.filter { info in
            info.knows(transaction) && later.map { info.signedDate < $0 } ?? true
        }
        guard let last = about.max(by: { $1.isLater(than: $0) }) else { return .unknown }
        return switch last.expirationReason {
        case .autoRenewDisabled?: .voluntary
        case .billingError?: .billing
        case .didNotConsentToPriceIncrease?: .price
        case .productUnavailable?: .unavailable
        default: last.willAutoRenew ? .unknown : .voluntary
        }
    }
}
