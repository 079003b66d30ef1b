internal import StoreKitVerify

/// Subscriptions that go on under another original transaction.
extension Simulation {
    /// Has a subscription go on as another product under another original transaction, such as one of a bundle. Its
    /// transactions name the former one (`previousOriginalTransactionId`).
    ///
    /// The period of the new product begins now, and is paid for. Apple has published neither a notification for bundles nor
    /// what the former transaction says then, so that `SUBSCRIBED` tells of it, and the former payloads stay as they were. If the
    /// new subscription ends before the former period does, nothing has taken the rest of that away.
    mutating func move(_ index: SubscriptionPlace, to product: ConfiguredProduct) throws(StoreRefusal) {
        try checkIsOwn(index)
        let old = purchases[index]
        guard let subscription = product.subscription else { throw .notSubscription(product.id) }
        guard old.phase == .active, product.id != purchases.product(ofSubscription: index).id else {
            throw .notAllowed("only a subscription that is paid for can move, and to another product")
        }
        guard old.members.isEmpty, old.commitment == nil, old.seatSale == nil, old.advancedCommerce == nil
        else {
            throw .notAllowed(
                "a subscription with a commitment, seats, items or a family cannot move in this App Store")
        }
        let other = purchases[old.customer].subscriptions[subscription.groupID]
        guard other.map({ $0 == index || purchases[$0].isEnded }) ?? true else {
            throw .notAllowed("the customer has a subscription in the group of \"\(product.id)\" already")
        }
        try checkPayment(of: old.customer)
        purchases[index].phase = .expired(.unknown)
        purchases[index].willRenew = false
        purchases.schedule(index)
        let new = purchases.add(
            SubscriptionRecord(
                customer: old.customer, groupID: subscription.groupID,
                originalID: purchases.nextTransactionID, previousOriginalID: old.originalID,
                originalPurchaseDate: old.originalPurchaseDate, latest: purchases.nextPlace,
                nextProduct: product, recentStart: old.recentStart, cycle: (now, 0),
                paidPeriods: old.paidPeriods, appAccountToken: old.appAccountToken))
        purchases[index].movedTo = new
        startPeriod(new, of: product, at: now, offer: nil, isRenewal: false)
        try notify(.subscribed, .initialBuy, subscription: new)
    }
}
