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
    /// information from before a renewal does not end what was paid for since.
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
        switch renewalInfo?.billingStatus {
        case .active: self = (renewalInfo?.renewalDate).map { instant < $0 } ?? false ? .subscribed : .expired
        case .gracePeriod(let end): self = instant < end ? .inGracePeriod : .inBillingRetryPeriod
        case .billingRetry: self = .inBillingRetryPeriod
        case .expired, nil: self = .expired
        }
    }

    /// Whether a customer is entitled to service in this state.
    public var isEntitled: Bool { self == .subscribed || self == .inGracePeriod }
}
