internal import WireFormats

/// The columns of renewal information.
extension RowColumn {
    static let renewalInfo: [RowColumn] =
        [
            .member(
                "renewalOriginalTransactionID", .renewalInfo, "The first transaction of the subscription.",
                .of(.renewalInfo, "originalTransactionId")),
            .member(
                "currentProductID", .renewalInfo, "The product that the customer is subscribed to.",
                .of(.renewalInfo, "productId")),
            .member(
                "autoRenewProductID", .renewalInfo,
                "The product of the next period, if the subscription renews.",
                .of(.renewalInfo, "autoRenewProductId", as: .text)),
        ]
        + enumeration(
            "autoRenewStatus", .renewalInfo, "Whether the subscription will renew: `on` or `off`.",
            .autoRenewStatus, .renewalInfo, "autoRenewStatus")
        + [
            .member(
                "renewalDate", .renewalInfo, "When the latest period ends or renews.",
                .of(.renewalInfo, "renewalDate")),
            .member(
                "renewalPrice", .renewalInfo,
                "The price of the next period, in units of the currency; of several seats the average of one.",
                .of(.renewalInfo, "renewalPrice")),
            .member(
                "renewalCurrency", .renewalInfo, "The currency of the renewal price (ISO 4217).",
                .of(.renewalInfo, "currency")),
        ]
        + enumeration(
            "expirationReason", .renewalInfo, "Why the subscription expired; null while it is active.",
            .expirationReason, .renewalInfo, "expirationIntent")
        + [
            .member(
                "isInBillingRetry", .renewalInfo, "Whether the App Store still tries to charge the customer.",
                .of(.renewalInfo, "isInBillingRetryPeriod")),
            .member(
                "gracePeriodExpirationDate", .renewalInfo, "When the grace period ends.",
                .of(.renewalInfo, "gracePeriodExpiresDate")),
            .member(
                "priceIncreaseStatus", .renewalInfo,
                "Whether the price will increase: `noIncreasePending`, `pending` or `agreed`.",
                RowSource(.renewalInfo, "priceIncreaseStatus", .priceIncreaseStatus)),
            .member(
                "priceIncreaseStatusNumber", .renewalInfo,
                "The number of `priceIncreaseStatus` in the payload.",
                .of(.renewalInfo, "priceIncreaseStatus", as: .integer)),
            .member(
                "recentSubscriptionStartDate", .renewalInfo,
                "When the present series of subscriptions began; gaps below 60 days are ignored.",
                .of(.renewalInfo, "recentSubscriptionStartDate")),
        ]
        + offer("renewal", .renewalInfo, .renewalInfo)
        + [
            .member(
                "eligibleWinBackOfferIDs", .renewalInfo,
                "The win-back offers that the customer is eligible for, best first.",
                .of(.renewalInfo, "eligibleWinBackOfferIds")),
            .member(
                "renewalBillingPlanType", .renewalInfo, "How the next period is billed.",
                .of(.renewalInfo, "renewalBillingPlanType")),
            .member(
                "renewalCommitmentDate", .renewalInfo, "When the commitment renews.",
                .of(.renewalCommitment, "commitmentRenewalDate")),
            .member(
                "renewalCommitmentPrice", .renewalInfo, "The price of the next commitment.",
                .of(.renewalCommitment, "commitmentRenewalPrice")),
        ]
        + enumeration(
            "renewalCommitmentAutoRenewStatus", .renewalInfo,
            "Whether the commitment will renew: `on` or `off`.", .autoRenewStatus, .renewalCommitment,
            "commitmentAutoRenewStatus")
        + [
            .member(
                "renewalCommitmentAutoRenewProductID", .renewalInfo,
                "The product of the next commitment, if it renews.",
                .of(.renewalCommitment, "commitmentAutoRenewProductId", as: .text)),
            .member(
                "renewalCommitmentBillingPlanType", .renewalInfo, "How the next commitment is billed.",
                .of(.renewalCommitment, "commitmentRenewalBillingPlanType")),
            .member(
                "renewalAdvancedCommerceInfo", .renewalInfo,
                "The items of a subscription through the Advanced Commerce API, as they were signed.",
                .of(.renewalInfo, "advancedCommerceInfo")),
            .member(
                "renewalQuantity", .renewalInfo, "The number of seats that will renew, as far as is known.",
                .of(.renewalInfo, "renewalQuantity")),
            .member(
                "renewalSeatCharge", .renewalInfo, "The price of all seats together at the next renewal.",
                RowSource(.renewalSeats, "renewalPriceTiers", .seatCharge)),
            .member(
                "renewalSeatPriceTiers", .renewalInfo,
                "The prices of the seats at the next renewal and how many have each, as they were signed.",
                .of(.renewalSeats, "renewalPriceTiers")),
            .member(
                "renewalEnvironment", .renewalInfo, "The environment that signed the renewal information.",
                .of(.renewalInfo, "environment")),
            .member(
                "renewalAppTransactionID", .renewalInfo, "The app's download, in the renewal information.",
                .of(.renewalInfo, "appTransactionId")),
            .member(
                "renewalAppAccountToken", .renewalInfo,
                "The customer, as the app named them, in the renewal information.",
                .of(.renewalInfo, "appAccountToken")),
            .member(
                "renewalSignedDate", .renewalInfo, "When the renewal information was signed.",
                .of(.renewalInfo, "signedDate")),
        ]
}
