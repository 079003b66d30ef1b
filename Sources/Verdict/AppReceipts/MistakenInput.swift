internal import WireFormats

/// Other data that people send instead of a token or a receipt, or damage to a receipt in transit. Every door names it by
/// the tables below.
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
    /// White space around base64 or inside it, at a place where it is not allowed.
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
    /// Nothing, or only white space, in a token's place.
    case nothing = "emptyToken"
    /// A server notification of version 1, which has no signature.
    case notificationV1
    /// An answer of the App Store Server API that has its tokens inside.
    case serverAPIAnswer
    /// An error of the App Store Server API.
    case serverAPIError
    /// An answer of `verifyReceipt` without a receipt.
    case verifyReceiptAnswer
    /// A purchase of Google Play, or a notification about one.
    case googlePlay
    /// A payload without header and signature.
    case decodedPayload
    /// A JWT without certificates, such as one that authorizes requests to the App Store Server API.
    case jwt
    /// A JSON array.
    case array = "jsonArray"
    /// The value of an HTTP header `Authorization`.
    case authorization = "authorizationHeader"
    /// A private key, such as App Store Connect's `.p8` files.
    case privateKey
    /// A certificate in PEM.
    case certificate
    /// HTML or XML, such as a server's page about an error.
    case markup
    /// The address of a page or file.
    case url
    /// The path of a file on a device, such as that of `appStoreReceiptURL`.
    case path
    /// Data that these programs have compressed.
    case gzip, zstd, xz, bzip2, zip
    /// A file of Apache Parquet.
    case parquet
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
        case .nothing: "there is no token here: the text is empty, or has only white space"
        case .notificationV1:
            "this is a notification of version 1, which the App Store does not sign; choose version 2 in App "
                + "Store Connect (App Information, App Store Server Notifications)"
        case .serverAPIAnswer:
            "this is an answer of the App Store Server API, with its tokens in signedTransactions, "
                + "notificationHistory or data; give each token by itself, or have it taken apart: the command's "
                + "option is --any-json, the service's ?input=any-json"
        case .serverAPIError:
            "this is an error of the App Store Server API, whose errorMessage says what was wrong; there is "
                + "no token in it"
        case .verifyReceiptAnswer:
            "this is an answer of verifyReceipt, which is not signed; give the receipt that was sent there"
        case .googlePlay: "this is about a purchase in Google Play, which the App Store does not sign"
        case .decodedPayload:
            "this is a payload without its signature; give the token that it was decoded from"
        case .jwt:
            "this is a JWT without certificates, such as one that authorizes requests to the App Store Server "
                + "API; the App Store did not sign it"
        case .array:
            "this is a JSON array; give its elements one by one, or have it taken apart: the command's option is "
                + "--any-json, the service's ?input=any-json"
        case .authorization: "the text begins with Bearer, as in an HTTP header; give the token alone"
        case .privateKey: "this is a private key, which should stay secret, and not what the App Store signed"
        case .certificate: "this is a certificate, which can be a trust anchor; give a token or a receipt"
        case .markup: "this is HTML or XML, perhaps a server's page about an error"
        case .url: "this is a URL; give the token or receipt that it leads to"
        case .path:
            "this is the path of a file on a device, such as appStoreReceiptURL's; give the file's content"
        case .gzip, .zstd, .xz, .bzip2, .zip, .parquet: sentence(unpacking: "FILE", for: "…") ?? rawValue
        }
    }
}

extension MistakenInput {
    /// Says that data is packed, and shows the pipe that gives its lines to a program; `nil` for other data.
    package func sentence(unpacking file: String, for program: String) -> String? {
        guard let command = unpacking(file) else { return nil }
        let what =
            self == .parquet
            ? "this is a Parquet file; give the column that holds tokens"
            : "the data is compressed with \(rawValue); decompress it first"
        return "\(what): \(command) | \(program)"
    }

    /// Whether the lines are inside data that another program reads: there is one verdict for all of it.
    package var isPacked: Bool { unpacking("") != nil }

    private func unpacking(_ file: String) -> String? {
        switch self {
        case .gzip, .zstd, .xz, .bzip2: "\(rawValue) -dc \(Self.quoted(file, "'\\''"))"
        case .zip: "unzip -p \(Self.quoted(file, "'\\''"))"
        case .parquet:
            "duckdb -noheader -list -c \"SELECT token FROM read_parquet(\(Self.quoted(file, "''")))\""
        default: nil
        }
    }

    /// A file's name in the quotation marks of a shell or of SQL, which write such a mark inside in ways of their own.
    private static func quoted(_ file: String, _ mark: String) -> String {
        "'\(file.replacing("'", with: mark))'"
    }
}

extension MistakenInput {
    /// The beginnings of known data. The first that fits decides. A token begins with "eyJ", and a receipt with "MI" or
    /// the byte 30.
    private static let beginnings: [(bytes: [UInt8], input: MistakenInput)] =
        binary + texts.map { (Array($0.utf8), $1) }

