internal import StoreKitVerify

/// Renewals, failures and expirations of subscriptions, at their times.
extension Simulation {
    private typealias Reason = Product.SubscriptionInfo.RenewalInfo.ExpirationReason

    /// Carries out the event that ends a subscription's phase.
    mutating func doWhatIsDue(_ index: SubscriptionPlace) throws(StoreRefusal) {
        switch purchases[index].phase {
        case .active: try endPeriod(index)
        case .gracePeriod: try enterBillingRetry(index, .gracePeriodExpired)
        case .billingRetry: try expire(index, .billingError)
        case .expired, .revoked: break
        }
    }

    /// The order decides the reason that is told: the price first, then the customer's choice, then the
    /// product.
    private mutating func endPeriod(_ index: SubscriptionPlace) throws(StoreRefusal) {
        let subscription = purchases[index]
        guard let end = purchases[subscription.latest].expiresDate else { return }
        // The price of a commitment cannot rise before its last month is over.
        if subscription.priceIncrease?.isAgreed == false, !subscription.isBound {
            return try expire(index, .didNotConsentToPriceIncrease)
        }
        guard subscription.renews, !hasRenewedOften(subscription) else {
            return try expire(index, .autoRenewDisabled)
        }
        guard !subscription.isOffSale else { return try expire(index, .productUnavailable) }
        guard customers[subscription.customer].paymentsFail else {
            return try renew(index, at: end, .none)
        }
        try failToRenew(index, at: end)
    }

    /// Whether a subscription has renewed as often as the environment allows since it was bought.
    ///
    /// A subscription of the Sandbox renews up to twelve times (Apple's page "Testing In-App Purchases with sandbox"). No
    /// commitment ends before its last month.
    private func hasRenewedOften(_ subscription: SubscriptionRecord) -> Bool {
        guard let limit = settings.renewalLimit, !subscription.isBound else { return false }
        return subscription.renewals >= limit
    }

    /// The payment for the next period fails.
    ///
    /// - Parameter end: when the present period ends, in milliseconds since 1970.
    private mutating func failToRenew(_ index: SubscriptionPlace, at end: Int) throws(StoreRefusal) {
        guard settings.hasGracePeriods, purchases[index].commitment == nil,
            let period = purchases.product(ofSubscription: index).subscription?.period
        else {
            return try enterBillingRetry(index, .didFailToRenew)
        }
        let graceEnd = end + (settings.gracePeriod ?? settings.timeRate.gracePeriod(of: period))
        purchases[index].phase = .gracePeriod(end: graceEnd)
        purchases[index].gracePeriodEnd = graceEnd
        purchases.schedule(index)
        try notify(.didFailToRenew, .gracePeriod, subscription: index)
    }

    /// The App Store goes on trying for 60 days from the day of the renewal, through a grace period or without one.
    private mutating func enterBillingRetry(
        _ index: SubscriptionPlace, _ type: ServerNotification.NotificationType
    ) throws(StoreRefusal) {
        let end = purchases[purchases[index].latest].expiresDate ?? now
        purchases[index].phase = .billingRetry(
            end: max(now, end + billingRetryPeriod(of: purchases[index])))
        purchases.schedule(index)
        try notify(type, nil, subscription: index)
    }

    /// Starts the next period.
    ///
    /// - Parameters:
    ///   - start: when it begins, in milliseconds since 1970.
    ///   - subtype: `billingRecovery` after a failed payment.
    mutating func renew(
        _ index: SubscriptionPlace, at start: Int, _ subtype: ServerNotification.Subtype?
    ) throws(StoreRefusal) {
        let subscription = purchases[index]
        let present = purchases[subscription.latest].product
        // Within a commitment, the next month is like the present one.
        let staysBound = subscription.isBound
        if !staysBound { beginChosenPlan(index) }
        beginNextItems(index)
        // Time without payment is a gap, also within a grace period (Apple, recentSubscriptionStartDate).
        if let end = purchases[subscription.latest].expiresDate, now - end > settings.timeRate.longestGap {
            purchases[index].recentStart = start
        }
        purchases[index].phase = .active
        if staysBound {
            startPeriod(index, of: present, at: start, offer: nil, isRenewal: true)
        } else {
            let running = subscription.nextOffer
            startPeriod(
                index, of: subscription.nextProduct, at: start, offer: running?.offer, isRenewal: true)
            purchases[index].nextOffer = running.flatMap {
                $0.periods > 1 && $0.offer.paymentMode == .payAsYouGo
                    ? SubscriptionRecord.RunningOffer(offer: $0.offer, periods: $0.periods - 1) : nil
            }
        }
        try notify(.didRenew, subtype, subscription: index)
    }

    /// Lets the product, the plan and the price that the customer chose begin.
    private mutating func beginChosenPlan(_ index: SubscriptionPlace) {
        let subscription = purchases[index]
        if let increase = subscription.priceIncrease {
            purchases[index].price = increase.price
            purchases[index].priceIncrease = nil
        }
        if !isSamePlan(subscription) { purchases[index].price = nil }
        choose(index, subscription.nextProduct, isMonthly: subscription.nextIsMonthly)
    }

