internal import StrictDER

/// The attributes of a receipt and of its purchases, found in the receipt's content and not yet read.
///
/// A receipt has a few dozen attributes and each purchase two dozen, so they are kept as places in the content,
/// and are read when they are asked for.
final class AttributeList: Sendable {
    /// Where an attribute is.
    struct Entry: Sendable {
        let type: Int
        let version: Int
        /// Its value, the contents of the octet string.
        let value: Range<Int>
    }

    /// The content that was signed.
    let content: [UInt8]
    /// The receipt's attributes and then those of its purchases, in their order.
    let entries: [Entry]
    /// How many of them are the receipt's own.
    let count: Int
    /// The entries of each purchase.
    let purchases: [Range<Int>]

    /// The type of the attribute that holds a purchase, as a set of attributes itself.
    static let purchaseType = 17

    /// Finds the attributes: `SET OF SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }` (Apple,
    /// Receipt Validation Programming Guide).
    ///
    /// Time and memory are linear in the content.
    init(_ content: [UInt8]) throws(ReceiptError) {
        let bytes = content.span
        var entries: [Entry] = []
        // The least attribute takes ten bytes.
        entries.reserveCapacity(min(content.count / 12, 1 << 12))
        try Self.findAttributes(in: bytes, 0..<bytes.count, &entries)
        let count = entries.count
        var purchases: [Range<Int>] = []
        for index in 0..<count where entries[index].type == Self.purchaseType {
            let start = entries.count
            try Self.findAttributes(in: bytes, entries[index].value, &entries)
            purchases.append(start..<entries.count)
        }
        self.content = content
        self.entries = entries
        self.count = count
        self.purchases = purchases
    }

    private static func findAttributes(
        in bytes: Span<UInt8>, _ range: Range<Int>, _ entries: inout [Entry]
    ) throws(ReceiptError) {
        let set = try element(bytes, at: range.lowerBound, limit: range.upperBound, 0x31, "a SET")
        guard set.end == range.upperBound else {
            throw .contentEncoding(DERError(.trailingBytes(range.upperBound - set.end), at: set.end))
        }
        var position = set.contents.lowerBound
        while position < set.contents.upperBound {
            if let entry = shortAttribute(in: bytes, at: position, limit: set.contents.upperBound) {
                entries.append(entry)
                position = entry.value.upperBound
                continue
            }
            let attribute = try element(
                bytes, at: position, limit: set.contents.upperBound, 0x30, "an attribute (SEQUENCE)")
            entries.append(try self.attribute(in: bytes, attribute.contents))
            position = attribute.end
        }
    }

    /// An attribute of the form that almost all have, if it stands there: lengths below 128, a type of one or two
    /// bytes, a version of one.
    @inline(__always)
    private static func shortAttribute(
        in bytes: Span<UInt8>, at start: Int, limit: Int
    ) -> Entry? {
        guard limit - start >= 10, bytes[start] == 0x30, bytes[start + 2] == 0x02 else { return nil }
        let end = start + 2 + Int(bytes[start + 1])
        // A length of 128 or more would be a long form, and too great here.
        guard bytes[start + 1] < 0x80, end <= limit else { return nil }
        var type = Int(bytes[start + 4])
        var position = start + 5
        if bytes[start + 3] == 2 {
            guard type > 0 else { return nil }
            type = type << 8 | Int(bytes[start + 5])
            position = start + 6
        } else if bytes[start + 3] != 1 {
            return nil
        }
        guard bytes[start + 4] < 0x80, end - position >= 5, bytes[position] == 0x02, bytes[position + 1] == 1,
            bytes[position + 2] < 0x80, bytes[position + 3] == 0x04,
            bytes[position + 4] < 0x80, position + 5 + Int(bytes[position + 4]) == end
        else { return nil }
        return Entry(type: type, version: Int(bytes[position + 2]), value: position + 5..<end)
    }

