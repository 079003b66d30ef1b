public import Essentials
public import SignedPayloads

/// A purchase in an app receipt, with the names and types of `Transaction`.
///
/// A property is `nil` if the receipt lacks the attribute.
///
/// Receipts have no `isUpgraded`, `ownershipType`, `appAccountToken`, `subscriptionGroupID`, `storefront`,
/// `reason`, `price`, `currency` and `revocationReason`, and no newer members. So there are no such
/// properties. Get Transaction Info returns them, in a signed transaction, for the purchase's `id`.
public struct ReceiptTransaction: Sendable {
    /// The purchase, with every attribute as it was signed.
    public let purchase: InAppPurchase

    init(_ purchase: InAppPurchase) { self.purchase = purchase }

    /// The transaction's identifier (attribute 1703); `nil` if it is not a number. Xcode writes 0.
    public var id: UInt64? { Self.identifier(purchase.transactionID) }

    /// The identifier of the purchase's first transaction (attribute 1705); `nil` if it is not a number.
    /// Renewals and restored purchases have the same one.
    public var originalID: UInt64? { Self.identifier(purchase.originalTransactionID) }

    /// The identifier of a subscription's purchase event across devices (attribute 1711). `nil` for other
    /// products.
    public var webOrderLineItemID: String? {
        purchase.webOrderLineItemID.flatMap { $0 == 0 ? nil : String($0) }
    }

    /// The product's identifier (attribute 1702).
    public var productID: String? { purchase.productID }

    /// The kind of product (attribute 1707). An unknown number is kept, in decimal digits.
    public var productType: Product.ProductType? {
        purchase.productType.map { Product.ProductType(rawValue: $0.name ?? String($0.rawValue)) }
    }

    /// When the App Store charged for the purchase or renewal, or restored it (attribute 1704).
    public var purchaseDate: Date? { purchase.purchaseDate }

    /// When the original transaction took place (attribute 1706).
    public var originalPurchaseDate: Date? { purchase.originalPurchaseDate }

    /// When a subscription ends or renews (attribute 1708); `nil` for other products.
    public var expirationDate: Date? { purchase.expirationDate }

    /// The number of products bought (attribute 1701).
    public var purchasedQuantity: Int? { purchase.quantity }

    /// When the App Store revoked the purchase (attribute 1712). Receipts call it the cancellation date.
    public var revocationDate: Date? { purchase.cancellationDate }

    /// Whether the subscription is in its free trial (attribute 1713). `Transaction` has no such property:
    /// its `offer` has it.
    public var isTrialPeriod: Bool? { purchase.isTrialPeriod }

    /// Whether the subscription is in its introductory price period (attribute 1719). A free trial does not
    /// count as one. `Transaction` has no such property: its `offer` has it.
    public var isInIntroOfferPeriod: Bool? { purchase.isInIntroOfferPeriod }

    /// The offer that the customer used, as far as a receipt has it. It is the promotional offer that the
    /// receipt names (attribute 1721). Otherwise it is an introductory offer, if this is a free trial or an
    /// introductory period.
    ///
    /// Receipts do not name offer codes. The payment mode is known for free trials only, and the period is
    /// never known.
    public var offer: Transaction.Offer? {
        let mode: Transaction.Offer.PaymentMode? = isTrialPeriod ?? false ? .freeTrial : nil
        if let id = purchase.promotionalOfferID {
            return Transaction.Offer(id: id, type: .promotional, paymentMode: mode)
        }
        guard mode != nil || isInIntroOfferPeriod ?? false else { return nil }
        return Transaction.Offer(id: nil, type: .introductory, paymentMode: mode)
    }

    /// Reads decimal digits and nothing else, as in payloads.
    private static func identifier(_ text: String?) -> UInt64? {
        guard let text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt64(text)
    }
}

extension ReceiptTransaction: Hashable {
    /// Whether two purchases have the same attributes, byte for byte.
    public static func == (one: ReceiptTransaction, other: ReceiptTransaction) -> Bool {
        one.purchase.attributes == other.purchase.attributes
    }

    /// Hashes the attributes.
    public func hash(into hasher: inout Hasher) { hasher.combine(purchase.attributes) }
}
