public import Essentials

extension Product.SubscriptionInfo.RenewalInfo {
    /// The billing status, by the table on Apple's page about `isInBillingRetry`.
    public enum BillingStatus: Hashable, Sendable {
        /// The subscription is active and not in billing retry. The customer is entitled to service.
        case active
        /// The subscription is in a billing grace period. The customer is entitled to service until its end.
        case gracePeriod(until: Date)
        /// The subscription is in billing retry without a grace period. The customer is not entitled to
        /// service.
        case billingRetry
        /// The subscription expired, and billing retry did not recover it. The customer is not entitled to
        /// service.
        case expired(ExpirationReason)
    }

    /// The billing status that this information gives.
    ///
    /// A retry always follows a billing error. If the payload gives another reason or no reason, the retry
    /// decides. If it has no retry, and a grace period after the end of the paid one all the same, the
    /// grace period decides as long as renewal is on: the App Store announces it by its date (reported
    /// from production in 2026).
    public var billingStatus: BillingStatus {
        switch (isInBillingRetry, expirationReason, gracePeriodExpirationDate) {
        case (true, _, let date?): .gracePeriod(until: date)
        case (true, _, nil): .billingRetry
        case (false, _, let date?) where willAutoRenew && date > renewalDate ?? signedDate:
            .gracePeriod(until: date)
        case (false, nil, _): .active
        case (false, let reason?, _): .expired(reason)
        }
    }
}

extension Product.SubscriptionInfo.RenewalState {
    /// Computes the state of a subscription at an instant.
    ///
    /// Renewal information counts if it was signed at or after the purchase, and its renewal date is after it: earlier
    /// information does not have the purchase. Then the first of these rules that applies decides:
    ///
    /// 1. The subscription is revoked from its revocation date on, unless the information knows a later
    ///    purchase: it was signed after the revocation, and its renewal date is after the transaction's end.
    /// 2. It is subscribed until the transaction's expiration date, unless the customer has upgraded.
    /// 3. It is subscribed from the signed date of active renewal information until that information's
    ///    renewal date.
    /// 4. Otherwise the billing status decides. Billing retry ends 60 days after the end of the period, or 90 days after
    ///    it for a subscription with a commitment.
    ///
    /// So information from before a renewal does not end a period that the customer has paid for. Information
    /// about a later period does not cover an earlier gap without payment. A refund of a past period does not
    /// end the present one.
    ///
    /// - Parameters:
    ///   - transaction: the latest transaction of the subscription.
    ///   - renewalInfo: the renewal information of the same subscription; `nil` if it is not known.
    ///   - instant: the time of the state.
    public init(
        of transaction: Transaction, renewalInfo: Product.SubscriptionInfo.RenewalInfo?, at instant: Date
    ) {
        self.init(
            of: transaction, renewalInfo: renewalInfo, revokedAt: transaction.revocationDate,
            isSuperseded: transaction.isUpgraded, at: instant)
    }

    /// The status at an instant, also of a purchase that an upgrade has replaced.
    ///
    /// - Parameters:
    ///   - revocation: when the App Store took back the transaction, or one of the same purchase; `nil` if it did not.
    ///   - isSuperseded: whether the customer had upgraded at the instant, to a purchase whose transaction is
    ///     missing.
    init(
        of transaction: Transaction, renewalInfo: Product.SubscriptionInfo.RenewalInfo?,
        revokedAt revocation: Date?, isSuperseded: Bool, at instant: Date
    ) {
        let renewalInfo = renewalInfo.flatMap { $0.knows(transaction) ? $0 : nil }
        if let revocation, revocation <= instant {
            guard let renewalInfo, renewalInfo.signedDate <= instant,
                renewalInfo.isAboutLaterPurchase(than: transaction, revokedAt: revocation)
            else {
                self = .revoked
                return
            }
            self.init(by: renewalInfo, after: transaction, at: instant)
            return
        }
        if let expiration = transaction.expirationDate, instant < expiration, !isSuperseded {
            self = .subscribed
            return
        }
        guard let renewalInfo, !isSuperseded || renewalInfo.knowsUpgrade(of: transaction) else {
            self = .expired
            return
        }
        self.init(by: renewalInfo, after: transaction, at: instant)
    }

