package import Essentials
internal import StoreKitVerify
internal import WireFormats

/// A value of a table.
package enum TableValue: Hashable, Sendable {
    case null
    case text(String)
    case integer(Int)
    case decimal(Decimal)
    case date(Date)
    /// A text, because many readers would lose digits of a number.
    case identifier(UInt64)

    init(_ text: String?) { self = text.map(Self.text) ?? .null }
    init(unlessEmpty text: String?) { self = text.flatMap { $0.isEmpty ? nil : .text($0) } ?? .null }
    init(_ number: Int?) { self = number.map(Self.integer) ?? .null }
    init(_ number: Decimal?) { self = number.map(Self.decimal) ?? .null }
    /// A date outside the years 1 to 9999 is null, as in rows.
    init(_ date: Date?) { self = date?.calendarMilliseconds == nil ? .null : date.map(Self.date) ?? .null }
    init(_ identifier: UInt64?) { self = identifier.map(Self.identifier) ?? .null }

    var json: [UInt8] {
        switch self {
        case .null: return Array("null".utf8)
        case .integer(let number): return Array(String(number).utf8)
        case .text, .decimal, .date, .identifier:
            var output: [UInt8] = []
            appendJSON(text ?? "", to: &output)
            return output
        }
    }

    /// A field of CSV. Texts are always in quotes: an empty one is not null.
    var field: [UInt8] {
        guard case .text(let text) = self else {
            return self == .null ? [] : Array((self.text ?? String(decoding: json, as: UTF8.self)).utf8)
        }
        let quote = UInt8(ascii: "\"")
        return [quote] + text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    /// The value as a text, of those that JSON has in a string.
    private var text: String? {
        switch self {
        case .text(let text): text
        case .decimal(let number): number.description
        case .date(let date): date.typedText
        case .identifier(let number): String(number)
        case .null, .integer: nil
        }
    }
}

/// A line of a table: the value of each column, in their order.
package typealias TableLine = [(column: String, value: TableValue)]

/// Writes the lines of a table, in the forms of rows: JSON with every column in each line, or CSV (RFC 4180) in which null is
/// an empty field.
package enum TableForm: Sendable {
    case ndjson
    case csv

    /// What comes before the first line.
    ///
    /// - Parameter empty: a line in which all is null.
    package func header(_ empty: TableLine) -> String {
        self == .csv ? empty.map(\.column).joined(separator: ",") + "\r\n" : ""
    }

    /// A line, with its end.
    package func text(of line: TableLine) -> String {
        guard self == .csv else {
            var object = ObjectText()
            for (column, value) in line { object.add(column, json: value.json) }
            return object.json + "\n"
        }
        return String(
            decoding: Array(line.map(\.value.field).joined(separator: [UInt8(ascii: ",")])), as: UTF8.self)
            + "\r\n"
    }
}

/// Whose and which purchase a line is about.
func purchaseColumns(
    _ id: PurchaseChain.ID?, first: UInt64?, _ customers: [Customer.Name]
) -> TableLine {
    var (token, download): (String?, String?)
    for name in customers {
        if case .appAccountToken = name { token = token ?? name.description }
        if case .appTransactionID(let identifier) = name { download = download ?? identifier }
    }
    return [
        ("environment", TableValue(unlessEmpty: id?.environment.rawValue)),
        ("bundleID", TableValue(unlessEmpty: id?.appBundleID)),
        ("customer", TableValue(customers.widest?.description)),
        ("appAccountToken", TableValue(token)),
        ("appTransactionID", TableValue(download)),
        ("originalTransactionID", TableValue(id?.originalTransactionID)),
        ("firstOriginalTransactionID", TableValue(first)),
    ]
}

/// The product, and the period that was paid for.
func productColumns(_ transaction: Transaction?) -> TableLine {
    [
        ("transactionID", TableValue(transaction?.id)),
        ("productID", TableValue(transaction?.productID)),
        ("productType", TableValue(transaction?.productType.rawValue)),
        ("subscriptionGroupID", TableValue(transaction?.subscriptionGroupID)),
        ("purchaseDate", TableValue(transaction?.purchaseDate)),
        ("expirationDate", TableValue(transaction?.expirationDate)),
    ]
}
