internal import StoreKitVerify

/// Changes of subscriptions by requests that an app's server signs.
///
/// A change that begins at once is an upgrade: the present transaction is replaced, for the rest of its period or by a new one. What
/// begins with the next period is a downgrade, whatever the items cost.
extension Simulation {
    /// Does what `MODIFY_SUBSCRIPTION` says. Returns the place of the transaction that the customer has then.
    ///
    /// - Parameter product: the one that the customer buys, whose periods the subscription has afterwards.
    mutating func modify(
        _ change: SubscriptionModification, _ product: ConfiguredProduct, _ request: PurchaseRequest,
        _ info: AdvancedCommerceRequestInfo, by customer: CustomerPlace
    ) throws(StoreRefusal) -> TransactionPlace {
        var (index, managed) = try managedSubscription(of: change.transaction, by: customer)
        // Apple's pages say nothing of seats and commitments in this request.
        guard purchases[index].nextSeats == nil, purchases[index].commitment == nil else {
            throw .advancedCommerce(.subscriptionNotEligible, nil)
        }
        try checkProduct(product, index, change)
        try checkOffers(change.changes.map(\.item), product)
        try Self.reading(try change.apply(to: &managed))
        managed.requestReferenceID = info.reference
        if change.isImmediate {
            let rest = unusedShare(ofPeriod: purchases[index])
            try begin(
                managed, index, product, request, charge: change.charge(for: managed.present, rest: rest),
                retainsPeriod: change.retainsBillingCycle)
        } else {
            purchases[index].advancedCommerce = managed
            purchases[index].nextProduct = product
            purchases[index].price = managed.next.price
            if change.isOfWords {
                try notify(.metadataUpdate, nil, subscription: index)
            } else {
                try notify(.didChangeRenewalPref, .downgrade, subscription: index)
                try turnRenewalOn(index)
            }
        }
        if let token = info.appAccountToken { purchases[index].appAccountToken = token }
        return purchases[index].latest
    }

    /// Only another length of the periods brings another product, one that has this length.
    private func checkProduct(
        _ product: ConfiguredProduct, _ index: SubscriptionPlace, _ change: SubscriptionModification
    ) throws(StoreRefusal) {
        let present = purchases.product(ofSubscription: index)
        guard let new = product.subscription, new.groupID == purchases[index].groupID else {
            throw .advancedCommerce(
                .invalidSalable, "\"\(product.id)\" is not of the subscription's group")
        }
        guard let wanted = change.periodChange else {
            guard product.id == present.id else {
                throw .advancedCommerce(
                    .invalidSalable,
                    "the customer is subscribed to \"\(present.id)\": another product needs a periodChange")
            }
            return
        }
        guard wanted.period == new.period.iso8601 else {
            throw .advancedCommerce(
                .invalidRenewalPeriod, "the period of \"\(product.id)\" is \(new.period.iso8601)")
        }
        guard new.period != present.subscription?.period else {
            throw .advancedCommerce(
                .invalidProductChanges, "the subscription has the period \(wanted.period) already")
        }
    }

    /// The part of the present period that is still to come, in thousandths of a percent. The latest transaction may have
    /// begun in the middle of it.
    private func unusedShare(ofPeriod subscription: SubscriptionRecord) -> Int {
        let (start, periods) = subscription.cycle
        let latest = purchases[subscription.latest]
        guard let period = latest.product.subscription?.period else { return 0 }
        let begin = periods > 1 ? settings.timeRate.end(of: period, times: periods - 1, after: start) : start
        return unusedShare(from: begin, to: latest.expiresDate)
    }

    /// Lets new items begin now.
    ///
    /// - Parameters:
    ///   - charge: what the customer pays for them now, in thousandths of the currency's unit.
    ///   - retainsPeriod: whether the present period ends when it was to end.
    private mutating func begin(
        _ managed: AdvancedCommerce, _ index: SubscriptionPlace, _ product: ConfiguredProduct,
        _ request: PurchaseRequest,
        charge: Int, retainsPeriod: Bool
    ) throws(StoreRefusal) {
        try checkPayment(of: purchases[index].customer)
        purchases.keepTerms(of: index)
        purchases[index].advancedCommerce = managed
        let end = purchases[purchases[index].latest].expiresDate
        try upgrade(index, to: product, nil, request, price: charge, until: retainsPeriod ? end : nil)
        purchases[index].price = managed.next.price
    }

    /// Lets the items of the next period begin, which may have other prices.
    mutating func beginNextItems(_ index: SubscriptionPlace) {
        guard var managed = purchases[index].advancedCommerce, managed.next != managed.present else {
            return
        }
        purchases.keepTerms(of: index)
        // A new price of the App Store's own holds, unless the items bring another one.
        if managed.next.price != managed.present.price || purchases[index].price == nil {
            purchases[index].price = managed.next.price
        }
        managed.present = managed.next
        managed.next = managed.present.afterPeriod
        purchases[index].advancedCommerce = managed
    }
}
