/// A small DER encoder (X.690). Each function returns the whole encoding of one value.
///
/// Some functions make encodings that DER forbids, for malformed certificates.
///
/// The verifier's reader is other code, in `WireFormats`: a mistake here makes a vector that it refuses.
package enum DER {
    /// Tag, length in the fewest bytes, contents (X.690, 10.1).
    package static func value(tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        header(tag: tag, count: contents.count) + contents
    }

    /// The tag and length of a value whose contents are elsewhere.
    package static func header(tag: UInt8, count: Int) -> [UInt8] { [tag] + length(count) }

    /// The caller puts the parts into their order; a SET OF is sorted by the caller too (X.690, 11.6).
    package static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(tag: 0x30, parts.flatMap { $0 }) }
    package static func set(_ parts: [UInt8]...) -> [UInt8] { value(tag: 0x31, parts.flatMap { $0 }) }

    /// `[number] EXPLICIT`.
    package static func explicit(_ number: UInt8, _ inner: [UInt8]) -> [UInt8] {
        value(tag: 0xA0 | number, inner)
    }

    /// `[number] IMPLICIT` of a primitive type.
    package static func implicit(_ number: UInt8, _ contents: [UInt8]) -> [UInt8] {
        value(tag: 0x80 | number, contents)
    }

    /// An INTEGER with these contents, valid or not.
    package static func integer(contents: [UInt8]) -> [UInt8] { value(tag: 0x02, contents) }

    /// A non-negative INTEGER. Leading zero bytes are dropped; one is added if the sign bit would be set.
    package static func unsignedInteger(_ bigEndian: [UInt8]) -> [UInt8] {
        let digits = Array(bigEndian.drop { $0 == 0 })
        guard let first = digits.first else { return integer(contents: [0]) }
        return integer(contents: first < 0x80 ? digits : [0] + digits)
    }

    /// TRUE is FF and FALSE is 00 (X.690, 11.1).
    package static func boolean(_ flag: Bool) -> [UInt8] { value(tag: 0x01, [flag ? 0xFF : 0x00]) }
    package static let null: [UInt8] = [0x05, 0x00]
    package static func octetString(_ bytes: [UInt8]) -> [UInt8] { value(tag: 0x04, bytes) }

    /// - Parameter unusedBits: how many bits at the end of the last byte do not count, from 0 to 7 (X.690,
    ///   8.6.2.2).
    package static func bitString(_ bytes: [UInt8], unusedBits: UInt8 = 0) -> [UInt8] {
        value(tag: 0x03, [unusedBits] + bytes)
    }

    /// The characters are not checked against the type of the string.
    package static func utf8String(_ text: String) -> [UInt8] { value(tag: 0x0C, Array(text.utf8)) }
    package static func ia5String(_ text: String) -> [UInt8] { value(tag: 0x16, Array(text.utf8)) }
    package static func utcTime(_ text: String) -> [UInt8] { value(tag: 0x17, Array(text.utf8)) }
    package static func generalizedTime(_ text: String) -> [UInt8] { value(tag: 0x18, Array(text.utf8)) }

    /// An OBJECT IDENTIFIER (X.690, 8.19): the first two arcs share one number, and each number is in base
    /// 128.
    package static func objectIdentifier(_ arcs: [UInt]) -> [UInt8] {
        guard arcs.count >= 2 else { return value(tag: 0x06, []) }
        let numbers = [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2)
        return value(tag: 0x06, numbers.flatMap(base128))
    }

    /// Seven bits in each byte, the most significant first. All bytes but the last have the highest bit set.
    private static func base128(_ number: UInt) -> [UInt8] {
        var digits = [UInt8(number & 0x7F)]
        var rest = number >> 7
        while rest > 0 {
            digits.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return digits.reversed()
    }

    /// One byte up to 127; else a byte with the number of the length's bytes, and those (X.690, 8.1.3).
    private static func length(_ count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [UInt8(count)] }
        let digits = Array(bigEndian(count).drop { $0 == 0 })
        return [0x80 | UInt8(digits.count)] + digits
    }

    /// Always eight bytes; the caller drops leading zeros.
    private static func bigEndian(_ count: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
    }
}

// Encodings that are not DER, each for one reason.
extension DER {
    /// The same value with the indefinite length of BER (X.690, 8.1.3.6; forbidden by 10.1).
    package static func indefiniteLength(_ definite: [UInt8]) -> [UInt8] {
        guard let tag = definite.first else { return definite }
        return [tag, 0x80] + contents(definite) + [0, 0]
    }

    /// An OCTET STRING in constructed pieces of this many bytes; the last one may be shorter.
    package static func constructedOctetString(_ bytes: [UInt8], _ pieceBytes: Int) -> [UInt8] {
        var rest = bytes[...]
        var pieces: [UInt8] = []
        repeat {
            pieces += octetString(Array(rest.prefix(pieceBytes)))
            rest = rest.dropFirst(pieceBytes)
        } while !rest.isEmpty
        return value(tag: 0x24, pieces)
    }

    /// The contents of one definite-length value.
    ///
    /// The length is not checked against the value's end: the values are those of this type.
    package static func contents(_ value: [UInt8]) -> [UInt8] {
        guard value.count >= 2 else { return [] }
        let lengthBytes = value[1] < 0x80 ? 0 : Int(value[1] & 0x7F)
        return Array(value.dropFirst(2 + lengthBytes))
    }
}
