internal import Essentials

extension Product.SubscriptionInfo.RenewalInfo {
    /// Renewal information made from a transaction alone, for a status without signed information. The App
    /// Store has not signed it: it must stay unverified.
    init(absentFor transaction: Transaction) {
        signedContent = transaction.signedContent
        originalTransactionID = transaction.originalID
        currentProductID = transaction.productID
        willAutoRenew = false
        autoRenewPreference = nil
        expirationReason = nil
        isInBillingRetry = false
        gracePeriodExpirationDate = nil
        priceIncreaseStatus = .noIncreasePending
        renewalDate = transaction.expirationDate
        recentSubscriptionStartDate = Date(timeIntervalSince1970: 0)
        environment = transaction.environment
        offer = nil
        eligibleWinBackOfferIDs = []
        renewalPrice = nil
        currency = nil
        appAccountToken = transaction.appAccountToken
        appTransactionID = transaction.appTransactionID
        boxedAdvancedCommerceInfo = nil
        renewalBillingPlanType = nil
        commitmentInfo = nil
        renewalQuantity = nil
        multiSeatInfo = nil
        signedDate = transaction.signedDate
        deviceVerification = Data()
        deviceVerificationNonce = transaction.deviceVerificationNonce
    }
}
