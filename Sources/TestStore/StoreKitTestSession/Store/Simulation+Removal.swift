internal import StoreKitVerify

/// Removes purchases for a test, as if they had never been made. The places of removed transactions stay, without an owner.
extension Simulation {
    /// Removes a customer's purchases.
    mutating func forgetPurchases(of customer: Int) {
        for place in customers[customer].transactions { forget(place) }
        for index in customers[customer].allSubscriptions { abandon(index) }
        customers[customer].transactions = []
        customers[customer].subscriptions = [:]
        customers[customer].sharedSubscriptions = [:]
        customers[customer].groupsWithIntroductoryOffer = []
    }

    /// Removes a transaction; with an original transaction, the whole subscription.
    ///
    /// - Complexity: quadratic in the removed transactions, of which a test has few.
    mutating func delete(_ place: Int) {
        let transaction = transactions[place]
        let customer = transaction.customer
        let isWhole = transaction.id == transaction.originalID
        let removed = customers[customer].transactions.filter {
            $0 == place || isWhole && transactions[$0].originalID == transaction.id
        }
        for place in removed { forget(place) }
        customers[customer].transactions.removeAll { removed.contains($0) }
        guard let index = transaction.subscription else { return }
        let rest = customers[customer].transactions.last { transactions[$0].subscription == index }
        if let rest, !isWhole {
            fallBack(index, to: rest)
        } else {
            abandon(index)
            let groupID = subscriptions[index].groupID
            if customers[customer].sharedSubscriptions[groupID] == index {
                customers[customer].sharedSubscriptions[groupID] = nil
            } else {
                customers[customer].subscriptions[groupID] = nil
            }
        }
        let usesOffer = customers[customer].transactions.contains {
            transactions[$0].offer?.type == .introductory
                && transactions[$0].product.subscription?.groupID == subscriptions[index].groupID
        }
        if !usesOffer {
            customers[customer].groupsWithIntroductoryOffer.remove(subscriptions[index].groupID)
        }
    }

    /// Has a subscription end with an earlier transaction, because the latest one was removed.
    private mutating func fallBack(_ index: Int, to place: Int) {
        guard subscriptions[index].latest != place else { return }
        subscriptions[index].latest = place
        subscriptions[index].period = [place]
        subscriptions[index].nextProduct = transactions[place].product
        subscriptions[index].nextOffer = nil
        if let end = transactions[place].expiresDate, end <= now {
            subscriptions[index].phase = .expired(.unknown)
            subscriptions[index].willRenew = false
        } else {
            subscriptions[index].phase = .active
        }
        schedule(index)
    }

    /// Leaves a subscription without an owner, and without a family.
    ///
    /// A new version voids its events, which stay on the agenda.
    private mutating func abandon(_ index: Int) {
        subscriptions[index].dueVersion += 1
        if let source = subscriptions[index].sharedFrom {
            subscriptions[source].members.removeAll { $0 == index }
        }
        for member in subscriptions[index].members {
            subscriptions[member].sharedFrom = nil
            subscriptions[member].phase = .expired(.unknown)
            subscriptions[member].willRenew = false
        }
        subscriptions[index].members = []
    }
}