    /// An attribute of any form.
    private static func attribute(
        in bytes: Span<UInt8>, _ contents: Range<Int>
    ) throws(ReceiptError) -> Entry {
        let limit = contents.upperBound
        let type = try element(bytes, at: contents.lowerBound, limit: limit, 0x02, "its type (INTEGER)")
        let version = try element(bytes, at: type.end, limit: limit, 0x02, "its version (INTEGER)")
        let value = try element(bytes, at: version.end, limit: limit, 0x04, "its value (OCTET STRING)")
        guard value.end == limit else {
            throw .contentEncoding(DERError(.trailingBytes(limit - value.end), at: value.end))
        }
        return Entry(
            type: try number(bytes, type.contents), version: try number(bytes, version.contents),
            value: value.contents)
    }

    @inline(__always)
    private static func element(
        _ bytes: Span<UInt8>, at start: Int, limit: Int, _ tag: UInt8, _ name: String
    ) throws(ReceiptError) -> BERElement {
        guard start < limit, bytes[start] == tag else {
            throw .contentStructure(expected: name, offset: start)
        }
        do throws(DERError) {
            return try BERElement(bytes, at: start, limit: limit)
        } catch {
            throw .contentEncoding(error)
        }
    }

    /// A type or a version: a number that is not negative, in as few bytes as can be (X.690, section 8.3.2).
    private static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ReceiptError) -> Int {
        guard let number = AttributeValue.integer(bytes, range), let number = Int(exactly: number)
        else {
            throw .contentEncoding(DERError(.nonCanonicalValue(0x02), at: max(0, range.lowerBound - 2)))
        }
        return number
    }

    /// The value of the first attribute of a type among some, if there is one. Linear in their number.
    func value(_ type: Int, in range: Range<Int>) -> Range<Int>? {
        for index in range where entries[index].type == type { return entries[index].value }
        return nil
    }

    /// The attribute at a place.
    func attribute(at index: Int) -> ReceiptAttribute {
        let entry = entries[index]
        return ReceiptAttribute(
            type: entry.type, version: entry.version, value: Array(content[entry.value]))
    }
}

/// An attribute of a receipt or of a purchase, as it was signed.
public struct ReceiptAttribute: Hashable, Sendable {
    /// What the attribute is about, by Apple's number.
    public let type: Int
    /// The version of the attribute.
    public let version: Int
    /// The value's bytes: for most types an element of DER, such as a string or a number.
    public let value: [UInt8]
}

/// Reads the values of attributes.
enum AttributeValue {
    /// The text of a UTF8String or an IA5String that is the whole value, in UTF-8. Empty for an absent one.
    @inline(__always)
    static func text(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Range<Int>? {
        guard let element = try? BERElement(bytes, at: value.lowerBound, limit: value.upperBound),
            element.end == value.upperBound, element.tag == 0x0c || element.tag == 0x16
        else { return nil }
        for index in element.contents where bytes[index] >= 0x80 {
            return element.tag == 0x0c && isUTF8(bytes, element.contents) ? element.contents : nil
        }
        return element.contents
    }

    private static func isUTF8(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        (try? UTF8Span(validating: bytes.extracting(range))) != nil
    }

    /// An INTEGER that is the whole value and not below zero, of eight bytes at most; written in as few as can
    /// be.
    static func integerElement(_ bytes: Span<UInt8>, _ value: Range<Int>) -> UInt64? {
        guard let element = try? BERElement(bytes, at: value.lowerBound, limit: value.upperBound),
            element.end == value.upperBound, element.tag == 0x02
        else { return nil }
        return integer(bytes, element.contents)
    }

    /// The contents of such an INTEGER (X.690, section 8.3).
    static func integer(_ bytes: Span<UInt8>, _ contents: Range<Int>) -> UInt64? {
        guard let first = contents.first, bytes[first] < 0x80, contents.count <= 9 else { return nil }
        if contents.count > 1, bytes[first] == 0, bytes[first + 1] < 0x80 { return nil }
        guard contents.count < 9 || bytes[first] == 0 else { return nil }
        return contents.reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
    }
}
