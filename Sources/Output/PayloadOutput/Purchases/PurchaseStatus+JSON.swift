internal import StoreKitVerify
internal import WireFormats

/// The members that entitlements and listed purchases have in common, with StoreKit's names.
extension PurchaseStatus {
    /// The state of an auto-renewable subscription as StoreKit names it; `nil` for other products, and for a state that
    /// this version does not know.
    var stateName: String? { state.flatMap { Product.SubscriptionInfo.RenewalState.name(of: $0.rawValue) } }

    /// Adds the owned product, and the state of a subscription.
    func addProduct(to object: inout ObjectText) {
        object.add("productID", transaction.productID)
        object.add("productType", transaction.productType.rawValue)
        object.add("state", stateName)
    }

    /// Adds when and how it was bought, and until when it lasts.
    func addPurchase(to object: inout ObjectText) {
        object.add("id", id: transaction.id)
        object.add("originalID", id: transaction.originalID)
        object.addUnlessEmpty("ownershipType", transaction.ownershipType.rawValue)
        object.add("purchaseDate", transaction.purchaseDate)
        object.add("expirationDate", transaction.expirationDate)
        object.add(
            "gracePeriodExpirationDate", gracePeriodEnd ?? renewalInfo?.gracePeriodExpirationDate)
        if let renewalInfo {
            object.add("willAutoRenew", renewalInfo.willAutoRenew)
            object.add("autoRenewPreference", renewalInfo.autoRenewPreference)
        }
        object.addUnlessEmpty("appBundleID", purchase.appBundleID)
        object.addUnlessEmpty("environment", purchase.environment.rawValue)
        if let seats {
            var count = ObjectText()
            count.add("purchased", seats.purchased)
            count.add("revoked", seats.revoked)
            count.add("atRenewal", seats.atRenewal)
            object.add("seats", count)
        }
        // No signed transaction has it.
        if transaction.isFromReceipt { object.add("isFromReceipt", true) }
        // The transaction has the purchaser's names. A member must not learn them.
        if let seatClaim { return object.add("seatClaimID", seatClaim.id) }
        object.add("appAccountToken", transaction.appAccountToken)
        object.addUnlessEmpty("appTransactionID", transaction.appTransactionID)
    }
}
