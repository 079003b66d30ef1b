public import SignedPayloads

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A purchase in an app receipt, with the names and types of `Transaction`.
///
/// A property is `nil` where the receipt does not say. What no receipt says has no property: `isUpgraded`,
/// `ownershipType`, `appAccountToken`, `subscriptionGroupID`, `storefront`, `reason`, `price`, `currency`,
/// `revocationReason` and what is newer. Get Transaction Info gives them for the identifier, as a signed
/// transaction.
public struct ReceiptTransaction: Sendable {
    /// The purchase, with every attribute as it was signed.
    public let purchase: InAppPurchase

    init(_ purchase: InAppPurchase) { self.purchase = purchase }

    /// The transaction's identifier (attribute 1703); `nil` where it is no number. Xcode's are 0.
    public var id: UInt64? { Self.identifier(purchase.transactionID) }

    /// The identifier of the first transaction of the purchase, which renewals and restored purchases share
    /// (attribute 1705); `nil` where it is no number.
    public var originalID: UInt64? { Self.identifier(purchase.originalTransactionID) }

    /// The identifier of a subscription's purchase event across devices (attribute 1711); `nil` for other products.
    public var webOrderLineItemID: String? {
        purchase.webOrderLineItemID.flatMap { $0 == 0 ? nil : String($0) }
    }

    /// The product's identifier (attribute 1702).
    public var productID: String? { purchase.productID }

    /// The kind of product (attribute 1707). A number that has no name is kept, in decimal digits.
    public var productType: Product.ProductType? {
        purchase.productType.map { Product.ProductType(rawValue: $0.name ?? String($0.rawValue)) }
    }

    /// When the App Store charged for the purchase or renewal, or restored it (attribute 1704).
    public var purchaseDate: Date? { purchase.purchaseDate }

    /// When the original transaction took place (attribute 1706).
    public var originalPurchaseDate: Date? { purchase.originalPurchaseDate }

    /// When a subscription ends or renews (attribute 1708); `nil` for other products.
    public var expirationDate: Date? { purchase.expirationDate }

    /// How many were bought (attribute 1701).
    public var purchasedQuantity: Int? { purchase.quantity }

    /// When the App Store took the purchase back, which receipts call its cancellation (attribute 1712).
    public var revocationDate: Date? { purchase.cancellationDate }

    /// Whether the subscription is in its free trial (attribute 1713). In no `Transaction`, whose offer says it.
    public var isTrialPeriod: Bool? { purchase.isTrialPeriod }

    /// Whether the subscription is in its introductory price period, which a free trial is not (attribute 1719).
    /// In no `Transaction`, whose offer says it.
    public var isInIntroOfferPeriod: Bool? { purchase.isInIntroOfferPeriod }

    /// The offer that the customer used, as far as a receipt can tell: the promotional one that is named (attribute
    /// 1721), or else an introductory one where this is a free trial or an introductory period.
    ///
    /// Receipts do not name offer codes. The mode of payment is known of a free trial only, and the period of none.
    public var offer: Transaction.Offer? {
        let mode: Transaction.Offer.PaymentMode? = isTrialPeriod ?? false ? .freeTrial : nil
        if let id = purchase.promotionalOfferID {
            return Transaction.Offer(id: id, type: .promotional, paymentMode: mode)
        }
        guard mode != nil || isInIntroOfferPeriod ?? false else { return nil }
        return Transaction.Offer(id: nil, type: .introductory, paymentMode: mode)
    }

    /// Decimal digits and nothing else, as in payloads.
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