    /// Rules 3 and 4.
    private init(
        by renewalInfo: Product.SubscriptionInfo.RenewalInfo, after transaction: Transaction, at instant: Date
    ) {
        // A retry begins when the latest period ends, at the renewal date. It had begun when the information
        // was signed.
        let periodEnd = renewalInfo.renewalDate ?? transaction.expirationDate ?? renewalInfo.signedDate
        let hasRetryBegun = instant >= min(periodEnd, renewalInfo.signedDate)
        let isRetryOver = instant >= periodEnd + Self.maximumRetry(of: transaction, renewalInfo)
        switch renewalInfo.billingStatus {
        case .active:
            let isRenewed = renewalInfo.renewalDate.map { instant < $0 } ?? false
            self = isRenewed && instant >= renewalInfo.signedDate ? .subscribed : .expired
        case .gracePeriod(let end) where hasRetryBegun && instant < end: self = .inGracePeriod
        case .gracePeriod where hasRetryBegun && renewalInfo.isInBillingRetry && !isRetryOver:
            self = .inBillingRetryPeriod
        case .billingRetry where hasRetryBegun && !isRetryOver: self = .inBillingRetryPeriod
        case .gracePeriod, .billingRetry, .expired: self = .expired
        }
    }

    /// How long the App Store tries to charge a customer, in seconds: 60 days (Apple's page on `isInBillingRetry`), and 90
    /// days in a commitment that is billed each month.
    fileprivate static func maximumRetry(
        of transaction: Transaction, _ renewalInfo: Product.SubscriptionInfo.RenewalInfo
    ) -> TimeInterval {
        let isCommitment = transaction.isCommitment || renewalInfo.commitmentInfo != nil
        return (isCommitment ? 90 : 60) * 86_400
    }

    /// The instants at which the rules above can give another state: the dates that they compare an instant with.
    static func instantsOfChange(
        of transaction: Transaction, renewalInfo: Product.SubscriptionInfo.RenewalInfo?
    ) -> [Date] {
        var dates = [transaction.revocationDate, transaction.expirationDate]
        if let renewalInfo, renewalInfo.signedDate >= transaction.purchaseDate {
            let periodEnd = renewalInfo.renewalDate ?? transaction.expirationDate ?? renewalInfo.signedDate
            dates += [
                renewalInfo.signedDate, renewalInfo.gracePeriodExpirationDate, periodEnd,
                periodEnd + maximumRetry(of: transaction, renewalInfo),
            ]
        }
        return dates.compactMap(\.self)
    }

    /// Whether the customer is entitled to service in this state.
    public var isEntitled: Bool { self == .subscribed || self == .inGracePeriod }
}

extension Transaction {
    /// Whether the transaction is a billing period of a commitment, such as one of twelve months.
    var isCommitment: Bool {
        Self.isCommitment(plan: billingPlanType?.rawValue, hasInfo: commitmentInfo != nil)
    }

    package static func isCommitment(plan: String?, hasInfo: Bool) -> Bool {
        plan == Product.SubscriptionInfo.BillingPlanType.monthly.rawValue || hasInfo
    }
}

extension Product.SubscriptionInfo.RenewalInfo {
    /// Whether the information may be about a transaction, or a later one.
    ///
    /// It was signed then or later. If a payment failed and was made up for later, the new period begins at the date on which it
    /// was due: the information about that failure is of the period before.
    func knows(_ transaction: Transaction) -> Bool {
        guard let renewalDate else { return signedDate >= transaction.purchaseDate }
        return signedDate >= transaction.purchaseDate
            && (renewalDate > transaction.purchaseDate || renewalDate == transaction.expirationDate)
    }

    /// Until when the App Store tries to renew a transaction's period, or gives a grace period after it; `nil` if the
    /// information does not say that it failed.
    func endOfTrying(after transaction: Transaction) -> Date? {
        switch billingStatus {
        case .gracePeriod(let end) where !isInBillingRetry: end
        case .gracePeriod, .billingRetry:
            (renewalDate ?? transaction.expirationDate).map {
                $0 + Product.SubscriptionInfo.RenewalState.maximumRetry(of: transaction, self)
            }
        case .active, .expired: nil
        }
    }

    /// Whether the information was signed after a revocation, and is about a purchase that ends later than the
    /// revoked one.
    fileprivate func isAboutLaterPurchase(than transaction: Transaction, revokedAt revocation: Date) -> Bool {
        guard let renewalDate, let expiration = transaction.expirationDate else { return false }
        return signedDate >= revocation && renewalDate > expiration
    }

    /// Whether the information was signed after the customer upgraded from a transaction's product: it names
    /// another product, or it was signed after the payload that says so.
    fileprivate func knowsUpgrade(of transaction: Transaction) -> Bool {
        currentProductID != transaction.productID || signedDate >= transaction.signedDate
    }
}
