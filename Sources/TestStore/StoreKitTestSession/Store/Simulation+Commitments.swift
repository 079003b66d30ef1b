internal import StoreKitVerify
internal import WireFormats

/// Plans of a year that are billed month by month: the customer is bound to all twelve months.
///
/// A cancellation takes effect after the last month, there are no grace periods, and the App Store tries to charge for 90
/// days (Apple's pages on billing plans, 2026).
extension Simulation {
    /// The length of a billing period, and of billing retry, under a commitment.
    private static let month = Product.SubscriptionPeriod(value: 1, unit: .month)
    private static let retryDays = 90

    /// Binds a subscription's customer to a year, which begins with the next period.
    ///
    /// The numbers are set by `startMonth`, which every period calls.
    mutating func commit(_ index: Int, to product: ConfiguredProduct) {
        subscriptions[index].commitment = Commitment(number: 0, end: now)
    }

    /// Counts the month that begins; after the last one, another year begins. Returns its length.
    ///
    /// - Returns: a month; `nil` for a subscription without a commitment, whose period is the product's.
    mutating func startMonth(
        _ index: Int, of product: ConfiguredProduct, at start: Int
    ) -> Product.SubscriptionPeriod? {
        guard var commitment = subscriptions[index].commitment, let year = product.subscription?.period,
            product.subscription?.monthlyPlan != nil
        else {
            subscriptions[index].commitment = nil
            return nil
        }
        if commitment.number % Commitment.months == 0 {
            commitment = Commitment(number: 0, end: timeRate.end(of: year, after: start))
        }
        commitment.number += 1
        subscriptions[index].commitment = commitment
        return Self.month
    }

    /// Whether the present month is not the last one, so that the next one follows whatever the customer chose.
    func isBound(_ subscription: SubscriptionRecord) -> Bool {
        guard let commitment = subscription.commitment, !isEnded(subscription) else { return false }
        return commitment.number < Commitment.months
    }

    /// Whether another period follows the present one.
    func renews(_ subscription: SubscriptionRecord) -> Bool {
        guard let commitment = subscription.commitment else { return subscription.willRenew }
        return isBound(subscription) || commitment.willRenew
    }

    /// Turns the renewal of a commitment on or off. Returns whether there is one.
    mutating func setCommitmentRenews(_ index: Int, _ renews: Bool) throws(StoreRefusal) -> Bool {
        guard subscriptions[index].commitment != nil, !isEnded(subscriptions[index]) else { return false }
        guard subscriptions[index].commitment?.willRenew != renews else {
            throw .notAllowed("automatic renewal is \(renews ? "on" : "off") already")
        }
        subscriptions[index].commitment?.willRenew = renews
        try notify(
            .didChangeRenewalStatus, renews ? .autoRenewEnabled : .autoRenewDisabled, subscription: index)
        return true
    }

    /// How long the App Store tries to charge for a subscription, in milliseconds.
    func billingRetryPeriod(of subscription: SubscriptionRecord) -> Int {
        subscription.commitment == nil ? timeRate.billingRetryPeriod : timeRate.days(Self.retryDays)
    }

    /// The months of a commitment that come after a late payment are later, too.
    mutating func delayCommitment(_ index: Int, by milliseconds: Int) {
        subscriptions[index].commitment?.end += milliseconds
    }

    // MARK: - Payloads

    /// `commitmentInfo` of a transaction.
    func commitmentInfo(of transaction: TransactionRecord) -> ObjectText? {
        guard let commitment = transaction.commitment else { return nil }
        var info = ObjectText()
        info.add("billingPeriodNumber", commitment.number)
        info.add("commitmentExpiresDate", commitment.end)
        info.add("commitmentPrice", commitmentPrice(transaction.product))
        info.add("totalBillingPeriods", Commitment.months)
        return info
    }

    /// `commitmentInfo` of renewal information.
    func commitmentInfo(of subscription: SubscriptionRecord) -> ObjectText? {
        guard let commitment = subscription.commitment else { return nil }
        var info = ObjectText()
        info.add("commitmentAutoRenewProductId", subscription.nextProduct.id)
        info.add("commitmentAutoRenewStatus", commitment.willRenew && !isEnded(subscription) ? 1 : 0)
        info.add("commitmentRenewalBillingPlanType", BillingPlan.monthly.rawValue)
        info.add("commitmentRenewalDate", commitment.end)
        info.add("commitmentRenewalPrice", commitmentPrice(subscription.nextProduct))
        return info
    }

    /// How a period is billed; `nil` for products with one plan only.
    func billingPlan(of transaction: TransactionRecord) -> String? {
        guard transaction.product.subscription?.monthlyPlan != nil else { return nil }
        return (transaction.commitment == nil ? BillingPlan.upFront : .monthly).rawValue
    }

    private typealias BillingPlan = Product.SubscriptionInfo.BillingPlanType

    private func commitmentPrice(_ product: ConfiguredProduct) -> Int? {
        product.subscription?.monthlyPlan?.commitmentPrice.milliunits
    }
}
