internal import StoreKitVerify

/// The changes that customers make to their subscriptions, and the price increases that the App Store announces.
extension Simulation {
    /// Turns automatic renewal off.
    package mutating func cancel(_ index: SubscriptionPlace) throws(StoreRefusal) {
        try checkIsOwn(index)
        guard !purchases[index].isEnded else { throw .notAllowed("the subscription has ended already") }
        guard purchases[index].customerRenews else {
            throw .notAllowed("automatic renewal is off already")
        }
        purchases[index].customerRenews = false
        purchases[index].priceIncrease = nil
        try notify(.didChangeRenewalStatus, .autoRenewDisabled, subscription: index)
        // A commitment goes on to its last month, so only what follows it is turned off.
        guard !purchases[index].isBound else { return }
        switch purchases[index].phase {
        // The App Store does not go on trying for a customer who has cancelled.
        case .gracePeriod, .billingRetry: try expire(index, .billingError)
        case .active, .expired, .revoked: break
        }
    }

    /// Turns automatic renewal on again.
    mutating func resume(_ index: SubscriptionPlace) throws(StoreRefusal) {
        try checkIsOwn(index)
        guard case .active = purchases[index].phase else {
            throw .notAllowed("the subscription has ended: the customer has to buy it again")
        }
        guard !purchases[index].customerRenews else {
            throw .notAllowed("automatic renewal is on already")
        }
        try turnRenewalOn(index)
    }

    /// Does nothing if it is on already, so that no notification tells of it twice.
    mutating func turnRenewalOn(_ index: SubscriptionPlace) throws(StoreRefusal) {
        guard !purchases[index].customerRenews else { return }
        purchases[index].customerRenews = true
        try notify(.didChangeRenewalStatus, .autoRenewEnabled, subscription: index)
    }

    // MARK: - Another product

    /// Changes to another product of the group, or redeems an offer of the same one. Returns the place of the
    /// transaction that the customer has then.
    ///
    /// A product of a higher level, or of the same level and length, begins at once (an upgrade). Another one begins
    /// at the renewal (a downgrade), and so does another billing plan of the present product. The renewal of a commitment
    /// comes after its last month.
    mutating func change(
        _ index: SubscriptionPlace, to product: ConfiguredProduct, _ offer: ConfiguredOffer?,
        _ request: PurchaseRequest
    ) throws(StoreRefusal) -> TransactionPlace {
        try checkIsOwn(index)
        let isMonthly = request.isBilledMonthly
        let present = purchases.product(ofSubscription: index)
        guard let new = product.subscription, let old = present.subscription else {
            return purchases[index].latest
        }
        let isPresentPlan = (purchases[index].commitment != nil) == isMonthly
        if present.id == product.id, isPresentPlan {
            guard request.seats == nil else {
                throw .notAllowed("the customer is subscribed to \"\(product.id)\" for one person already")
            }
            try keep(index, product, offer)
        } else if present.id != product.id,
            new.groupLevel < old.groupLevel || new.groupLevel == old.groupLevel && new.period == old.period
        {
            try upgrade(index, to: product, offer, request)
        } else {
            guard case .active = purchases[index].phase else {
                throw .notAllowed(
                    "the subscription's renewal has failed: the customer can buy the same product, or upgrade"
                )
            }
            purchases[index].nextProduct = product
            purchases[index].nextIsMonthly = isMonthly
            // The token of the renewal: the present period keeps its own.
            if let token = request.appAccountToken { purchases[index].appAccountToken = token }
            chooseSeats(index, request.seats)
            purchases[index].nextOffer = offer.map { .init(offer: $0, periods: $0.periodCount) }
            try notify(
                offer == nil ? .didChangeRenewalPref : .offerRedeemed, .downgrade, subscription: index)
            try turnRenewalOn(index)
        }
        return purchases[index].latest
    }

    /// The present product again: with an offer for the next period, or instead of a change that was chosen before.
    private mutating func keep(
        _ index: SubscriptionPlace, _ product: ConfiguredProduct, _ offer: ConfiguredOffer?
    ) throws(StoreRefusal) {
        let wasChanged = !isSamePlan(purchases[index])
        guard offer != nil || wasChanged || !purchases[index].customerRenews else {
            throw .notAllowed("the customer is subscribed to \"\(product.id)\" already")
        }
        purchases[index].nextProduct = product
        purchases[index].nextIsMonthly = purchases[index].commitment != nil
        if wasChanged {
            let seats = seats(ofPeriod: purchases[index])
            chooseSeats(index, seats > 0 ? seats : nil)
        }
        if let offer {
            purchases[index].nextOffer = .init(offer: offer, periods: offer.periodCount)
            try notify(.offerRedeemed, nil, subscription: index)
        } else if wasChanged {
            // The offer was one of the other product.
            purchases[index].nextOffer = nil
            try notify(.didChangeRenewalPref, nil, subscription: index)
        }
        try turnRenewalOn(index)
    }

