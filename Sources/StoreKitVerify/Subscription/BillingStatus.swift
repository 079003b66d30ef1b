#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Product.SubscriptionInfo.RenewalInfo {
    /// What renewal information says of billing, by the table of Apple's page on `isInBillingRetry`.
    public enum BillingStatus: Hashable, Sendable {
        /// Active, and not in billing retry: entitled to service.
        case active
        /// In a billing grace period: entitled to service until then.
        case gracePeriod(until: Date)
        /// In billing retry without grace: not entitled.
        case billingRetry
        /// Expired, and billing retry, if there was any, did not recover it: not entitled.
        case expired(ExpirationReason)
    }

    /// What the information says of billing.
    ///
    /// A retry is always for a billing error; where the payload gives another reason or none, the retry counts.
    public var billingStatus: BillingStatus {
        switch (isInBillingRetry, expirationReason, gracePeriodExpirationDate) {
        case (false, nil, _): .active
        case (true, _, let date?): .gracePeriod(until: date)
        case (true, _, nil): .billingRetry
        case (false, let reason?, _): .expired(reason)
        }
    }
}

extension Product.SubscriptionInfo.RenewalState {
    /// Where a subscription stands at an instant.
    ///
    /// In this order: it is revoked from its revocation date on; it is subscribed until its expiration date, or
    /// until the renewal date of information that knows of a renewal; after that, billing decides. So
    /// information from before a renewal does not end what was paid for since, and information about a later
    /// period does not reach back over a time in which nothing was paid for.
    ///
    /// - Parameters:
    ///   - transaction: the latest transaction of the subscription.
    ///   - renewalInfo: its renewal information, bound to the transaction; `nil` if none is known.
    ///   - instant: when.
    public init(
        of transaction: Transaction, renewalInfo: Product.SubscriptionInfo.RenewalInfo?, at instant: Date
    ) {
        if let revocation = transaction.revocationDate, revocation <= instant {
            self = .revoked
            return
        }
        if let expiration = transaction.expirationDate, instant < expiration {
            self = .subscribed
            return
        }
        guard let renewalInfo else {
            self = .expired
            return
        }
        // A retry begins when the latest period ends, which is the renewal date, and had begun when it was signed.
        let periodEnd = renewalInfo.renewalDate ?? transaction.expirationDate ?? renewalInfo.signedDate
        let hasRetryBegun = instant >= min(periodEnd, renewalInfo.signedDate)
        switch renewalInfo.billingStatus {
        case .active:
            let isRenewed = renewalInfo.renewalDate.map { instant < $0 } ?? false
            self = isRenewed && instant >= renewalInfo.signedDate ? .subscribed : .expired
        case .gracePeriod(let end) where hasRetryBegun:
            self = instant < end ? .inGracePeriod : .inBillingRetryPeriod
        case .billingRetry where hasRetryBegun: self = .inBillingRetryPeriod
        case .gracePeriod, .billingRetry, .expired: self = .expired
        }
    }

    /// Whether a customer is entitled to service in this state.
    public var isEntitled: Bool { self == .subscribed || self == .inGracePeriod }
}
