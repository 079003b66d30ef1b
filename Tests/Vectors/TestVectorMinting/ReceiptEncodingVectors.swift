import Minting
import TestMinting

/// `invalid/01-receipt-too-large`, `invalid/02-receipt-base64`, `invalid/02-receipt-der` and
/// `invalid/02-receipt-transaction`: lines that do not encode a SignedData.
enum ReceiptEncodingVectors {
    static func files(_ fixtures: ReceiptFixtures) throws(MintingError) -> [VectorFile] {
        [
            try tooLarge(fixtures), try base64(fixtures), try truncated(fixtures), try lengths(fixtures),
            transactionReceipts(),
        ]
    }

    private static func tooLarge(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        let limit = try ReceiptSizeLimit(fixtures)
        var file = VectorFile.receipts(
            "invalid/01-receipt-too-large", "Longer than the allowed size, by four characters and by more",
            options: limit.options)
        file.rejected("longer", .tooLarge, limit.tooLong, "A good receipt, three bytes too long.")
        file.rejected(
            "garbage", .tooLarge, String(repeating: "A", count: limit.tooLong.utf8.count),
            "The size is judged before anything else.")
        file.rejected(
            "one-character", .tooLarge, limit.longest + "A", "One character more, and no base64 any more.")
        return file
    }

    private static func base64(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/02-receipt-base64", "Lines that are not strict base64 with padding")
        var texts: [Int: String] = [:]
        for extra in 0...2 {
            let padding = ReceiptAttribute(99, [UInt8](repeating: 0xFB, count: 3 + extra))
            let text = try fixtures.small(Receipts.small.appending(padding))
            texts[text.count { $0 == "=" }] = text
        }
        for (count, text) in texts.sorted(by: { $0.key < $1.key }) {
            for (name, line, why) in paddings(text, count) {
                file.rejected("\(name)-of-\(count)", .invalidEncoding, line, why)
            }
        }
        let text = texts[0] ?? ""
        for (name, line, why) in alphabets(text) { file.rejected(name, .invalidEncoding, line, why) }
        for (name, line, why) in spaces(text) { file.rejected(name, .invalidEncoding, line, why) }
        return file
    }

