internal import CompactJWS

/// What people send in a receipt's place, or what happened to a receipt on its way.
public enum MistakenInput: String, Hashable, Sendable {
    /// Nothing at all.
    case empty = "emptyReceipt"
    /// A compact JWS: what StoreKit 2 and the App Store's servers sign.
    case compactJWS
    /// The base64 of a compact JWS.
    case encodedCompactJWS
    /// An app receipt, where a compact JWS was expected.
    case receipt
    /// The receipt of one transaction, as StoreKit had them before iOS 7.
    case transactionReceipt
    /// A JSON object, such as the body of a request to `verifyReceipt`.
    case json = "receiptInJSON"
    /// Base64 of base64.
    case encodedTwice = "receiptEncodedTwice"
    /// Base64 in a URL's percent-encoding (RFC 3986, section 2.1).
    case percentEncoded = "receiptPercentEncoded"
    /// Base64 whose plus signs were read as spaces, as in a form's body.
    case spacesForPlus = "receiptWithSpaces"
    /// Base64url instead of base64.
    case base64URL = "receiptBase64URL"
    /// Base64 in quotation marks.
    case quoted = "receiptQuoted"
    /// Base64 between PEM's marks (RFC 7468).
    case pem = "receiptPEM"
    /// Bytes in hexadecimal.
    case hexadecimal = "receiptHexadecimal"
    /// Several receipts, one after the other.
    case several = "severalReceipts"
}

extension MistakenInput: CustomStringConvertible {
    /// What it is and what to do, in a sentence.
    public var description: String {
        switch self {
        case .empty: "there is no receipt: the input is empty"
        case .compactJWS: "this is a compact JWS and not an app receipt; verify it as a signed payload"
        case .encodedCompactJWS:
            "this is the base64 of a compact JWS and not an app receipt; decode it once, and verify it as a "
                + "signed payload"
        case .receipt:
            "this is an app receipt (PKCS #7) and not a compact JWS; verify it as a receipt"
        case .transactionReceipt:
            "this is the receipt of one transaction from before iOS 7 and not an app receipt; its transaction "
                + "identifier can be read, but is not verified"
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
        case .quoted: "the receipt stands in quotation marks; give what is between them"
        case .pem: "the receipt stands between PEM's marks; give the base64 between them"
        case .hexadecimal: "the receipt is in hexadecimal; give its bytes, or their base64"
        case .several: "there are several receipts, one after the other; give them one by one"
        }
    }
}

extension MistakenInput {
    /// What text, which is no receipt in base64, seems to be.
    ///
    /// Linear in the text. A guess for a person: no verdict hangs on it.
    init?(text: [UInt8]) {
        guard let first = text.first(where: { $0 > 0x20 }) else {
            self = .empty
            return
        }
        let lines = text.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d })
        if first == UInt8(ascii: "{") {
            self = TransactionReceipt.isPropertyList(text) ? .transactionReceipt : .json
        } else if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            self = .quoted
        } else if text.starts(with: "-----BEGIN".utf8) {
            self = .pem
        } else if Self.isCompactJWS(text) {
            self = .compactJWS
        } else if text.count % 2 == 0, text.starts(with: "3080".utf8) || text.starts(with: "3082".utf8),
            text.allSatisfy(Self.isHexadecimalDigit)
        {
            self = .hexadecimal
        } else if lines.count > 1, lines.allSatisfy({ $0.starts(with: "MI".utf8) }) {
            self = .several
        } else if Self.hasPercentEncoding(text) {
            self = .percentEncoded
        } else if text.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }),
            Self.isBase64(text, besides: [UInt8(ascii: "-"), UInt8(ascii: "_")])
        {
            self = .base64URL
        } else if text.contains(UInt8(ascii: " ")), Self.isBase64(text, besides: [UInt8(ascii: " ")]) {
            self = .spacesForPlus
        } else {
            return nil
        }
    }

    /// What the bytes that a text in base64 stands for seem to be.
    init?(decoded bytes: [UInt8]) {
        if TransactionReceipt.isPropertyList(bytes) {
            self = .transactionReceipt
        } else if Self.isCompactJWS(bytes) {
            self = .encodedCompactJWS
        } else if bytes.starts(with: "MI".utf8), Self.isBase64(bytes, besides: []) {
            self = .encodedTwice
        } else if bytes.starts(with: "{".utf8) {
            self = .json
        } else {
            return nil
        }
    }

    /// Whether a text that should be a compact JWS seems to be a receipt, of either kind.
    package init?(inPlaceOfJWS text: Span<UInt8>) {
        // The base64 of 30 8x, which begins signed data of any length that receipts have, and of a brace.
        guard text.count >= 64 else { return nil }
        let isReceipt = text[0] == UInt8(ascii: "M") && text[1] == UInt8(ascii: "I")
        let isObject = text[0] == UInt8(ascii: "e") && text[1] != UInt8(ascii: "y")
        guard isReceipt || isObject else { return nil }
        guard let bytes = try? Base64.decode(text, in: 0..<text.count, alphabet: .standard) else {
            return nil
        }
        if isReceipt {
            self = .receipt
        } else if TransactionReceipt.isPropertyList(bytes) {
            self = .transactionReceipt
        } else {
            return nil
        }
    }

    private static func isCompactJWS(_ text: [UInt8]) -> Bool {
        text.starts(with: "ey".utf8) && text.count { $0 == UInt8(ascii: ".") } == 2
    }

    private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// Whether a character that base64 has and a URL does not is percent-encoded.
    private static func hasPercentEncoding(_ text: [UInt8]) -> Bool {
        let codes = ["2B", "2F", "3D", "2b", "2f", "3d"].map { Array($0.utf8) }
        return text.indices.contains { index in
            text[index] == UInt8(ascii: "%") && codes.contains { text[(index + 1)...].starts(with: $0) }
        }
    }

    private static func isBase64(_ text: [UInt8], besides others: Set<UInt8>) -> Bool {
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
