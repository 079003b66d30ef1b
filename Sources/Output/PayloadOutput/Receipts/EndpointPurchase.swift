internal import AppReceipts
internal import Essentials
internal import StoreKitVerify
internal import WireFormats

/// A purchase in the form of Apple's `verifyReceipt` endpoint, from a receipt or from a signed transaction.
struct EndpointPurchase {
    let transactionID: String?
    let originalTransactionID: String?
    let date: Date?
    let isAutoRenewable: Bool
    let object: ObjectText

    init(_ purchase: InAppPurchase) {
        transactionID = purchase.transactionID
        originalTransactionID = purchase.originalTransactionID
        date = purchase.purchaseDate
        isAutoRenewable = Self.isAutoRenewable(purchase)
        object = Self.object(for: purchase)
    }

    init(_ transaction: Transaction) {
        transactionID = String(transaction.id)
        originalTransactionID = String(transaction.originalID)
        date = transaction.purchaseDate
        isAutoRenewable = transaction.productType == .autoRenewable
        object = Self.object(for: transaction)
    }

    /// If a receipt has no product type, an expiration date means a subscription.
    static func isAutoRenewable(_ purchase: InAppPurchase) -> Bool {
        purchase.productType.map { $0 == .autoRenewable } ?? (purchase.expirationDate != nil)
    }

    static func object(for purchase: InAppPurchase) -> ObjectText {
        var object = ObjectText()
        object.add("quantity", purchase.quantity.map { String($0) })
        object.add("product_id", purchase.productID)
        object.add("transaction_id", purchase.transactionID)
        object.add("original_transaction_id", purchase.originalTransactionID)
        object.add("purchase_date", endpointForms: purchase.purchaseDate)
        object.add("original_purchase_date", endpointForms: purchase.originalPurchaseDate)
        object.add("expires_date", endpointForms: purchase.expirationDate)
        object.add("cancellation_date", endpointForms: purchase.cancellationDate)
        object.add("web_order_line_item_id", id: purchase.webOrderLineItemID.flatMap { $0 == 0 ? nil : $0 })
        object.add("is_trial_period", purchase.isTrialPeriod.map { String($0) })
        object.add("is_in_intro_offer_period", purchase.isInIntroOfferPeriod.map { String($0) })
        object.add("promotional_offer_id", purchase.promotionalOfferID)
        return object
    }

    /// The members of a receipt's purchase in their order, and then those that only the endpoint knew.
    private static func object(for transaction: Transaction) -> ObjectText {
        var object = ObjectText()
        object.add("quantity", String(transaction.purchasedQuantity))
        object.add("product_id", transaction.productID)
        object.add("transaction_id", id: transaction.id)
        object.add("original_transaction_id", id: transaction.originalID)
        object.add("purchase_date", endpointForms: transaction.purchaseDate)
        object.add("original_purchase_date", endpointForms: transaction.originalPurchaseDate)
        object.add("expires_date", endpointForms: transaction.expirationDate)
        object.add("cancellation_date", endpointForms: transaction.revocationDate)
        object.add("cancellation_reason", transaction.revocationReason.map { String($0.rawValue) })
        object.add("web_order_line_item_id", transaction.webOrderLineItemID)
        let isTrial = isTrial(transaction)
        object.add("is_trial_period", isTrial.map { String($0) })
        object.add("is_in_intro_offer_period", isTrial.map { String(!$0 && isIntro(transaction)) })
        addOffer(transaction.offer, to: &object)
        object.add("is_upgraded", transaction.isUpgraded ? "true" : nil)
        object.addUnlessEmpty("in_app_ownership_type", transaction.ownershipType.rawValue)
        object.add("subscription_group_identifier", transaction.subscriptionGroupID)
        object.add("app_account_token", transaction.appAccountToken)
        return object
    }

    private static func isIntro(_ transaction: Transaction) -> Bool {
        transaction.offer?.type == .introductory
    }

    /// Whether it is the free trial of an introductory offer. Old payloads do not say how an offer is paid: then nothing
    /// is known.
    private static func isTrial(_ transaction: Transaction) -> Bool? {
        guard isIntro(transaction) else { return false }
        return transaction.offer?.paymentMode.map { $0 == .freeTrial }
    }

    static func addOffer(_ offer: Transaction.Offer?, to object: inout ObjectText) {
        object.add("promotional_offer_id", offer?.type == .promotional ? offer?.id : nil)
        object.add("offer_code_ref_name", offer?.type == .code ? offer?.id : nil)
    }
}

extension Product.SubscriptionInfo.RenewalInfo {
    /// An element of `pending_renewal_info` (App Store Receipts, `responseBody.Pending_renewal_info`).
    ///
    /// `price_consent_status` is left out: the payload does not say whether an increase needs consent.
    var endpointObject: ObjectText {
        var object = ObjectText()
        object.add("expiration_intent", expirationReason.map { String($0.rawValue) })
        object.add("auto_renew_product_id", autoRenewPreference)
        if expirationReason != nil || isInBillingRetry {
            object.add("is_in_billing_retry_period", isInBillingRetry ? "1" : "0")
        }
        object.add("grace_period_expires_date", endpointForms: gracePeriodExpirationDate)
        object.add("product_id", currentProductID)
        object.add("original_transaction_id", id: originalTransactionID)
        object.add("auto_renew_status", willAutoRenew ? "1" : "0")
        switch priceIncreaseStatus {
        case .noIncreasePending: break
        case .pending: object.add("price_increase_status", "0")
        case .agreed: object.add("price_increase_status", "1")
        }
        EndpointPurchase.addOffer(offer, to: &object)
        return object
    }
}
