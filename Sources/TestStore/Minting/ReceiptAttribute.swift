/// One ReceiptAttribute of an app receipt or of an in-app purchase in it: type, version and value.
///
/// Apple documents some of the types (Receipt Validation Programming Guide, "Receipt Fields"). Genuine
/// receipts have more.
package struct ReceiptAttribute: Sendable, Equatable {
    /// The types of the receipt's own attributes, under short names.
    package enum App {
        package static let environment = 0
        package static let appIdentifier = 1
        package static let bundleIdentifier = 2
        package static let applicationVersion = 3
        package static let opaqueValue = 4
        package static let deviceHash = 5
        package static let requestDate = 8
        package static let creationDate = 12
        package static let inAppPurchase = 17
        package static let originalPurchaseDate = 18
        package static let originalApplicationVersion = 19
        package static let expirationDate = 21
    }

    /// The types of an in-app purchase's attributes.
    package enum InApp {
        package static let quantity = 1701
        package static let productIdentifier = 1702
        package static let transactionIdentifier = 1703
        package static let purchaseDate = 1704
        package static let originalTransactionIdentifier = 1705
        package static let originalPurchaseDate = 1706
        package static let productType = 1707
        package static let expiresDate = 1708
        package static let webOrderLineItemIdentifier = 1711
        package static let cancellationDate = 1712
        package static let isTrialPeriod = 1713
        package static let isIntroductoryOfferPeriod = 1719
        package static let promotionalOfferIdentifier = 1721
    }

    package var type: Int
    package var version = 1
    /// The contents of the OCTET STRING, which usually are DER again.
    package var value: [UInt8]
    /// Replaces the whole attribute, to make it malformed.
    package var replacement: [UInt8]?

    package init(_ type: Int, version: Int = 1, _ value: [UInt8]) {
        self.type = type
        self.version = version
        self.value = value
    }

    /// Any bytes in place of an attribute.
    package init(replacement: [UInt8]) {
        self.init(-1, [])
        self.replacement = replacement
    }

    /// `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
    package var der: [UInt8] {
        replacement
            ?? DER.sequence(Self.number(type), Self.number(version), DER.octetString(value))
    }

    /// A non-negative INTEGER.
    ///
    /// Eight bytes hold every number of a receipt.
    package static func number(_ value: Int) -> [UInt8] {
        DER.unsignedInteger((0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) })
    }

    /// Text is a UTF8String; it is empty if absent.
    package static func text(_ value: String) -> [UInt8] { DER.utf8String(value) }

    /// A date is an IA5String; it is empty if absent.
    package static func date(_ value: String) -> [UInt8] { DER.ia5String(value) }
}
