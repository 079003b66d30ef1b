internal import WireFormats

/// The attributes of a receipt and of its purchases, located in the receipt's content but not yet read.
///
/// A receipt has a few dozen attributes, and each purchase two dozen. So the list keeps only their ranges in
/// the content, and reads an attribute when it is asked for.
final class AttributeList: Sendable {
    /// The place of one attribute.
    struct Entry: Sendable {
        let type: Int
        let version: Int
        /// The value: the contents of the octet string.
        let value: Range<Int>
    }

    /// The content that was signed.
    let content: [UInt8]
    /// The receipt's attributes, then those of its purchases, in order.
    let entries: [Entry]
    /// The number of attributes that are the receipt's own.
    let count: Int
    /// The entries of each purchase.
    let purchases: [Range<Int>]

    /// The type of an attribute that holds a purchase, which is a set of attributes itself.
    static let purchaseType = 17

    /// Finds the attributes: `SET OF SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }` (Apple,
    /// Receipt Validation Programming Guide).
    ///
    /// Time and memory are linear in the content.
    init(_ content: [UInt8]) throws(ReceiptError) {
        let bytes = content.span
        var count = 0
        var purchases: [Range<Int>] = []
        // The smallest attribute takes ten bytes besides its value. A purchase's attributes are inside such a
        // value.
        entries = try [Entry](capacity: content.count / 10) { entries throws(ReceiptError) in
            try Self.findAttributes(in: bytes, 0..<bytes.count, &entries)
            count = entries.count
            // Ten purchases are usual; this avoids several reallocations.
            purchases.reserveCapacity(min(count, 16))
            for index in 0..<count where entries[index].type == Self.purchaseType {
                let start = entries.count
                try Self.findAttributes(in: bytes, entries[index].value, &entries)
                purchases.append(start..<entries.count)
            }
        }
        self.content = content
        self.count = count
        self.purchases = purchases
    }

    private static func findAttributes(
        in bytes: Span<UInt8>, _ range: Range<Int>, _ entries: inout OutputSpan<Entry>
    ) throws(ReceiptError) {
        let set = try element(bytes, at: range.lowerBound, limit: range.upperBound, 0x31, "a SET")
        guard set.end == range.upperBound else {
            throw .contentEncoding(DERError(.trailingBytes(range.upperBound - set.end), at: set.end))
        }
        let limit = set.contents.upperBound
        var position = set.contents.lowerBound
        while position < limit {
            if let entry = commonAttribute(in: bytes, at: position, limit: limit) {
                entries.append(entry)
                position = entry.value.upperBound
                continue
            }
            let attribute = try element(bytes, at: position, limit: limit, 0x30, "an attribute (SEQUENCE)")
            entries.append(try self.attribute(in: bytes, attribute.contents))
            position = attribute.end
        }
    }

    /// Reads an attribute in the form that almost all have; `nil` for any other form. That form has a type of
    /// one or two bytes, a version of one, and lengths below 65,536. So the eight bytes after its length are
    /// `02 01 type 02 01 version 04 length` or `02 02 type type 02 01 version 04`.
    ///
    /// Memory is read and numbers are added without checks. This is safe: the caller has made sure of sixteen
    /// bytes, all reads are within the first fifteen, and no sum exceeds the content by more than that.
    @inline(__always)
    private static func commonAttribute(in bytes: Span<UInt8>, at start: Int, limit: Int) -> Entry? {
        guard start >= 0, limit <= bytes.count, limit &- start >= 16, unsafe bytes[unchecked: start] == 0x30
        else { return nil }
        var position = start &+ 1
        guard let length = unsafe uncheckedLength(in: bytes, at: &position) else { return nil }
        let end = position &+ length
        let word = unsafe UInt64(
            littleEndian: bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self))
        var type = Int(word >> 16 & 0xff)
        let version: Int
        if word & 0xff00_ffff_0000_ffff == 0x0400_0102_0000_0202 {
            // A first byte of zero may be superfluous, so the slow path decides.
            guard type > 0 else { return nil }
            version = Int(word >> 48 & 0xff)
            position &+= 8
        } else if word & 0x00ff_00ff_ff00_ffff == 0x0004_0001_0200_0102 {
            version = Int(word >> 40 & 0xff)
            position &+= 7
        } else {
            return nil
        }
        // A first byte of 128 or more would make the number negative.
        guard type | version < 0x80, let count = unsafe uncheckedLength(in: bytes, at: &position),
            position &+ count == end, end <= limit
        else { return nil }
        if word & 0xff00 == 0x0200 { type = type << 8 | Int(word >> 24 & 0xff) }
        return Entry(type: type, version: version, value: position..<end)
    }

    /// A length of one byte or of three, in the shortest form; `nil` for any other. Reads up to three bytes.
    @unsafe @inline(__always)
    private static func uncheckedLength(in bytes: Span<UInt8>, at position: inout Int) -> Int? {
        let first = unsafe bytes[unchecked: position]
        position &+= 1
        guard first >= 0x80 else { return Int(first) }
        guard first == 0x82, unsafe bytes[unchecked: position] > 0 else { return nil }
        position &+= 2
        return unsafe Int(bytes[unchecked: position &- 2]) << 8 | Int(bytes[unchecked: position &- 1])
    }

    /// Reads an attribute of any form.
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

    /// A type or a version: a non-negative number in the shortest form (X.690, section 8.3.2).
    private static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ReceiptError) -> Int {
        guard let number = AttributeValue.integer(bytes, range), let number = Int(exactly: number)
        else {
            throw .contentEncoding(DERError(.nonCanonicalValue(0x02), at: max(0, range.lowerBound - 2)))
        }
        return number
    }

    /// The value of the first attribute of a type in a range, if there is one. The time is linear in their
    /// number.
    func value(_ type: Int, in range: Range<Int>) -> Range<Int>? {
        for index in range where entries[index].type == type { return entries[index].value }
        return nil
    }

    func attribute(at index: Int) -> ReceiptAttribute {
        let entry = entries[index]
        return ReceiptAttribute(
            type: entry.type, version: entry.version, value: Array(content[entry.value]))
    }
}

/// An attribute of a receipt or of a purchase, as it was signed.
public struct ReceiptAttribute: Hashable, Sendable {
    /// Apple's number for the kind of attribute.
    public let type: Int
    /// The integer `version` of the attribute's sequence, beside the type.
    public let version: Int
    /// The value's bytes: for most types a DER element, such as a string or a number.
    public let value: [UInt8]
}

/// Reads the values of attributes.
enum AttributeValue {
    /// The text of a UTF8String or an IA5String that is the whole value, in UTF-8. It is empty for an absent
    /// one.
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

    /// An INTEGER that is the whole value: not negative, at most eight bytes, in the shortest form.
    static func integerElement(_ bytes: Span<UInt8>, _ value: Range<Int>) -> UInt64? {
        guard let element = try? BERElement(bytes, at: value.lowerBound, limit: value.upperBound),
            element.end == value.upperBound, element.tag == 0x02
        else { return nil }
        return integer(bytes, element.contents)
    }

    /// The number in the contents of such an INTEGER (X.690, section 8.3).
    static func integer(_ bytes: Span<UInt8>, _ contents: Range<Int>) -> UInt64? {
        guard let first = contents.first, bytes[first] < 0x80, contents.count <= 9 else { return nil }
        if contents.count > 1, bytes[first] == 0, bytes[first + 1] < 0x80 { return nil }
        guard contents.count < 9 || bytes[first] == 0 else { return nil }
        return contents.reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
    }
}
