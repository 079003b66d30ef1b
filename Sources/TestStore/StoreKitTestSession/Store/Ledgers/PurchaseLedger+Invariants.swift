internal import Essentials
internal import StoreKitVerify

/// The checks of the invariants that stand at the head of `PurchaseLedger`.
extension PurchaseLedger {
    /// The first invariant that does not hold; `nil` if all hold.
    ///
    /// - Complexity: linear in the records.
    package func violation() -> String? {
        for place in transactions {
            if let fault = fault(of: place) { return "transaction \(self[place].id) \(fault)" }
        }
        for id in copies.keys where id >= nextTransactionID || placesByIdentifier[id] != nil {
            return "copy \(id) has an identifier that is another transaction's, or still to be given"
        }
        let removed = transactions.lazy.map { self[$0] }.filter { placesByIdentifier[$0.id] == nil }
        let reduced = Set(removed.compactMap(\.subscription))
        for index in subscriptions {
            if let fault = fault(of: index, isWhole: !reduced.contains(index)) {
                return "subscription \(self[index].originalID) \(fault)"
            }
        }
        let events = agenda.latest
        for (customer, owned) in possessions {
            if let fault = fault(of: owned, of: customer, events) {
                return "customer \(customer.number) \(fault)"
            }
        }
        let listed = possessions.values.reduce(0) { $0 + $1.transactions.count }
        return listed == placesByIdentifier.count ? nil : "no customer has a transaction that is found"
    }

    private func fault(of place: TransactionPlace) -> String? {
        let transaction = self[place]
        guard transaction.id < nextTransactionID else { return "has an identifier that is still to be given" }
        if let subscription = transaction.subscription.map({ self[$0] }) {
            guard transaction.customer == subscription.customer else {
                return "has another customer than its subscription"
            }
            guard transaction.originalID == subscription.originalID else {
                return "has another original than its subscription"
            }
        } else {
            guard transaction.originalID == transaction.id else {
                return "has an original, and no subscription"
            }
        }
        guard transaction.expiresDate ?? .max >= transaction.purchaseDate else {
            return "ends before it begins"
        }
        guard transaction.seatsLeft ?? 1 > 0 else { return "has no seat left" }
        let members = sharedPurchases[place] ?? []
        guard Set(members).count == members.count else { return "has a member twice" }
        guard
            members.allSatisfy({ self[$0].sharedFrom == place && self[$0].customer != transaction.customer })
        else { return "has another purchase's member, or its buyer as one" }
        return nil
    }

    /// - Parameter isWhole: whether none of its transactions was removed.
    private func fault(of index: SubscriptionPlace, isWhole: Bool) -> String? {
        let subscription = self[index]
        let (period, members) = (subscription.period, subscription.members)
        guard period.allSatisfy({ self[$0].subscription == index }) else {
            return "has another one's transaction"
        }
        guard period.contains(subscription.latest) else { return "has a latest transaction of no period" }
        let standing = period.first { self[$0].revocation == nil } ?? subscription.latest
        guard standing == subscription.latest || !isWhole else {
            return "is not stood for by the first valid transaction"
        }
        guard subscription.phase != .revoked || self[subscription.latest].revocation != nil else {
            return "is revoked, and its latest transaction is not"
        }
        guard Set(members).count == members.count else { return "has a member twice" }
        for member in members.map({ self[$0] }) {
            guard member.sharedFrom == index, member.groupID == subscription.groupID else {
                return "has another one's member, or one of another group"
            }
            guard member.customer != subscription.customer else { return "has its buyer as a member" }
        }
        guard (1...Commitment.months).contains(subscription.commitment?.number ?? 1) else {
            return "has a month that its commitment lacks"
        }
        guard let claims = seatClaims[index], !claims.claims.isEmpty else { return nil }
        let identifiers = Set(claims.claims.map(\.id))
        guard subscription.sharedFrom == nil else { return "has claims to the seats of a member" }
        guard identifiers.count == claims.claims.count else { return "has a claim twice" }
        return identifiers.isSubset(of: claims.requests.values) ? nil : "has a claim that no request made"
    }

    private func fault(
        of owned: CustomerPurchases, of customer: CustomerPlace, _ events: [SubscriptionPlace: Agenda.Item]
    ) -> String? {
        for (place, next) in zip(owned.transactions, owned.transactions.dropFirst()) where place >= next {
            return "has transactions in another order than that of their places"
        }
        for place in owned.transactions {
            guard self[place].customer == customer else { return "has another customer's transaction" }
            guard placesByIdentifier[self[place].id] == place else {
                return "has a transaction that is not found"
            }
        }
        for (group, index) in Array(owned.subscriptions) + Array(owned.sharedSubscriptions) {
            let subscription = self[index]
            guard subscription.customer == customer else { return "has another customer's subscription" }
            guard subscription.groupID == group else {
                return "has a subscription in another group than its own"
            }
        }
        for index in owned.subscriptions.values {
            guard self[index].sharedFrom == nil else { return "has a shared subscription as an own one" }
            guard let end = end(ofPhase: index) else { continue }
            guard let event = events[index], event.time == end, event.version == self[index].dueVersion else {
                return "has a subscription whose next event is not on the agenda"
            }
        }
        return nil
    }
}
