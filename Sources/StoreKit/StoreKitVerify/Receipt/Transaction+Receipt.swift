internal import Essentials
internal import SignedPayloads
internal import WireFormats

/// Transactions that app receipts list. Of those that signed payloads have too, the signed payloads count; a receipt that was made
/// later adds only that the purchase was taken back.
extension Transaction {
    /// Whether an app receipt gives the transaction. There is no price, storefront, reason or name of a customer then.
    package var isFromReceipt: Bool { signedContent.kind == .receipt }

    /// A purchase of a verified receipt, as a transaction that was signed when the receipt was made.
    ///
    /// - Returns: `nil` if the receipt lacks what every transaction has. Xcode writes no identifiers.
    init?(_ purchase: ReceiptTransaction, in receipt: AppReceipt) {
        guard let id = purchase.id, id != 0, let original = purchase.originalID, original != 0 else {
            return nil
        }
        var object = ObjectText()
        object.add("transactionId", id: id)
        object.add("originalTransactionId", id: original)
        object.add("webOrderLineItemId", purchase.webOrderLineItemID)
        object.add("productId", purchase.productID)
        object.add("type", purchase.assumedType.rawValue)
        object.add("quantity", purchase.purchasedQuantity)
        object.add("purchaseDate", milliseconds: purchase.purchaseDate)
        object.add("originalPurchaseDate", milliseconds: purchase.originalPurchaseDate)
        object.add("expiresDate", milliseconds: purchase.expirationDate)
        object.add("revocationDate", milliseconds: purchase.assumedRevocationDate)
        if let offer = purchase.offer {
            object.add("offerType", offer.type.rawValue)
            object.add("offerIdentifier", offer.id)
            object.add("offerDiscountType", offer.paymentMode?.rawValue)
        }
        object.add("bundleId", receipt.bundleID)
        object.add("environment", receipt.environment?.rawValue)
        object.add("signedDate", milliseconds: receipt.signedDate)
        let content = SignedContent(listed: object.utf8)
        guard var properties = try? PayloadProperties(content, Self.form) else { return nil }
        try? self.init(content, &properties)
    }
}

extension ReceiptTransaction {
    /// The kind of product. A receipt without it (attribute 1707) still tells a subscription by its end.
    fileprivate var assumedType: Product.ProductType {
        productType ?? (expirationDate != nil ? .autoRenewable : Product.ProductType(rawValue: ""))
    }

    /// When the App Store took the purchase back. A date that cannot be read counts as one that has passed; an attribute
    /// without content is absent.
    fileprivate var assumedRevocationDate: Date? {
        let isCancelled = purchase.attributes.contains {
            $0.type == PurchaseAttributeType.cancellationDate.rawValue && $0.value.count > 2
        }
        return revocationDate ?? (isCancelled ? Date(timeIntervalSince1970: 0) : nil)
    }
}

extension ObjectText {
    /// Adds a date as signed payloads have it.
    fileprivate mutating func add(_ name: String, milliseconds date: Date?) {
        add(name, (date?.calendarMilliseconds).flatMap { Int(exactly: $0) })
    }
}
