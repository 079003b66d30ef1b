/// Base64 and base64url (RFC 4648, 4 and 5) for tests. The code is separate from `WireFormats`, so that neither hides the
/// other's mistakes.
package enum Base64 {
    private static let standard = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// RFC 4648, section 5: the standard alphabet with two other characters, for 62 and 63.
    private static let urlSafe = standard.map { (digit: UInt8) -> UInt8 in
        switch digit {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: digit
        }
    }

    /// The standard alphabet with padding, as in `x5c`.
    package static func encoded(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        append(bytes, standard, to: &digits)
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
        return String(decoding: digits + padding, as: UTF8.self)
    }

    /// The URL-safe alphabet without padding, as in JWS segments.
    package static func urlEncoded(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        append(bytes, urlSafe, to: &digits)
        return String(decoding: digits, as: UTF8.self)
    }

    /// A PEM block (RFC 7468): lines of 64 characters between the boundaries.
    package static func pem(_ label: String, _ der: [UInt8]) -> String {
        let text = Array(encoded(der).utf8)
        let lines = stride(from: 0, to: text.count, by: 64).map { start in
            String(decoding: text[start..<min(start + 64, text.count)], as: UTF8.self)
        }
        return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----", ""]).joined(separator: "\n")
    }

    /// Decodes standard base64; nil if a character is not in the alphabet. Padding is removed without a
    /// check.
    ///
    /// Only constants of tests are decoded here. Input of users goes through `WireFormats`.
    package static func decoded(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for character in text.utf8 where character != UInt8(ascii: "=") {
            guard let digit = standard.firstIndex(of: character) else { return nil }
            // At most 6 bits are left over from before, so 16 bits hold them and the next digit.
            bits = (bits << 6 | digit) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bytes
    }

    /// Three bytes are four digits. A rest of one or two bytes is one digit more than it has bytes.
    private static func append(_ bytes: [UInt8], _ alphabet: [UInt8], to output: inout [UInt8]) {
        output.reserveCapacity(output.count + bytes.count * 4 / 3 + 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var word: UInt32 = 0
            for index in 0..<count { word |= UInt32(bytes[start + index]) << (16 - 8 * UInt32(index)) }
            for index in 0...count { output.append(alphabet[Int(word >> (18 - 6 * UInt32(index))) & 0x3F]) }
        }
    }
}
