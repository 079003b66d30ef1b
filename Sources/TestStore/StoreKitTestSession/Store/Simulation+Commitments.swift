internal import StoreKitVerify
internal import WireFormats

/// Plans of a year that are billed month by month: the customer is bound to all twelve months.
///
/// A cancellation takes effect after the last month, there are no grace periods, and the App Store tries to charge for 90
/// days. A change to another product or plan, and a new price, wait for the last month too (Apple's page "Managing the life
/// cycle of monthly subscriptions with a 12-month commitment", 2026).
extension Simulation {
    /// The length of a billing period, and of billing retry, under a commitment.
    private static let month = Product.SubscriptionPeriod(value: 1, unit: .month)
    private static let retryDays = 90

    /// Has a product renew under one of its plans, beginning with the next period.
    ///
    /// A monthly plan binds the customer to a year, whose months `startMonth` counts.
    mutating func choose(_ index: SubscriptionPlace, _ product: ConfiguredProduct, isMonthly: Bool) {
        purchases[index].nextProduct = product
        purchases[index].nextIsMonthly = isMonthly
        purchases[index].commitment = isMonthly ? Commitment(number: 0, end: now) : nil
    }

    /// Counts the month that begins. Returns its length.
    ///
    /// - Returns: a month; `nil` for a subscription without a commitment, whose period is the product's.
    mutating func startMonth(
        _ index: SubscriptionPlace, of product: ConfiguredProduct
    ) -> Product.SubscriptionPeriod? {
        guard purchases[index].commitment != nil, let plan = product.subscription?.monthlyPlan else {
            purchases[index].commitment = nil
            return nil
        }
        if purchases[index].commitment?.number == 0 {
            // A price that has risen is the price of each month.
            let price = purchases[index].price.map { $0 * Commitment.months }
            purchases[index].commitment?.price = price ?? plan.commitmentPrice.milliunits
        }
        purchases[index].commitment?.number += 1
        return Self.month
    }

    /// Sets when the last month ends. Late payments and extensions move it with the months that are left.
    mutating func updateCommitmentEnd(_ index: SubscriptionPlace) {
        let cycle = purchases[index].cycle
        guard let number = purchases[index].commitment?.number else { return }
        let end = settings.timeRate.end(
            of: Self.month, times: cycle.periods + Commitment.months - number, after: cycle.start)
        purchases[index].commitment?.end = end
    }

    /// Whether the product and the plan that renew are the present ones.
    func isSamePlan(_ subscription: SubscriptionRecord) -> Bool {
        subscription.nextProduct.id == purchases[subscription.latest].product.id
            && subscription.nextIsMonthly == (subscription.commitment != nil)
    }

    /// How long the App Store tries to charge for a subscription, in milliseconds.
    func billingRetryPeriod(of subscription: SubscriptionRecord) -> Int {
        subscription.commitment == nil
            ? settings.timeRate.billingRetryPeriod : settings.timeRate.days(Self.retryDays)
    }

    // MARK: - Prices

    /// The price of a product's period in its file, in thousandths of the currency's unit.
    func regularPrice(of product: ConfiguredProduct, isMonthly: Bool) -> Int {
        (isMonthly ? product.subscription?.monthlyPlan?.price : nil)?.milliunits ?? product.price.milliunits
    }

    /// The price of a period of the present product and plan, without an offer.
    package func presentPrice(_ subscription: SubscriptionRecord) -> Int {
        let product = purchases[subscription.latest].product
        return subscription.price ?? regularPrice(of: product, isMonthly: subscription.commitment != nil)
    }

    /// The price of a period of what the customer chose, without an offer.
    package func chosenPrice(_ subscription: SubscriptionRecord) -> Int {
        if let managed = subscription.advancedCommerce, managed.next != managed.present,
            managed.next.price != managed.present.price || !isSamePlan(subscription)
        {
            return managed.next.price
        }
        if isSamePlan(subscription), let price = subscription.priceIncrease?.price ?? subscription.price {
            return price
        }
        return regularPrice(of: subscription.nextProduct, isMonthly: subscription.nextIsMonthly)
    }

    /// The price of the whole year of what the customer chose, or of its first period if it is billed up front.
    private func commitmentRenewalPrice(_ subscription: SubscriptionRecord) -> Int {
        let price = chosenPrice(subscription)
        guard subscription.nextIsMonthly, let plan = subscription.nextProduct.subscription?.monthlyPlan else {
            return price
        }
        return price == plan.price.milliunits ? plan.commitmentPrice.milliunits : price * Commitment.months
    }

    // MARK: - Payloads

    /// `commitmentInfo` of a transaction.
    func commitmentInfo(of transaction: TransactionRecord) -> ObjectText? {
        guard let commitment = transaction.commitment else { return nil }
        var info = ObjectText()
        info.add("billingPeriodNumber", commitment.number)
        info.add("commitmentExpiresDate", commitment.end)
        info.add("commitmentPrice", commitment.price)
        info.add("totalBillingPeriods", Commitment.months)
        return info
    }

    /// `commitmentInfo` of renewal information.
    func commitmentInfo(of subscription: SubscriptionRecord) -> ObjectText? {
        guard let commitment = subscription.commitment else { return nil }
        var info = ObjectText()
        info.add("commitmentAutoRenewProductId", subscription.nextProduct.id)
        info.add("commitmentAutoRenewStatus", commitment.willRenew && !subscription.isEnded ? 1 : 0)
        info.add("commitmentRenewalBillingPlanType", plan(isMonthly: subscription.nextIsMonthly))
        info.add("commitmentRenewalDate", commitment.end)
        info.add("commitmentRenewalPrice", commitmentRenewalPrice(subscription))
        return info
    }

    /// How a period is billed; `nil` for products with one plan only.
    func billingPlan(of transaction: TransactionRecord) -> String? {
        guard transaction.product.subscription?.monthlyPlan != nil else { return nil }
        return plan(isMonthly: transaction.commitment != nil)
    }

    /// How the next period is billed; `nil` for products with one plan only.
    func renewalBillingPlan(of subscription: SubscriptionRecord) -> String? {
        guard !subscription.isBound else { return plan(isMonthly: true) }
        guard subscription.nextProduct.subscription?.monthlyPlan != nil else { return nil }
        return plan(isMonthly: subscription.nextIsMonthly)
    }

    private func plan(isMonthly: Bool) -> String {
        let plan: Product.SubscriptionInfo.BillingPlanType = isMonthly ? .monthly : .upFront
        return plan.rawValue
    }
}
