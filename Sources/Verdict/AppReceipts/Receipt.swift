public import Essentials
internal import WireFormats

/// The content of an app receipt: data about the app, and about each purchase in it.
///
/// Do not trust this content until a verifier has verified the receipt. A property is `nil` if its attribute
/// is absent, empty or unreadable; `attributes` has everything as it was signed. Apple documents the
/// attributes that refer to *Receipt Fields* below (Receipt Validation Programming Guide). The others are
/// known from receipts.
///
/// Reading a property takes time linear in the number of the receipt's own attributes: some twenty, plus one
/// for each purchase.
public struct Receipt: Sendable {
    /// The attributes that checks read, as a bit mask of their numbers. Each may occur once only.
    private static let readByChecks = [
        AttributeType.environment, .appID, .bundleID, .opaqueValue, .sha1Hash, .requestDate, .creationDate,
    ].reduce(UInt64(0)) { $0 | 1 << UInt64($1.rawValue) }

    let list: AttributeList

    /// Reads the content that a receipt's signature covers.
    ///
    /// Time and memory are linear in the content.
    package init(content: [UInt8]) throws(ReceiptError) {
        list = try AttributeList(content)
        var seen: UInt64 = 0
        for index in 0..<list.count where (0..<64).contains(list.entries[index].type) {
            let bit = 1 << UInt64(list.entries[index].type) & Self.readByChecks
            guard seen & bit == 0 else { throw .duplicateAttribute(list.entries[index].type) }
            seen |= bit
        }
    }

    /// The content that the signature covers, in DER.
    public var content: [UInt8] { list.content }

    /// The receipt's own attributes, known and unknown, in order. Each purchase is one of them.
    public var attributes: [ReceiptAttribute] { (0..<list.count).map(list.attribute) }

    /// The purchases (attribute 17; Receipt Fields, *In-App Purchase Receipt*), in their order.
    public var purchases: [InAppPurchase] { list.purchases.map { InAppPurchase(list: list, range: $0) } }

    /// The transaction identifiers of all purchases, in their order; see `InAppPurchase.transactionID`.
    public var transactionIDs: [String] { purchases.compactMap(\.transactionID) }

    // MARK: - The app

    /// The receipt's environment (attribute 0, not documented): `Production`, `ProductionSandbox`,
    /// `ProductionVPP`, `ProductionVPPSandbox` or `Xcode`. `verifyReceipt` calls it `receipt_type`.
    public var receiptType: String? { text(.environment) }

    /// The app's Apple ID (attribute 1, not documented); 0 outside production. `verifyReceipt` calls it
    /// `app_item_id` and `adam_id`.
    public var appID: UInt64? { integer(.appID) }

    /// The app's bundle identifier (attribute 2; Receipt Fields, *Bundle Identifier*).
    public var bundleID: String? { text(.bundleID) }

    /// The value of attribute 2 with its tag and length, as the device hash covers it.
    public var bundleIDData: [UInt8]? { bytes(.bundleID) }

    /// The version of the app that requested the receipt (attribute 3; Receipt Fields, *App Version*).
    public var appVersion: String? { text(.appVersion) }

    /// Bytes that the device hash covers (attribute 4; Receipt Fields, *Opaque Value*).
    public var opaqueValue: [UInt8]? { bytes(.opaqueValue) }

    /// The SHA-1 hash that binds the receipt to a device, 20 bytes (attribute 5; Receipt Fields, *SHA-1
    /// Hash*).
    public var sha1Hash: [UInt8]? { bytes(.sha1Hash) }

    /// The date of the request for the receipt (attribute 8, not documented); most receipts leave it empty.
    public var requestDate: Date? { date(.requestDate) }

    /// The age rating, for instance `4+` (attribute 10, not documented).
    public var ageRating: String? { text(.ageRating) }

    /// The developer's number at Apple (attribute 11, not documented).
    public var developerID: UInt64? { integer(.developerID) }

    /// The receipt's creation date (attribute 12; Receipt Fields, *Receipt Creation Date*). Its certificates
    /// must have been valid at this date.
    public var creationDate: Date? { date(.creationDate) }

    /// The number of the app's download (attribute 15, not documented); 0 outside production. `verifyReceipt`
    /// calls it `download_id`.
    public var downloadID: UInt64? { integer(.downloadID) }

