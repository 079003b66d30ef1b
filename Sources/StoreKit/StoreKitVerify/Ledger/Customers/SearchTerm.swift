internal import WireFormats

/// A search for a customer, as a person has typed or pasted it.
package enum SearchTerm: Hashable, Sendable {
    /// A customer's name.
    case name(Customer.Name)
    /// Decimal digits: a transaction, a download or a web order line item.
    case identifier(String)
    /// An order of Apple's e-mails, such as `MK1ABCDEFG`. It stands in no payload, and it may be a product's name, too.
    case order(String)
    /// Any other text: the name of a product.
    case product(String)

    /// The longest text, in bytes: more than any identifier of Apple's has.
    private static let maximumBytes = 256
    /// The lengths of order numbers, with room for other ones than those of today.
    private static let orderCharacters = 8...14

    /// Reads a text, without white space around it; `nil` if it is empty or too long.
    package init?(_ text: String) {
        let bytes = text.utf8.drop(while: Self.isWhiteSpace)
        guard let end = bytes.lastIndex(where: { !Self.isWhiteSpace($0) }) else { return nil }
        let term = String(Substring(bytes[...end]))
        guard term.utf8.count <= Self.maximumBytes else { return nil }
        if let name = Customer.Name(term) {
            self = .name(name)
        } else if term.utf8.allSatisfy(isDigit) {
            self = .identifier(term)
        } else {
            self = Self.isOrder(term) ? .order(term) : .product(term)
        }
    }

    private static func isOrder(_ text: String) -> Bool {
        orderCharacters.contains(text.utf8.count) && (text.hasPrefix("M") || text.hasPrefix("W"))
            && text.utf8.allSatisfy { isDigit($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
    }
}
