internal import StoreKitVerify

/// Removes purchases for a test, as if they had never been made. The places of removed transactions stay, without an owner.
extension PurchaseLedger {
    /// Removes a customer's purchases.
    mutating func removeAll(of customer: CustomerPlace) {
        for place in self[customer].transactions { forget(place) }
        for index in self[customer].allSubscriptions { abandon(index) }
        possessions[customer] = nil
    }

    /// Removes a transaction; with an original transaction, the whole subscription.
    ///
    /// - Parameter now: the present time. A subscription whose period has passed has ended then.
    /// - Complexity: quadratic in the removed transactions, of which a test has few.
    mutating func remove(_ place: TransactionPlace, at now: Int) {
        let transaction = self[place]
        let isWhole = transaction.id == transaction.originalID
        var rest = self[transaction.customer]
        let removed = rest.transactions.filter {
            $0 == place || isWhole && self[$0].originalID == transaction.id
        }
        for place in removed { forget(place) }
        rest.transactions.removeAll { removed.contains($0) }
        defer { possessions[transaction.customer] = rest }
        guard let index = transaction.subscription else { return }
        let groupID = self[index].groupID
        if !isWhole, let last = rest.transactions.last(where: { self[$0].subscription == index }) {
            fallBack(index, to: last, at: now)
        } else {
            abandon(index)
            if rest.sharedSubscriptions[groupID] == index {
                rest.sharedSubscriptions[groupID] = nil
            } else {
                rest.subscriptions[groupID] = nil
            }
        }
        let usesOffer = rest.transactions.contains {
            self[$0].offer?.type == .introductory && self[$0].product.subscription?.groupID == groupID
        }
        if !usesOffer { rest.groupsWithIntroductoryOffer.remove(groupID) }
    }

    /// Has a subscription end with an earlier transaction, because the latest one was removed.
    private mutating func fallBack(_ index: SubscriptionPlace, to place: TransactionPlace, at now: Int) {
        guard self[index].latest != place else { return }
        self[index].latest = place
        self[index].period = [place]
        self[index].nextProduct = self[place].product
        self[index].nextOffer = nil
        if let end = self[place].expiresDate, end <= now {
            self[index].phase = .expired(.unknown)
            self[index].willRenew = false
        } else {
            self[index].phase = .active
        }
        schedule(index)
    }

    /// Leaves a subscription without an owner, and without a family.
    ///
    /// A new version voids its events, which stay on the agenda.
    private mutating func abandon(_ index: SubscriptionPlace) {
        self[index].dueVersion += 1
        leave(index)
        for member in self[index].members {
            self[member].sharedFrom = nil
            self[member].phase = .expired(.unknown)
            self[member].willRenew = false
        }
        self[index].members = []
    }
}
