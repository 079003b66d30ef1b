/// Base64 with tables, for the texts of tokens. It shares no code with the verifier's.
enum Base64URL {
    private static let standard = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let url = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let standardValues = values(of: standard)
    private static let urlValues = values(of: url)

    private static func values(of alphabet: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }

    /// The base64url text of bytes, without padding.
    static func encoded(_ bytes: [UInt8]) -> [UInt8] { encoded(bytes, url) }

    /// The text of bytes in the standard alphabet, with padding.
    static func encodedStandard(_ bytes: [UInt8]) -> [UInt8] {
        let text = encoded(bytes, standard)
        return text + [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
    }

    /// The bytes of a base64url text; `nil` if no bytes have this text.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let bytes = decoded(text, urlValues)
        return encoded(bytes).elementsEqual(text) ? bytes : nil
    }

    /// The bytes of a text in the standard alphabet with padding; `nil` if no bytes have this text.
    static func decodedStandard(_ text: [UInt8]) -> [UInt8]? {
        let bytes = decoded(text[...], standardValues)
        return encodedStandard(bytes) == text ? bytes : nil
    }

    /// The segments of a token; `nil` unless it has three.
    static func segments(_ token: [UInt8]) -> (header: [UInt8], payload: [UInt8], signature: [UInt8])? {
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = decoded(parts[0]), let payload = decoded(parts[1]),
            let signature = decoded(parts[2])
        else { return nil }
        return (header, payload, signature)
    }

    private static func encoded(_ bytes: [UInt8], _ alphabet: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 4 / 3 + 4)
        var (bits, count) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | Int(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[bits >> count & 63])
            }
            bits &= 63
        }
        if count > 0 { text.append(alphabet[bits << (6 - count) & 63]) }
        return text
    }

    /// The bytes of the characters. Invalid characters are skipped; encoding the bytes again then gives
    /// another text.
    private static func decoded(_ text: ArraySlice<UInt8>, _ values: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var (bits, count) = (0, 0)
        for character in text where values[Int(character)] < 64 {
            bits = bits << 6 | Int(values[Int(character)])
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
            bits &= 255
        }
        return bytes
    }
}
