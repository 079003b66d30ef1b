import StoreKitVerify

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension TypedObject {
    init(_ transaction: Transaction) {
        add("id", id: transaction.id)
        add("originalID", id: transaction.originalID)
        add("webOrderLineItemID", transaction.webOrderLineItemID)
        addUnlessEmpty("appBundleID", transaction.appBundleID)
        add("productID", transaction.productID)
        add("productType", transaction.productType.rawValue)
        add("subscriptionGroupID", transaction.subscriptionGroupID)
        add("purchaseDate", transaction.purchaseDate)
        add("originalPurchaseDate", transaction.originalPurchaseDate)
        add("expirationDate", transaction.expirationDate)
        add("purchasedQuantity", transaction.purchasedQuantity)
        add("isUpgraded", transaction.isUpgraded)
        addUnlessEmpty("ownershipType", transaction.ownershipType.rawValue)
        add("appAccountToken", transaction.appAccountToken)
        addUnlessEmpty("environment", transaction.environment.rawValue)
        addUnlessEmpty("storefront", transaction.storefront.countryCode)
        addUnlessEmpty("reason", transaction.reason.rawValue)
        add("offer", transaction.offer.map(TypedObject.init))
        add("price", transaction.price)
        add("currency", transaction.currency?.identifier)
        add("revocationDate", transaction.revocationDate)
        add("revocationReason", transaction.revocationReason?.rawValue)
        add("revocationType", transaction.revocationType?.rawValue)
        add("revocationPercentage", transaction.revocationPercentage)
        addUnlessEmpty("appTransactionID", transaction.appTransactionID)
        add("billingPlanType", transaction.billingPlanType?.rawValue)
        add("previousOriginalTransactionID", id: transaction.previousOriginalTransactionID)
        add("signedDate", transaction.signedDate)
        addBinding(of: transaction)
    }

    init(_ info: Product.SubscriptionInfo.RenewalInfo) {
        add("originalTransactionID", id: info.originalTransactionID)
        add("currentProductID", info.currentProductID)
        add("autoRenewPreference", info.autoRenewPreference)
        add("willAutoRenew", info.willAutoRenew)
        add("expirationReason", info.expirationReason?.rawValue)
        add("isInBillingRetry", info.isInBillingRetry)
        add("gracePeriodExpirationDate", info.gracePeriodExpirationDate)
        add("priceIncreaseStatus", "\(info.priceIncreaseStatus)")
        add("renewalDate", info.renewalDate)
        add("recentSubscriptionStartDate", info.recentSubscriptionStartDate)
        addUnlessEmpty("environment", info.environment.rawValue)
        add("offer", info.offer.map(TypedObject.init))
        add("eligibleWinBackOfferIDs", info.eligibleWinBackOfferIDs)
        add("renewalPrice", info.renewalPrice)
        add("currency", info.currency?.identifier)
        add("appAccountToken", info.appAccountToken)
        addUnlessEmpty("appTransactionID", info.appTransactionID)
        add("renewalBillingPlanType", info.renewalBillingPlanType?.rawValue)
        add("signedDate", info.signedDate)
        addBinding(of: info)
    }

    init(_ transaction: AppTransaction) {
        add("appID", id: transaction.appID)
        add("appVersion", transaction.appVersion)
        add("appVersionID", id: transaction.appVersionID)
        add("bundleID", transaction.bundleID)
        addUnlessEmpty("environment", transaction.environment.rawValue)
        add("originalAppVersion", transaction.originalAppVersion)
        add("originalPurchaseDate", transaction.originalPurchaseDate)
        add("preorderDate", transaction.preorderDate)
        add("revocationDate", transaction.revocationDate)
        addUnlessEmpty("appTransactionID", transaction.appTransactionID)
        addUnlessEmpty("originalPlatform", transaction.originalPlatform.rawValue)
        add("signedDate", transaction.signedDate)
        addBinding(of: transaction)
    }

    init(_ notification: ServerNotification) {
        add("notificationType", notification.notificationType.rawValue)
        add("subtype", notification.subtype?.rawValue)
        add("notificationUUID", notification.notificationUUID)
        add("version", notification.version)
        add("signedDate", notification.signedDate)
        add("accessChange", "\(notification.accessChange)")
        add("bundleID", notification.bundleID)
        addUnlessEmpty("environment", notification.environment?.rawValue ?? "")
        add("status", notification.data?.status?.rawValue)
        add("transaction", (notification.data?.transaction?.unsafePayloadValue).map(TypedObject.init))
        add("renewalInfo", (notification.data?.renewalInfo?.unsafePayloadValue).map(TypedObject.init))
        add(
            "appTransaction", (notification.appData?.appTransaction?.unsafePayloadValue).map(TypedObject.init)
        )
    }

    init(_ request: RealtimeRequest) {
        add("originalTransactionID", id: request.originalTransactionID)
        add("appAppleID", id: request.appAppleID)
        add("productID", request.productID)
        add("userLocale", request.userLocaleIdentifier)
        add("requestIdentifier", request.requestIdentifier)
        add("signedDate", request.signedDate)
        addUnlessEmpty("environment", request.environment.rawValue)
    }

    private init(_ offer: Transaction.Offer) {
        add("id", offer.id)
        add("type", offer.type.rawValue)
        add("paymentMode", offer.paymentMode?.rawValue)
        add("period", offer.period?.iso8601)
    }

    private mutating func addBinding(of value: some DeviceSignedValue) {
        guard !value.deviceVerification.isEmpty else { return }
        add("deviceVerification", value.deviceVerification.base64EncodedString())
        add("deviceVerificationNonce", value.deviceVerificationNonce)
    }
}
