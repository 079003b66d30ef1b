internal import WireFormats

/// Other data that people send instead of a receipt, or damage to a receipt in transit.
package enum MistakenInput: String, Hashable, Sendable {
    /// Empty input.
    case empty = "emptyReceipt"
    /// A compact JWS, the form that StoreKit 2 and the App Store's servers sign.
    case compactJWS
    /// The base64 of a compact JWS.
    case encodedCompactJWS
    /// An app receipt, where a compact JWS was expected.
    case receipt
    /// The receipt of one transaction, from StoreKit before iOS 7.
    case transactionReceipt
    /// A JSON object, such as the body of a request to `verifyReceipt`.
    case json = "receiptInJSON"
    /// Base64 of base64.
    case encodedTwice = "receiptEncodedTwice"
    /// Base64 in a URL's percent-encoding (RFC 3986, section 2.1).
    case percentEncoded = "receiptPercentEncoded"
    /// Base64 whose plus signs were read as spaces, as in a form's body.
    case spacesForPlus = "receiptWithSpaces"
    /// White space around base64 or inside it, at a place where none is allowed.
    case whiteSpace = "receiptWhiteSpace"
    /// Base64 without the padding at its end.
    case missingPadding = "receiptWithoutPadding"
    /// Base64 with the escapes of a JSON string.
    case escaped = "receiptWithEscapes"
    /// A form field, with its name before the value.
    case formField = "receiptInForm"
    /// A byte order mark before the text.
    case byteOrderMark
    /// Base64url instead of base64.
    case base64URL = "receiptBase64URL"
    /// Base64 in quotation marks.
    case quoted = "receiptQuoted"
    /// Base64 between PEM boundaries (RFC 7468).
    case pem = "receiptPEM"
    /// Bytes in hexadecimal.
    case hexadecimal = "receiptHexadecimal"
    /// Several receipts, one after the other.
    case several = "severalReceipts"
}

extension MistakenInput: CustomStringConvertible {
    /// The kind of input and what to do about it, in a sentence.
    package var description: String {
        switch self {
        case .empty: "there is no receipt: the input is empty"
        case .compactJWS: "this is a compact JWS and not an app receipt; verify it as a signed payload"
        case .encodedCompactJWS:
            "this is the base64 of a compact JWS and not an app receipt; decode it once, and verify it as a "
                + "signed payload"
        case .receipt:
            "this is an app receipt (PKCS #7) and not a compact JWS; verify it as a receipt"
        case .transactionReceipt:
            "this is the receipt of one transaction from before iOS 7 and not an app receipt; its "
                + "transaction identifier can be read, but is not verified"
        case .json:
            "this is a JSON object and not an app receipt; the receipt is the value of its receipt-data or "
                + "latest_receipt"
        case .encodedTwice: "the receipt is base64 of base64; decode it once"
        case .percentEncoded:
            "the receipt is percent-encoded (%2B, %2F, %3D), as in a URL or a form; decode that first"
        case .spacesForPlus:
            "the receipt has spaces, as when a form is decoded whose plus signs were not encoded; each space "
                + "stands for a plus sign"
        case .base64URL: "the receipt is base64url; receipts are base64, with + and / in place of - and _"
        case .whiteSpace:
            "the receipt has white space around its base64 or within it; give it without, or as a file, where "
                + "base64 may be broken into lines"
        case .missingPadding:
            "the receipt lacks the padding at the end of its base64: one or two equals signs, which make the "
                + "length a multiple of four"
        case .escaped:
            "the receipt has backslashes, as inside a JSON string; give the string's value, its escapes "
                + "resolved"
        case .formField:
            "this is a field of a form; give its value, percent-decoded, without the name and the equals sign"
        case .byteOrderMark: "a byte order mark stands before the text; give the text without it, in UTF-8"
        case .quoted: "the text stands in quotation marks; give what is between them"
        case .pem: "the receipt stands between PEM's marks; give the base64 between them"
        case .hexadecimal: "the receipt is in hexadecimal; give its bytes, or their base64"
        case .several:
            "there are several receipts, one after the other; give them one by one, or as the lines of a "
                + "batch"
        }
    }
}

