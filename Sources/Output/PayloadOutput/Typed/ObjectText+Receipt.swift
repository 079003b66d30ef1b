internal import Essentials
package import StoreKitVerify
internal import WireFormats

extension ObjectText {
    package init(_ receipt: AppReceipt) {
        self.init()
        add("appID", id: receipt.appID)
        add("appVersion", receipt.appVersion)
        add("appVersionID", id: receipt.appVersionID)
        add("bundleID", receipt.bundleID)
        add("environment", receipt.environment?.rawValue)
        add("originalAppVersion", receipt.originalAppVersion)
        add("originalPurchaseDate", receipt.originalPurchaseDate)
        add("expirationDate", receipt.expirationDate)
        add("requestDate", receipt.requestDate)
        add("signedDate", receipt.signedDate)
        add("deviceVerification", receipt.deviceVerification?.base64EncodedString())
        add("deviceVerificationNonce", receipt.deviceVerificationNonce?.base64EncodedString())
        add("transactions", all: Self.transactions(of: receipt))
    }

    /// The purchases of a receipt.
    static func transactions(of receipt: AppReceipt) -> [ObjectText] {
        receipt.transactions.map(ObjectText.init)
    }

    private init(_ transaction: ReceiptTransaction) {
        self.init()
        add("id", id: transaction.id)
        add("originalID", id: transaction.originalID)
        add("webOrderLineItemID", transaction.webOrderLineItemID)
        add("productID", transaction.productID)
        add("productType", transaction.productType?.rawValue)
        add("purchaseDate", transaction.purchaseDate)
        add("originalPurchaseDate", transaction.originalPurchaseDate)
        add("expirationDate", transaction.expirationDate)
        add("purchasedQuantity", transaction.purchasedQuantity)
        add("isTrialPeriod", transaction.isTrialPeriod)
        add("isInIntroOfferPeriod", transaction.isInIntroOfferPeriod)
        add("offer", transaction.offer.map(ObjectText.init))
        add("revocationDate", transaction.revocationDate)
    }

    private init(_ offer: Transaction.Offer) {
        self.init()
        add("id", offer.id)
        add("type", offer.type.rawValue)
        add("paymentMode", offer.paymentMode?.rawValue)
        add("period", offer.period?.iso8601)
    }
}