    /// Apple's number for the version of the app (attribute 16, not documented); 0 outside production.
    /// `verifyReceipt` calls it `version_external_identifier`.
    public var appVersionID: UInt64? { integer(.appVersionID) }

    /// The date when the app was first bought or downloaded (attribute 18, not documented); a date in 2013 in
    /// the sandbox. `verifyReceipt` calls it `original_purchase_date`.
    public var originalPurchaseDate: Date? { date(.originalPurchaseDate) }

    /// The version of the app that was first bought (attribute 19; Receipt Fields, *Original Application
    /// Version*); `1.0` in the sandbox.
    public var originalAppVersion: String? { text(.originalAppVersion) }

    /// The date when the receipt expires, for an app of the Volume Purchase Program (attribute 21; Receipt
    /// Fields, *Receipt Expiration Date*).
    public var expirationDate: Date? { date(.expirationDate) }
}

/// A purchase in an app receipt.
///
/// A property is `nil` if its attribute is absent, empty or unreadable; `attributes` has everything as it was
/// signed.
public struct InAppPurchase: Sendable {
    let list: AttributeList
    let range: Range<Int>

    /// The purchase's attributes, known and unknown, in order.
    public var attributes: [ReceiptAttribute] { range.map(list.attribute) }

    /// The number of items bought (attribute 1701; Receipt Fields, *Quantity*).
    public var quantity: Int? { integer(.quantity).flatMap { Int(exactly: $0) } }

    /// The product's identifier (attribute 1702; Receipt Fields, *Product Identifier*).
    public var productID: String? { text(.productID) }

    /// The transaction's identifier (attribute 1703; Receipt Fields, *Transaction Identifier*).
    public var transactionID: String? { text(.transactionID) }

    /// The date when the product was bought or renewed (attribute 1704; Receipt Fields, *Purchase Date*).
    public var purchaseDate: Date? { date(.purchaseDate) }

    /// The identifier of a subscription's first transaction, or of the restored transaction (attribute 1705;
    /// Receipt Fields, *Original Transaction Identifier*).
    public var originalTransactionID: String? { text(.originalTransactionID) }

    /// The date of the original transaction (attribute 1706; Receipt Fields, *Original Purchase Date*).
    public var originalPurchaseDate: Date? { date(.originalPurchaseDate) }

    /// The product's type (attribute 1707, not documented).
    public var productType: ProductType? { integer(.productType).map { ProductType(rawValue: $0) } }

    /// The date when the subscription expires or renews (attribute 1708; Receipt Fields, *Subscription
    /// Expiration Date*).
    public var expirationDate: Date? { date(.expirationDate) }

    /// The number of the order for the subscription's renewal (attribute 1711; Receipt Fields, *Web Order
    /// Line Item ID*); 0 if there is none.
    public var webOrderLineItemID: UInt64? { integer(.webOrderLineItemID) }

    /// The date when Apple's support cancelled the purchase (attribute 1712; Receipt Fields, *Cancellation
    /// Date*).
    public var cancellationDate: Date? { date(.cancellationDate) }

    /// Whether the subscription is in its free trial (attribute 1713, not documented). `verifyReceipt` calls
    /// it `is_trial_period`.
    public var isTrialPeriod: Bool? { integer(.trialPeriod).map { $0 != 0 } }

    /// Whether the subscription is in its introductory price period (attribute 1719; Receipt Fields,
    /// *Subscription Introductory Price Period*).
    public var isInIntroOfferPeriod: Bool? { integer(.introOfferPeriod).map { $0 != 0 } }

    /// The identifier of the promotional offer (attribute 1721, not documented). `verifyReceipt` calls it
    /// `promotional_offer_id`.
    public var promotionalOfferID: String? { text(.promotionalOfferID) }

    /// A product's type, by its number in receipts.
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: UInt64

        /// A type by its number.
        public init(rawValue: UInt64) { self.rawValue = rawValue }

        /// A product that is bought once.
        public static let nonConsumable = ProductType(rawValue: 0)
        /// A product that is used up and can be bought again.
        public static let consumable = ProductType(rawValue: 1)
        /// A subscription that does not renew.
        public static let nonRenewable = ProductType(rawValue: 2)
        /// A subscription that renews automatically.
        public static let autoRenewable = ProductType(rawValue: 3)
    }
}