    private static let binary: [(bytes: [UInt8], input: MistakenInput)] = [
        ([0xef, 0xbb, 0xbf], .byteOrderMark), ([0x1f, 0x8b, 0x08], .gzip),
        ([0x28, 0xb5, 0x2f, 0xfd], .zstd), ([0xfd, 0x37, 0x7a, 0x58, 0x5a], .xz),
    ]
    private static let texts: [(String, MistakenInput)] = [
        ("BZh", .bzip2), ("PK\u{3}\u{4}", .zip), ("PAR1", .parquet), ("\"", .quoted), ("'", .quoted),
        ("[", .array), ("receipt-data=", .formField), ("Bearer ", .authorization),
        ("-----BEGIN CERTIFICATE", .certificate), ("-----BEGIN PRIVATE KEY", .privateKey),
        ("-----BEGIN EC PRIVATE KEY", .privateKey), ("-----BEGIN ENCRYPTED PRIVATE KEY", .privateKey),
        ("-----BEGIN", .pem), ("<!", .markup), ("<?", .markup), ("<h", .markup), ("<H", .markup),
        ("http://", .url), ("https://", .url), ("file://", .path), ("/var/mobile/", .path),
        ("/private/var/", .path), ("/Users/", .path),
    ]

    /// The members of objects without a token, and the kind of each one's value if it matters. The first that an object has
    /// decides.
    private static let members: [(name: String, kind: String?, input: MistakenInput)] = [
        ("signedPayload", nil, .compactJWS), ("signedTransactionInfo", nil, .compactJWS),
        ("notification_type", nil, .notificationV1), ("notificationUUID", nil, .decodedPayload),
        ("originalTransactionId", nil, .decodedPayload), ("receiptCreationDate", nil, .decodedPayload),
        ("signedTransactions", "an array", .serverAPIAnswer),
        ("notificationHistory", "an array", .serverAPIAnswer), ("data", "an array", .serverAPIAnswer),
        ("errorCode", nil, .serverAPIError), ("receipt-data", nil, .json), ("latest_receipt", nil, .json),
        ("latest_receipt_info", nil, .verifyReceiptAnswer), ("receipt", "an object", .verifyReceiptAnswer),
        ("purchaseToken", nil, .googlePlay), ("packageName", nil, .googlePlay),
    ]
    /// The most bytes that `init(beginningOf:)` needs for packed data.
    package static let packedBytes = 6
    private static let memberNames = MemberNames(members.map(\.name))
    private static let audience = MemberNames(["aud"])

    /// Guesses the kind of data by its first bytes, in constant time.
    package init?(beginningOf data: Span<UInt8>) {
        let found = Self.beginnings.first { ByteScanning.starts(data, with: $0.bytes.span) }
        guard let found else { return nil }
        self = found.input
    }

    /// Guesses the kind of a JSON object that has no token.
    package init?(object text: Span<UInt8>) {
        guard let object = try? JSONObject(text, wanted: Self.memberNames) else { return nil }
        let found = Self.members.indices.first { index in
            guard let value = object[index], value != .null else { return false }
            return Self.members[index].kind.map { $0 == value.kind } ?? true
        }
        guard let found else { return nil }
        self = Self.members[found].input
    }

    /// Guesses the kind of a token without certificates, by its payload.
    package init?(claims: Span<UInt8>) {
        guard let object = try? JSONObject(claims, wanted: Self.audience), object[0] != nil else {
            return nil
        }
        self = .jwt
    }
}

extension MistakenInput {
    /// Guesses the kind of a text that is not a receipt in base64.
    ///
    /// The time is linear in the text. The guess is for a person; no verdict depends on it.
    init?(text: [UInt8]) {
        let trimmed = ReceiptText.trimmed(text[...])
        guard let first = trimmed.first else {
            self = .empty
            return
        }
        if let beginning = Self(beginningOf: trimmed.span) {
            self = beginning
        } else if first == UInt8(ascii: "{") {
            self =
                TransactionReceipt.isPropertyList(text)
                ? .transactionReceipt : Self(object: trimmed.span) ?? .json
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

    /// Guesses the kind of the decoded bytes of a base64 text.
    init?(decoded bytes: [UInt8]) {
        if TransactionReceipt.isPropertyList(bytes) {
            self = .transactionReceipt
        } else if Self.isCompactJWS(bytes) {
            self = .encodedCompactJWS
        } else if bytes.starts(with: "MI".utf8), Self.isBase64(bytes[...], besides: [0x0a, 0x0d]) {
            self = .encodedTwice
        } else if bytes.starts(with: "{".utf8) {
            self = Self(object: bytes.span) ?? .json
        } else if let beginning = Self(beginningOf: bytes.span),
            [.gzip, .zstd, .privateKey, .markup].contains(beginning)
        {
            self = beginning
        } else {
            return nil
        }
    }

    /// Guesses the kind of a text without dots, where a compact JWS is expected.
    package init?(inPlaceOfJWS text: Span<UInt8>) {
        if let beginning = Self(beginningOf: text) {
            self = beginning
            return
        }
        var ink = 0
        while ink < text.count, text[ink] <= UInt8(ascii: " ") { ink += 1 }
        if ink == text.count {
            self = .nothing
            return
        }
        // Each of these has at least 16 bytes.
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
        // Where JSON objects are expected too, a JSON object is not a hint.
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
