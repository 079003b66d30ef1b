/// Strict decoding of the two alphabets of RFC 4648. A JWS uses both.
package enum Base64 {
    /// The alphabet of a text.
    package enum Alphabet: Sendable {
        /// Base64url without padding (RFC 7515, section 2), for segments.
        case url
        /// Base64 with padding (RFC 4648, section 4), for app receipts and the certificates in `x5c` (RFC
        /// 7515, section 4.1.6).
        case standard
    }

    /// From this length on, the faster decoder is tried first. It does not report what is wrong with a text.
    private static let longText = 4_096
    private static let standardDecoder = Base64Decoder(alphabet: .standard)
    private static let urlDecoder = Base64Decoder(alphabet: .url)

    private static func decoder(of alphabet: Alphabet) -> Base64Decoder {
        alphabet == .url ? urlDecoder : standardDecoder
    }

    /// Decodes the characters of `text` in `range`.
    ///
    /// The time is linear in the range, with one allocation. Every byte string has exactly one text that
    /// decodes to it.
    package static func decode(
        _ text: Span<UInt8>, in range: Range<Int>, alphabet: Alphabet
    ) throws(Base64Error) -> [UInt8] {
        if range.count >= longText, let bytes = decoder(of: alphabet).decode(text.extracting(range)) {
            return bytes
        }
        let digits = try digits(of: text, in: range, alphabet: alphabet)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3 + 2)
        var accumulator: UInt32 = 0
        var pending = 0
        for index in digits {
            accumulator = accumulator << 6 | UInt32(alphabet.value(of: text[index]))
            pending += 6
            if pending >= 8 {
                pending -= 8
                bytes.append(UInt8(truncatingIfNeeded: accumulator >> UInt32(pending)))
            }
        }
        guard accumulator & (1 << UInt32(pending) - 1) == 0 else {
            throw .nonCanonicalTrailingBits(offset: digits.upperBound - 1 - range.lowerBound)
        }
        return bytes
    }

    /// The number of bytes that the characters of `text` in `range` decode to. It allocates nothing.
    ///
    /// - Throws: the same errors as `decode`.
    package static func decodedCount(
        _ text: Span<UInt8>, in range: Range<Int>, alphabet: Alphabet
    ) throws(Base64Error) -> Int {
        let digits = try digits(of: text, in: range, alphabet: alphabet)
        // Each character holds six bits. The last one's bits after the last whole byte must be zero.
        let unusedBits = UInt8(digits.count * 6 % 8)
        if let last = digits.last, alphabet.value(of: text[last]) & (1 << unusedBits - 1) != 0 {
            throw .nonCanonicalTrailingBits(offset: last - range.lowerBound)
        }
        return digits.count * 6 / 8
    }

    /// The range without its padding, after checking the padding's form.
    private static func digits(
        of text: Span<UInt8>, in range: Range<Int>, alphabet: Alphabet
    ) throws(Base64Error) -> Range<Int> {
        var end = range.upperBound
        if alphabet == .standard {
            while end > range.lowerBound, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        }
        let count = end - range.lowerBound
        let padding = range.upperBound - end
        // A foreign character explains more than the wrong length that it causes.
        for index in range.lowerBound..<end where alphabet.value(of: text[index]) >= 64 {
            throw .invalidCharacter(text[index], offset: index - range.lowerBound)
        }
        guard count % 4 != 1 else { throw .invalidLength(range.count) }
        if alphabet == .standard {
            guard padding <= 2 else { throw .invalidPadding(offset: count) }
            guard (count + padding) % 4 == 0 else { throw .invalidLength(range.count) }
        }
        return range.lowerBound..<end
    }
}

extension Base64.Alphabet {
    /// The six bits of a character; 64 or above if it is not in the alphabet.
    @inline(__always)
    fileprivate func value(of character: UInt8) -> UInt8 {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-") where self == .url: 62
        case UInt8(ascii: "_") where self == .url: 63
        case UInt8(ascii: "+") where self == .standard: 62
        case UInt8(ascii: "/") where self == .standard: 63
        default: 255
        }
    }
}

extension Base64 {
    /// The alphabets in the order of their values (RFC 4648, sections 4 and 5).
    private static let standardCharacters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlCharacters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The number of characters of so many bytes.
    package static func encodedCount(_ bytes: Int, alphabet: Alphabet) -> Int {
        alphabet == .url ? (bytes * 4 + 2) / 3 : (bytes + 2) / 3 * 4
    }

    /// Bytes in base64, with padding in the standard alphabet and without in the other.
    package static func text(_ bytes: [UInt8], alphabet: Alphabet) -> String {
        let count = encodedCount(bytes.count, alphabet: alphabet)
        return String(
            decoding: [UInt8](capacity: count) { append(bytes.span, alphabet: alphabet, to: &$0) },
            as: UTF8.self)
    }

    /// A block of PEM (RFC 7468): lines of 64 characters between the boundaries.
    package static func pem(_ label: String, _ der: [UInt8]) -> String {
        let digits = Array(text(der, alphabet: .standard).utf8)
        let lines = stride(from: 0, to: digits.count, by: 64).map { start in
            String(decoding: digits[start..<min(start + 64, digits.count)], as: UTF8.self)
        }
        return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----", ""]).joined(separator: "\n")
    }

    /// Appends bytes in base64: with padding in the standard alphabet, without in the other.
    package static func append(
        _ bytes: Span<UInt8>, alphabet: Alphabet = .standard, to output: inout OutputSpan<UInt8>
    ) {
        let characters = alphabet == .url ? urlCharacters : standardCharacters
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group: UInt32 = 0
            for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(bytes[index + offset]) : 0) }
            for place in 0..<4 {
                let value = Int(group >> UInt32(18 - 6 * place) & 63)
                if place <= count {
                    output.append(characters[value])
                } else if alphabet == .standard {
                    output.append(UInt8(ascii: "="))
                }
            }
            index += count
        }
    }
}