/// The known attributes of a receipt.
package enum AttributeType: Int, CaseIterable {
    case environment = 0
    case appID = 1
    case bundleID = 2
    case appVersion = 3
    case opaqueValue = 4
    case sha1Hash = 5
    case requestDate = 8
    case ageRating = 10
    case developerID = 11
    case creationDate = 12
    case downloadID = 15
    case appVersionID = 16
    case purchase = 17
    case originalPurchaseDate = 18
    case originalAppVersion = 19
    case expirationDate = 21
}

/// The known attributes of a purchase.
package enum PurchaseAttributeType: Int, CaseIterable {
    case quantity = 1701
    case productID = 1702
    case transactionID = 1703
    case purchaseDate = 1704
    case originalTransactionID = 1705
    case originalPurchaseDate = 1706
    case productType = 1707
    case expirationDate = 1708
    case webOrderLineItemID = 1711
    case cancellationDate = 1712
    case trialPeriod = 1713
    case introOfferPeriod = 1719
    case promotionalOfferID = 1721
}

extension Receipt {
    private func value(_ type: AttributeType) -> Range<Int>? { list.value(type.rawValue, in: 0..<list.count) }

    private func text(_ type: AttributeType) -> String? { value(type).flatMap(list.text) }

    private func integer(_ type: AttributeType) -> UInt64? { value(type).flatMap(list.integer) }

    private func date(_ type: AttributeType) -> Date? { value(type).flatMap(list.date) }

    private func bytes(_ type: AttributeType) -> [UInt8]? { value(type).map { Array(list.content[$0]) } }

    /// The date at which to judge the certificates, and its origin.
    package enum DateFound: Sendable {
        /// Milliseconds since 1970. `attribute` describes the attribute for a person.
        case milliseconds(Int64, attribute: String)
        /// The creation date exists but is unreadable; the text is as written.
        case unreadable(String)
        /// The receipt has no date.
        case absent
    }

    /// The creation date. If it is absent, the request date takes its place, or else the last purchase's
    /// date. The receipt cannot be older than either.
    package var effectiveDate: DateFound {
        if let value = value(.creationDate), !list.isEmptyText(value) {
            guard let milliseconds = list.milliseconds(value) else {
                return .unreadable(list.written(value))
            }
            return .milliseconds(milliseconds, attribute: "receipt creation date, attribute 12")
        }
        if let value = value(.requestDate), let milliseconds = list.milliseconds(value) {
            return .milliseconds(milliseconds, attribute: "request date, attribute 8")
        }
        let purchaseDates = list.purchases.compactMap { purchase in
            list.value(PurchaseAttributeType.purchaseDate.rawValue, in: purchase).flatMap(list.milliseconds)
        }
        guard let latest = purchaseDates.max() else { return .absent }
        return .milliseconds(latest, attribute: "latest purchase date, attribute 1704")
    }
}

extension InAppPurchase {
    private func value(_ type: PurchaseAttributeType) -> Range<Int>? { list.value(type.rawValue, in: range) }

    private func text(_ type: PurchaseAttributeType) -> String? { value(type).flatMap(list.text) }

    private func integer(_ type: PurchaseAttributeType) -> UInt64? { value(type).flatMap(list.integer) }

    private func date(_ type: PurchaseAttributeType) -> Date? { value(type).flatMap(list.date) }
}

extension AttributeList {
    func text(_ value: Range<Int>) -> String? {
        let content = content
        guard let text = AttributeValue.text(content.span, value), !text.isEmpty else { return nil }
        return String(decoding: content[text], as: UTF8.self)
    }

    func integer(_ value: Range<Int>) -> UInt64? {
        let content = content
        return AttributeValue.integerElement(content.span, value)
    }

    func milliseconds(_ value: Range<Int>) -> Int64? {
        let content = content
        guard let text = AttributeValue.text(content.span, value) else { return nil }
        return CalendarTime.milliseconds(receiptDate: content.span.extracting(text))
    }

    func date(_ value: Range<Int>) -> Date? {
        milliseconds(value).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }

    /// Whether a value is an empty string, which means absent.
    func isEmptyText(_ value: Range<Int>) -> Bool {
        let content = content
        return AttributeValue.text(content.span, value)?.isEmpty ?? false
    }

    /// A value for a message: its text, or otherwise its bytes in hexadecimal.
    func written(_ value: Range<Int>) -> String {
        if let text = text(value) { return "\"\(text.prefix(64))\"" }
        return hexadecimal(content[value].prefix(32))
    }
}
