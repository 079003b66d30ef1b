#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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
    /// A retry always follows a billing error. If the payload gives another reason or none, the retry
    /// decides.
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
    /// Computes the state of a subscription at an instant.
    ///
    /// The first of these rules that applies decides:
    ///
    /// 1. The subscription is revoked from its revocation date on.
    /// 2. It is subscribed until the transaction's expiration date.
    /// 3. It is subscribed from the signed date of active renewal information until that information's
    /// renewal date.
    /// 4. Otherwise the billing status decides.
    ///
    /// So information from before a renewal does not end a period that the customer has paid for. Information
    /// about a later period does not cover an earlier gap without payment.
    ///
    /// - Parameters:
    ///   - transaction: the latest transaction of the subscription.
    ///   - renewalInfo: the renewal information of the same subscription; `nil` if there is none.
    ///   - instant: the time of the state.
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
        // A retry begins when the latest period ends, at the renewal date. It had begun when the information
        // was signed.
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

    /// Whether the customer is entitled to service in this state.
    public var isEntitled: Bool { self == .subscribed || self == .inGracePeriod }
}
