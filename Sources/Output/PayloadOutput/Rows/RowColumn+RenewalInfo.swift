internal import WireFormats

/// The columns of renewal information.
extension RowColumn {
    static let renewalInfo: [RowColumn] =
        [
            .member("renewalOriginalTransactionID", .of(.renewalInfo, "originalTransactionId")),
            .member("currentProductID", .of(.renewalInfo, "productId")),
            .member("autoRenewProductID", .of(.renewalInfo, "autoRenewProductId", as: .text)),
        ]
        + enumeration("autoRenewStatus", .autoRenewStatus, .renewalInfo, "autoRenewStatus")
        + [
            .member("renewalDate", .of(.renewalInfo, "renewalDate")),
            .member("renewalPrice", .of(.renewalInfo, "renewalPrice")),
            .member("renewalCurrency", .of(.renewalInfo, "currency")),
        ]
        + enumeration("expirationReason", .expirationReason, .renewalInfo, "expirationIntent")
        + [
            .member("isInBillingRetry", .of(.renewalInfo, "isInBillingRetryPeriod")),
            .member("gracePeriodExpirationDate", .of(.renewalInfo, "gracePeriodExpiresDate")),
            .member(
                "priceIncreaseStatus", RowSource(.renewalInfo, "priceIncreaseStatus", .priceIncreaseStatus)),
            .member("priceIncreaseStatusNumber", .of(.renewalInfo, "priceIncreaseStatus", as: .integer)),
            .member("recentSubscriptionStartDate", .of(.renewalInfo, "recentSubscriptionStartDate")),
        ]
        + offer("renewal", .renewalInfo)
        + [
            .member("eligibleWinBackOfferIDs", .of(.renewalInfo, "eligibleWinBackOfferIds")),
            .member("renewalBillingPlanType", .of(.renewalInfo, "renewalBillingPlanType")),
            .member("renewalCommitmentDate", .of(.renewalCommitment, "commitmentRenewalDate")),
            .member("renewalCommitmentPrice", .of(.renewalCommitment, "commitmentRenewalPrice")),
        ]
        + enumeration(
            "renewalCommitmentAutoRenewStatus", .autoRenewStatus, .renewalCommitment,
            "commitmentAutoRenewStatus")
        + [
            .member(
                "renewalCommitmentAutoRenewProductID",
                .of(.renewalCommitment, "commitmentAutoRenewProductId", as: .text)),
            .member(
                "renewalCommitmentBillingPlanType",
                .of(.renewalCommitment, "commitmentRenewalBillingPlanType")),
            .member("renewalAdvancedCommerceInfo", .of(.renewalInfo, "advancedCommerceInfo")),
            .member("renewalQuantity", .of(.renewalInfo, "renewalQuantity")),
            .member("renewalSeatCharge", RowSource(.renewalSeats, "renewalPriceTiers", .seatCharge)),
            .member("renewalSeatPriceTiers", .of(.renewalSeats, "renewalPriceTiers")),
            .member("renewalEnvironment", .of(.renewalInfo, "environment")),
            .member("renewalAppTransactionID", .of(.renewalInfo, "appTransactionId")),
            .member("renewalAppAccountToken", .of(.renewalInfo, "appAccountToken")),
            .member("renewalSignedDate", .of(.renewalInfo, "signedDate")),
        ]
}