    /// Flaws at the end of a text with this many padding characters.
    private static func paddings(_ text: String, _ count: Int) -> [(String, String, String)] {
        let bare = String(text.prefix { $0 != "=" })
        var rows = [
            ("padding-more", text + "=", "One padding character too many."),
            ("padding-group", text + "====", "A group of padding alone."),
            ("padding-within", "\(text.prefix(40))=\(text.dropFirst(41))", "A padding character within."),
        ]
        guard count > 0, let last = bare.last, let digit = alphabet.firstIndex(of: last) else { return rows }
        let next = alphabet[digit | 1]
        rows += [
            ("padding-none", bare, "No padding."),
            ("trailing-bits", bare.dropLast() + "\(next)" + text.dropFirst(bare.count), "A trailing bit."),
        ]
        if count == 2 { rows.append(("padding-less", bare + "=", "One padding character too few.")) }
        return rows
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

    private static func alphabets(_ text: String) -> [(String, String, String)] {
        let escaped = text.replacing("+", with: "%2B").replacing("/", with: "%2F")
        return [
            (
                "base64url", text.replacing("+", with: "-").replacing("/", with: "_"),
                "The alphabet of base64url."
            ),
            ("percent", escaped, "Percent-escapes, as a form has them."),
            ("spaces-for-plus", text.replacing("+", with: " "), "Spaces, as a form read wrongly has them."),
            ("escaped-slashes", text.replacing("/", with: "\\/"), "Slashes escaped, as JSON has them."),
            ("twice", Base64.encoded(Array(text.utf8)), "base64 of base64."),
            ("quoted", "\"\(text)\"", "In quotation marks."),
            ("pem", "-----BEGIN PKCS7-----\(text)-----END PKCS7-----", "Between PEM's marks."),
            ("data-url", "data:application/pkcs7-mime;base64,\(text)", "A URL."),
            ("full-stop", text + ".", "A full stop behind."),
            ("not-ascii", "é" + text, "A character beyond ASCII."),
            ("nul", text + "\0", "A NUL behind."),
            ("length-of-1", text + "A", "A single character behind, which stands for no byte."),
            ("one-character", "M", "One character."),
            ("padding-alone", "====", "Padding alone."),
            ("text", "receipt", "A word."),
        ]
    }

    private static func spaces(_ text: String) -> [(String, String, String)] {
        let lines = stride(from: 0, to: text.count, by: 64).map { start in
            String(text.dropFirst(start).prefix(64))
        }
        return [
            ("leading-space", " " + text, "A space in front."),
            ("trailing-space", text + " ", "A space behind."),
            ("inner-space", "\(text.prefix(76)) \(text.dropFirst(76))", "A space within."),
            ("tab", "\(text.prefix(76))\t\(text.dropFirst(76))", "A tab within."),
            ("lines", lines.joined(separator: "\r"), "Lines of 64 characters with a CR between them."),
            ("escaped-lines", lines.joined(separator: "\\n"), "Lines with their ends escaped."),
        ]
    }

    private static func truncated(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts("invalid/02-receipt-truncated", "Receipts that end too early")
        let definite = try fixtures.template().der
        let indefinite = try fixtures.template().with { $0.form = .indefinite(pieceBytes: .max) }.der
        let early = [1, 2, 3, 4, 5, 14, 15, 16, 18, 19, 22, 23, 26, 30, 45, 56, 60, 64, 100]
        for count in early + [400, 1000, definite.count - 256, definite.count - 1] {
            file.rejected(
                "first-\(count)", .invalidEncoding, Base64.encoded(Array(definite.prefix(count))),
                "The first \(count) bytes.")
        }
        for count in [2, 15, 17, 45, 52, 54, 60, 100, 350] {
            file.rejected(
                "indefinite-first-\(count)", .invalidEncoding,
                Base64.encoded(Array(indefinite.prefix(count))),
                "The first \(count) bytes of the form with indefinite lengths.")
        }
        for missing in [1, 2, 3, 4, 6] {
            file.rejected(
                "without-last-\(missing)", .invalidEncoding,
                Base64.encoded(Array(indefinite.dropLast(missing))),
                "The last \(missing) of the zero bytes that end indefinite lengths are missing.")
        }
        return file
    }

    private static func lengths(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts("invalid/02-receipt-der", "Encodings beyond DER and Xcode's BER")
        let template = try fixtures.template()
        let der = template.der
        for (name, trailer, why) in [
            ("byte", [0], "A zero byte"), ("end-of-contents", [0, 0], "The end of an indefinite length"),
            ("null", DER.null, "NULL"), ("self", der, "The receipt itself"),
        ] as [(String, [UInt8], String)] {
            file.rejected(
                "trailing-\(name)", .invalidEncoding, Base64.encoded(der + trailer), "\(why) after the end.")
        }
        for (name, bytes, why) in nestings(template) {
            file.rejected(name, .invalidEncoding, Base64.encoded(bytes), why)
        }
        for (name, bytes, why) in [
            ("empty-sequence", [0x30, 0x00], "An empty SEQUENCE."), ("null", DER.null, "NULL."),
            ("zeros", [UInt8](repeating: 0, count: 30), "Zero bytes."),
            ("reserved-length", [0x30, 0xFF] + der, "The length byte that X.690, 8.1.3.5, reserves."),
            ("huge-length", [0x30, 0x88] + [UInt8](repeating: 0xFF, count: 8) + der, "A length of 2⁶⁴ - 1."),
            ("long-tag", [0x3F, 0x10] + der.dropFirst(1), "A tag number in a second byte."),
            ("octet-string", DER.octetString(der), "A receipt within an OCTET STRING."),
            ("certificate", fixtures.smallMinter.certificates[0], "A certificate."),
            ("content", Receipts.small.der, "The content alone."),
            (
                "signed-data", DER.contents(Array(DER.contents(der).dropFirst(11))),
                "SignedData without a ContentInfo."
            ),
        ] as [(String, [UInt8], String)] {
            file.rejected(name, .invalidEncoding, Base64.encoded(bytes), why)
        }
        return file
    }

    private static func nestings(_ template: SignedDataTemplate) -> [(String, [UInt8], String)] {
        let depth = 2000
        let open = [[UInt8]](repeating: [0x24, 0x80], count: depth).flatMap { $0 }
        let close = [UInt8](repeating: 0, count: 2 * depth)
        let definite: @Sendable ([UInt8]) -> [UInt8] = { octets in
            // Only headers, from the innermost out. Each one adds its own length to that of the next.
            var headers: [[UInt8]] = []
            var count = octets.count
            for _ in 0..<depth {
                let header = DER.header(tag: 0x24, count: count)
                headers.append(header)
                count += header.count
            }
            return headers.reversed().flatMap { $0 } + octets
        }
        return [
            (
                "octets-nested-indefinite", template.spoiling(.octets) { open + $0 + close }.der,
                "An OCTET STRING \(depth) levels deep, of indefinite lengths."
            ),
            (
                "octets-nested-definite", template.spoiling(.octets, definite).der,
                "An OCTET STRING \(depth) levels deep, of definite lengths."
            ),
            (
                "octets-nested-open", template.spoiling(.octets) { open + $0 }.der,
                "The same, never ended."
            ),
            (
                "nested-indefinite", [[UInt8]](repeating: [0x30, 0x80], count: depth).flatMap { $0 } + close,
                "SEQUENCE within SEQUENCE, \(depth) levels deep."
            ),
            (
                "octets-of-other-type",
                template.spoiling(.octets) { DER.value(tag: 0x24, DER.value(tag: 0x0C, DER.contents($0))) }
                    .der, "A constructed OCTET STRING whose piece is a UTF8String."
            ),
            (
                "octets-primitive-indefinite",
                template.spoiling(.octets) { [0x04, 0x80] + DER.contents($0) + [0, 0] }.der,
                "A primitive OCTET STRING of indefinite length (X.690, 8.1.3.2)."
            ),
            (
                "octets-one-zero",
                template.spoiling(.octets) { [0x24, 0x80] + $0 + [0] }.der,
                "An indefinite length that ends in one zero byte."
            ),
            (
                "indefinite-without-end",
                template.spoiling(.contentInfo) { [0x30, 0x80] + DER.contents($0) }.der,
                "An indefinite length without end."
            ),
            (
                "end-with-length",
                template.spoiling(.octets) { [0x24, 0x80] + $0 + [0, 1] + [0] }.der,
                "An end of contents with contents."
            ),
        ]
    }

    /// The form of receipt before iOS 7: a property list in the old style, with base64 inside base64.
    private static func transactionReceipts() -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/02-receipt-transaction", "Transaction receipts from before iOS 7")
        let information = Base64.encoded(
            Array(#"{"bid" = "com.example.garden"; "product-id" = "com.example.garden.seeds";}"#.utf8))
        let signature = Base64.encoded([UInt8](repeating: 0x5A, count: 128))
        let members = [
            ("signature", signature), ("purchase-info", information), ("environment", "Sandbox"),
            ("pod", "100"), ("signing-status", "0"),
        ]
        let text = members.map { "\t\"\($0.0)\" = \"\($0.1)\";\n" }.joined()
        file.rejected(
            "property-list", .invalidEncoding, Base64.encoded(Array("{\n\(text)}".utf8)),
            "A property list of the old style.")
        file.rejected(
            "property-list-xml", .invalidEncoding,
            Base64.encoded(Array("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>".utf8)),
            "One in XML.")
        return file
    }
}
