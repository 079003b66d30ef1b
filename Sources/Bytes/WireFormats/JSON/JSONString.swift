/// A string in a JSON text, as the range of the bytes between its quotes.
///
/// `JSONReader` makes one of a valid JSON string; a string without escapes may be of any bytes.
package struct JSONString: Hashable, Sendable {
    /// The bytes between the quotes, as they were written.
    package let range: Range<Int>
    /// Whether the string has escapes, so that its written bytes differ from its value.
    package let hasEscapes: Bool

    package init(range: Range<Int>, hasEscapes: Bool) { (self.range, self.hasEscapes) = (range, hasEscapes) }

    /// The string that begins here, behind its quote, in a text that was read as far as the string's end.
    init(startingAt start: Int, in text: Span<UInt8>) {
        var end = start
        var hasEscapes = false
        while text[end] != UInt8(ascii: "\"") {
            let isEscape = text[end] == UInt8(ascii: "\\")
            hasEscapes = hasEscapes || isEscape
            end += isEscape ? 2 : 1
        }
        self.init(range: start..<end, hasEscapes: hasEscapes)
    }

    /// Whether two strings of a text, their escapes resolved, are the same.
    func isSame(as other: JSONString, in text: Span<UInt8>) -> Bool {
        bytes(in: text) == other.bytes(in: text)
    }

    /// Whether the string, its escapes resolved, is this one.
    package func equals(_ other: String, in text: Span<UInt8>) -> Bool {
        // Compares bytes: Swift's == would take different code points for the same text. An escape takes at
        // most six bytes for one.
        if hasEscapes, range.count > 6 * other.utf8.count { return false }
        if hasEscapes { return bytes(in: text).elementsEqual(other.utf8) }
        let bytes = other.utf8
        guard bytes.count == range.count else { return false }
        var index = range.lowerBound
        for byte in bytes {
            guard text[index] == byte else { return false }
            index += 1
        }
        return true
    }

    /// Whether the string, its escapes resolved, is these bytes.
    @inline(__always)
    package func equals(_ other: Span<UInt8>, in text: Span<UInt8>) -> Bool {
        guard !hasEscapes else {
            let resolved = bytes(in: text)
            return resolved.count == other.count && ByteScanning.starts(resolved.span, with: other)
        }
        return other.count == range.count && ByteScanning.starts(text.extracting(range), with: other)
    }

    /// The string with its escapes resolved.
    package func value(in text: Span<UInt8>) -> String {
        String(decoding: bytes(in: text), as: UTF8.self)
    }

    /// The string's UTF-8 with its escapes resolved (RFC 8259, section 7).
    package func bytes(in text: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        guard hasEscapes else {
            bytes.append(text.extracting(range))
            return bytes
        }
        _ = forEachByte(in: text) { byte in
            bytes.append(byte)
            return true
        }
        return bytes
    }

    /// Gives each byte of the string's UTF-8 to a closure, until that returns `false`; returns whether it never did.
    @inline(__always)
    func forEachByte(in text: Span<UInt8>, _ body: (UInt8) -> Bool) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = text[index]
            guard hasEscapes, byte == UInt8(ascii: "\\") else {
                guard body(byte) else { return false }
                index += 1
                continue
            }
            guard Self.forEachByte(of: Self.escapedScalar(in: text, at: &index).value, body) else {
                return false
            }
        }
        return true
    }

    /// The UTF-8 of a character (RFC 3629, section 3).
    @inline(__always)
    private static func forEachByte(of code: UInt32, _ body: (UInt8) -> Bool) -> Bool {
        func continuation(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: code >> shift & 0x3f) }
        switch code {
        case ..<0x80: return body(UInt8(truncatingIfNeeded: code))
        case ..<0x800: return body(0xc0 | UInt8(truncatingIfNeeded: code >> 6)) && body(continuation(0))
        case ..<0x10000:
            return body(0xe0 | UInt8(truncatingIfNeeded: code >> 12)) && body(continuation(6))
                && body(continuation(0))
        default:
            return body(0xf0 | UInt8(truncatingIfNeeded: code >> 18)) && body(continuation(12))
                && body(continuation(6)) && body(continuation(0))
        }
    }

    /// The character that an escape stands for. Moves `index` past the escape.
    private static func escapedScalar(in text: Span<UInt8>, at index: inout Int) -> UnicodeScalar {
        let kind = text[index + 1]
        index += 2
        switch kind {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            var code = codeUnit(in: text, at: &index)
            if code & 0xfc00 == 0xd800 {
                index += 2
                // RFC 2781, section 2.2: ten bits from each half, above U+10000.
                code = 0x10000 + (code & 0x3ff) << 10 + codeUnit(in: text, at: &index) & 0x3ff
            }
            // The reader has refused lone surrogates, so the replacement character is never reached.
            return UnicodeScalar(code) ?? "\u{fffd}"
        default: return UnicodeScalar(kind)
        }
    }

    private static func codeUnit(in text: Span<UInt8>, at index: inout Int) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            unit = unit << 4 | UInt32(hexadecimalDigit(text[index]) ?? 0)
            index += 1
        }
        return unit
    }
}