    /// Ends a subscription.
    mutating func expire(
        _ index: SubscriptionPlace, _ reason: Product.SubscriptionInfo.RenewalInfo.ExpirationReason
    )
        throws(StoreRefusal)
    {
        purchases[index].phase = .expired(reason)
        purchases[index].willRenew = false
        purchases[index].nextOffer = nil
        purchases.schedule(index)
        let subtype: ServerNotification.Subtype? =
            switch reason {
            case .autoRenewDisabled: .voluntary
            case .billingError: .billingRetry
            case .didNotConsentToPriceIncrease: .priceIncrease
            case .productUnavailable: .productNotForSale
            default: nil
            }
        try notify(.expired, subtype, subscription: index)
    }

    /// The payment succeeds after all. Within a grace period no day is lost; later the new period begins now.
    mutating func recover(_ index: SubscriptionPlace) throws(StoreRefusal) {
        switch purchases[index].phase {
        case .gracePeriod:
            let end = purchases[purchases[index].latest].expiresDate ?? now
            try renew(index, at: end, .billingRecovery)
        case .billingRetry:
            try renew(index, at: now, .billingRecovery)
        case .active, .expired, .revoked:
            throw .notAllowed("the subscription has no billing issue: its renewal did not fail")
        }
    }

    /// Lets a customer's payments fail from now on, or succeed again. Subscriptions whose payment failed are
    /// charged at once then.
    mutating func setPaymentsFail(_ fail: Bool, of customer: CustomerPlace) throws(StoreRefusal) {
        customers[customer].paymentsFail = fail
        guard !fail else { return }
        for index in purchases[customer].subscriptions.values.sorted()
        where purchases[index].sharedFrom == nil {
            switch purchases[index].phase {
            case .gracePeriod, .billingRetry: try recover(index)
            case .active, .expired, .revoked: break
            }
        }
    }

    /// Lets a customer's renewals and purchases fail from now on, or succeed again.
    mutating func setAllPaymentsFail(_ fail: Bool, of customer: CustomerPlace) throws(StoreRefusal) {
        customers[customer].purchasesFail = fail
        try setPaymentsFail(fail, of: customer)
    }

    /// Ends the present period now, and starts the next one, or fails to if payments fail. Automatic renewal is on
    /// afterwards.
    mutating func forceRenewal(_ index: SubscriptionPlace) throws(StoreRefusal) {
        guard purchases[index].sharedFrom == nil else { throw .sharedByFamily }
        let paymentFails = customers[purchases[index].customer].paymentsFail
        switch purchases[index].phase {
        case .active: break
        case .gracePeriod where paymentFails && !settings.hasGracePeriods:
            // Grace periods were turned off meanwhile.
            return try enterBillingRetry(index, .gracePeriodExpired)
        case .gracePeriod, .billingRetry:
            throw .notAllowed("the subscription's payment failed: resolve the issue of its transaction")
        case .expired, .revoked:
            throw .notAllowed("the subscription has ended: it has no period that could renew")
        }
        purchases[purchases[index].latest].expiresDate = now
        purchases[purchases[index].latest].modificationDate = now
        purchases[index].willRenew = true
        if !purchases[index].isBound { purchases[index].commitment?.willRenew = true }
        purchases[index].priceIncrease = nil
        purchases[index].cycle = (now, 0)
        if paymentFails { try failToRenew(index, at: now) } else { try renew(index, at: now, nil) }
    }

    /// Ends the present period now, and with it the subscription.
    mutating func expireNow(_ index: SubscriptionPlace) throws(StoreRefusal) {
        guard !purchases[index].isEnded else { throw .notAllowed("the subscription has ended already") }
        guard purchases[index].sharedFrom == nil else { throw .sharedByFamily }
        if case .active = purchases[index].phase {
            purchases[purchases[index].latest].expiresDate = now
            purchases[purchases[index].latest].modificationDate = now
        }
        try expire(index, .autoRenewDisabled)
    }

    /// The App Store stops selling the product of a subscription, so that it cannot renew.
    mutating func takeOffSale(_ index: SubscriptionPlace) { purchases[index].isOffSale = true }

    /// Ends a subscription for a reason that the App Store does not tell.
    mutating func expireForOtherReasons(_ index: SubscriptionPlace) throws(StoreRefusal) {
        guard !purchases[index].isEnded else { throw .notAllowed("the subscription has ended already") }
        purchases[purchases[index].latest].expiresDate = now
        purchases[purchases[index].latest].modificationDate = now
        try expire(index, .unknown)
    }
}

extension StoreRefusal {
    /// One sentence for all changes that a member of the family cannot make.
    static let sharedByFamily = StoreRefusal.notAllowed(
        "the family shares the subscription with the customer: only its buyer can change it")
}
