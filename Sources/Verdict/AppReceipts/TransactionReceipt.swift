internal import WireFormats

/// The receipt of one transaction, from StoreKit before iOS 7 (`SKPaymentTransaction.transactionReceipt`).
///
/// It is a property list in the old textual form, and contains the purchase as another one. Its signature
/// belongs to a chain that Apple has retired, so **nothing here is verified**: ask the App Store Server API
/// about an identifier.
public struct TransactionReceipt: Hashable, Sendable {
    /// The transaction's identifier, not verified.
    public let unverifiedTransactionID: String
    /// The first transaction's identifier, not verified.
    public let unverifiedOriginalTransactionID: String?
    /// The app's bundle identifier, not verified.
    public let unverifiedBundleID: String?
    /// The product's identifier, not verified.
    public let unverifiedProductID: String?

    /// Reads a transaction's receipt.
    ///
    /// - Parameter bytes: the property list, or its base64 with padding; at most 1 MiB.
    /// - Returns: `nil` if the bytes are not such a receipt, or it does not name a transaction.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= 1 << 20 else { return nil }
        guard let list = Self.propertyList(bytes), let members = Self.strings(in: list),
            let encoded = members["purchase-info"], let purchase = Self.decoded(Array(encoded.utf8)),
            let fields = Self.strings(in: purchase), let identifier = fields["transaction-id"]
        else { return nil }
        unverifiedTransactionID = identifier
        unverifiedOriginalTransactionID = fields["original-transaction-id"]
        unverifiedBundleID = fields["bid"]
        unverifiedProductID = fields["product-id"]
    }

    /// Whether bytes are such a receipt or its base64. It may name no transaction.
    static func isLikely(_ bytes: [UInt8]) -> Bool {
        bytes.count <= 1 << 20 && propertyList(bytes).map(isPropertyList) ?? false
    }

    private static func propertyList(_ bytes: [UInt8]) -> [UInt8]? {
        let isText = bytes.first.map { $0 == UInt8(ascii: "{") || $0 <= 0x20 } ?? false
        return isText ? bytes : decoded(bytes)
    }

    private static func decoded(_ text: [UInt8]) -> [UInt8]? {
        let characters = text.filter { $0 > 0x20 }
        return try? Base64.decode(characters.span, in: 0..<characters.count, alphabet: .standard)
    }

    /// Whether bytes are a property list with a purchase inside.
    static func isPropertyList(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= 1 << 20 else { return false }
        return strings(in: bytes)?["purchase-info"] != nil
    }

    /// The strings of a dictionary in the textual form of property lists, `{ "name" = "value"; … }`. These
    /// receipts consist of such dictionaries. They contain no escapes, so escapes are not resolved.
    private static func strings(in list: [UInt8]) -> [String: String]? {
        var scanner = PropertyListScanner(list)
        guard scanner.skip(UInt8(ascii: "{")) else { return nil }
        var strings: [String: String] = [:]
        while !scanner.skip(UInt8(ascii: "}")) {
            guard let name = scanner.string(), scanner.skip(UInt8(ascii: "=")), let value = scanner.string(),
                scanner.skip(UInt8(ascii: ";")), strings.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return strings
    }
}

/// Scans the tokens of a property list's textual form.
private struct PropertyListScanner {
    private let text: [UInt8]
    private var position = 0

    init(_ text: [UInt8]) { self.text = text }

    /// Skips a character and the white space before it, if it comes next.
    mutating func skip(_ character: UInt8) -> Bool {
        while position < text.count, text[position] <= 0x20 { position += 1 }
        guard position < text.count, text[position] == character else { return false }
        position += 1
        return true
    }

    /// Reads a string in quotation marks.
    mutating func string() -> String? {
        guard skip(UInt8(ascii: "\"")), let end = text[position...].firstIndex(of: UInt8(ascii: "\"")) else {
            return nil
        }
        defer { position = end + 1 }
        return String(validating: text[position..<end], as: UTF8.self)
    }
}