extension MistakenInput {
    /// Guesses what a text is that is not a receipt in base64.
    ///
    /// The time is linear in the text. The guess is for a person; no verdict depends on it.
    init?(text: [UInt8]) {
        let trimmed = ReceiptText.trimmed(text[...])
        guard let first = trimmed.first else {
            self = .empty
            return
        }
        if trimmed.starts(with: [0xef, 0xbb, 0xbf]) {
            self = .byteOrderMark
        } else if first == UInt8(ascii: "{") {
            self = TransactionReceipt.isPropertyList(text) ? .transactionReceipt : .json
        } else if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            self = .quoted
        } else if trimmed.starts(with: "-----BEGIN".utf8) {
            self = .pem
        } else if trimmed.starts(with: "receipt-data=".utf8) {
            self = .formField
        } else if Self.isCompactJWS(Array(trimmed)) {
            self = .compactJWS
        } else if Self.isHexadecimal(trimmed) {
            self = .hexadecimal
        } else if trimmed.starts(with: "MI".utf8), let damage = Self.damage(of: trimmed, in: text) {
            self = damage
        } else {
            return nil
        }
    }

    /// Guesses how a receipt in base64 was damaged in transit.
    private static func damage(of trimmed: ArraySlice<UInt8>, in text: [UInt8]) -> MistakenInput? {
        let (space, hyphens) = (UInt8(ascii: " "), Set([UInt8(ascii: "-"), UInt8(ascii: "_")]))
        if hasPercentEncoding(trimmed) { return .percentEncoded }
        if trimmed.contains(UInt8(ascii: "\\")) { return .escaped }
        let lines = trimmed.split { $0 == 0x0a || $0 == 0x0d }
        if lines.count > 1, lines.allSatisfy({ $0.starts(with: "MI".utf8) }) { return .several }
        if trimmed.contains(where: hyphens.contains), isBase64(trimmed, besides: hyphens) {
            return .base64URL
        }
        if trimmed.contains(space), isBase64(trimmed, besides: [space]) { return .spacesForPlus }
        let isSpaced = trimmed.count < text.count || lines.count > 1 || trimmed.contains { $0 <= space }
        return isSpaced && isBase64(trimmed, besides: [0x09, 0x0a, 0x0b, 0x0c, 0x0d, space])
            ? .whiteSpace : nil
    }

    /// Guesses what the decoded bytes of a base64 text are.
    init?(decoded bytes: [UInt8]) {
        if TransactionReceipt.isPropertyList(bytes) {
            self = .transactionReceipt
        } else if Self.isCompactJWS(bytes) {
            self = .encodedCompactJWS
        } else if bytes.starts(with: "MI".utf8), Self.isBase64(bytes[...], besides: [0x0a, 0x0d]) {
            self = .encodedTwice
        } else if bytes.starts(with: "{".utf8) {
            self = .json
        } else {
            return nil
        }
    }

    /// Guesses what a text without dots is, where a compact JWS is expected.
    package init?(inPlaceOfJWS text: Span<UInt8>) {
        // A shorter text is none of these.
        guard text.count >= 16 else { return nil }
        guard let bytes = try? Base64.decode(text, in: 0..<text.count, alphabet: .standard) else {
            let mistaken = Self(text: ReceiptText.bytes(of: text))
            guard let mistaken, ![.json, .empty, .compactJWS].contains(mistaken) else { return nil }
            self = mistaken
            return
        }
        if ReceiptText.isLikely(text) {
            self = .receipt
            return
        }
        // Where JSON objects are expected too, a JSON object is no hint.
        guard let mistaken = Self(decoded: bytes), mistaken != .json else { return nil }
        self = mistaken
    }

    private static func isCompactJWS(_ text: [UInt8]) -> Bool {
        text.starts(with: "ey".utf8) && text.count { $0 == UInt8(ascii: ".") } == 2
    }

    /// Whether this is signed data in hexadecimal, possibly with the brackets and spaces that `NSData`
    /// writes.
    private static func isHexadecimal(_ text: ArraySlice<UInt8>) -> Bool {
        let digits = text.drop { $0 == UInt8(ascii: "<") }
        guard digits.starts(with: "308".utf8) else { return false }
        return digits.allSatisfy {
            hexadecimalDigit($0) != nil || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ">")
        }
    }

    /// Whether the text has a percent-encoded character that base64 uses and a URL must encode.
    private static func hasPercentEncoding(_ text: ArraySlice<UInt8>) -> Bool {
        let codes = ["2B", "2F", "3D", "2b", "2f", "3d"].map { Array($0.utf8) }
        return text.indices.contains { index in
            text[index] == UInt8(ascii: "%") && codes.contains { text[(index + 1)...].starts(with: $0) }
        }
    }

    /// Whether every byte is one of base64's, or one of the others.
    static func isBase64(_ text: ArraySlice<UInt8>, besides others: Set<UInt8>) -> Bool {
        text.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
                UInt8(ascii: "="):
                true
            default: others.contains(byte)
            }
        }
    }
}