    /// The old period ends now. Its transaction is marked as upgraded, and not as refunded.
    ///
    /// - Parameters:
    ///   - price: in thousandths of the currency's unit; `nil` for the product's own.
    ///   - end: when the new transaction ends, in milliseconds since 1970; `nil` for a period of the product.
    mutating func upgrade(
        _ index: SubscriptionPlace, to product: ConfiguredProduct, _ offer: ConfiguredOffer?,
        _ request: PurchaseRequest,
        price: Int? = nil, until end: Int? = nil
    ) throws(StoreRefusal) {
        try checkPayment(of: purchases[index].customer)
        let old = purchases[index].period
        for place in old where purchases[place].revocation == nil {
            purchases[place].isUpgraded = true
            purchases[place].modificationDate = now
            guard settings.tellsUpgradeRefunds else { continue }
            purchases[place].revocation = .init(
                date: now, reason: .other, type: .proratedRefund, percentage: unusedShare(of: place))
        }
        if let token = request.appAccountToken { purchases[index].appAccountToken = token }
        let wasOn = purchases[index].customerRenews
        choose(index, product, isMonthly: request.isBilledMonthly)
        chooseSeats(index, request.seats)
        purchases[index].willRenew = true
        purchases[index].phase = .active
        purchases[index].price = price
        purchases[index].priceIncrease = nil
        let cycle = purchases[index].cycle
        startPeriod(index, of: product, at: now, offer: offer, isRenewal: false, until: end)
        if end != nil { purchases[index].cycle = cycle }
        try notify(offer == nil ? .didChangeRenewalPref : .offerRedeemed, .upgrade, subscription: index)
        // After the new one, so that no reader sees a subscription that has ended.
        beginSigning()
        if output.tellsAll { for place in old { output.add(.transaction(try transactionToken(place))) } }
        if !wasOn { try notify(.didChangeRenewalStatus, .autoRenewEnabled, subscription: index) }
    }

    // MARK: - Prices

    /// Tells a subscriber of a new price from the next renewal on.
    ///
    /// The price of a commitment rises with the next year, after the last of the months that the customer is bound to.
    ///
    /// - Parameters:
    ///   - price: of a period, in thousandths of the currency's unit.
    ///   - needsConsent: whether the subscription ends if the customer does not agree.
    mutating func raisePrice(
        _ index: SubscriptionPlace, to price: Int, needsConsent: Bool
    ) throws(StoreRefusal) {
        try checkIsOwn(index)
        guard case .active = purchases[index].phase, purchases[index].customerRenews else {
            throw .notAllowed("the subscription will not renew, so that no price can increase")
        }
        guard price >= 0 else { throw .notAllowed("a price cannot be negative") }
        purchases[index].priceIncrease = .init(price: price, isAgreed: !needsConsent)
        try notify(.priceIncrease, needsConsent ? .pending : .accepted, subscription: index)
    }

    /// Agrees to the new price.
    mutating func agreeToPrice(_ index: SubscriptionPlace) throws(StoreRefusal) {
        try checkPriceIsPending(index)
        purchases[index].priceIncrease?.isAgreed = true
        try notify(.priceIncrease, .accepted, subscription: index)
    }

    /// Does not agree to the new price, which is to cancel.
    mutating func declinePrice(_ index: SubscriptionPlace) throws(StoreRefusal) {
        try checkPriceIsPending(index)
        try cancel(index)
    }

    private func checkPriceIsPending(_ index: SubscriptionPlace) throws(StoreRefusal) {
        guard purchases[index].priceIncrease?.isAgreed == false else {
            throw .notAllowed("no price increase waits for the customer's answer")
        }
    }

    /// A member of the family cannot change what the buyer pays for.
    func checkIsOwn(_ index: SubscriptionPlace) throws(StoreRefusal) {
        guard purchases[index].sharedFrom == nil else { throw .sharedByFamily }
    }
}
