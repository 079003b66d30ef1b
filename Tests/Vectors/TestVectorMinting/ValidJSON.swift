import Minting
import TestMinting

/// `valid/json` and `valid/headers`: everything that RFC 8259 allows in payloads and headers.
enum ValidJSON {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        [try payloads(fixtures), try headers(fixtures)]
    }

    private static func payloads(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile("valid/json", "Payloads that use the freedom of JSON")
        let payload = Payloads.smallTransaction
        let values: [(String, JSONText, String)] = [
            ("escaped-slash", .raw(#""a\/b\/c""#), #"The escape \/, as Xcode writes it."#),
            ("unicode-escape", .raw(#""\u0041\u00e4\u20AC""#), "Escapes in both cases."),
            ("surrogate-pair-escape", .raw(#""\uD83C\uDF31""#), "A pair of surrogate escapes."),
            ("null-escape", .raw(#""a\u0000b""#), "An escaped NUL."),
            ("short-escapes", .raw(#""\"\\\b\f\n\r\t""#), "All the short escapes."),
            ("non-ascii", "Gärtnerei 🌱 日本語 \u{7F}\u{2028}\u{FFFF}", "Characters beyond ASCII, and DEL."),
            ("big-integer", .raw(String(repeating: "9", count: 400)), "An integer of 400 digits."),
            ("precision", .raw("0.1000000000000000055511151231257827021181583404541015625"), "55 places."),
            ("big-exponent", .raw("1e400"), "Beyond a double, where nobody reads it."),
            ("small-exponent", .raw("-1.5E-4000"), "Below a double."),
            ("minus-zero", .raw("-0"), "Minus zero."),
            ("literals", [true, false, nil], "The three literals."),
            ("empty-containers", [[], .object([]), ""], "Empty array, object and string."),
            (
                "depth-128", Payloads.nested(to: 128),
                "Nesting to the limit; the payload itself counts as one."
            ),
            (
                "white-space", .raw(" [ 1 ,\n 2 ,\t{ \"a\" :\r\n 3 } ] "),
                "All four white-space characters around every token, line feeds too."
            ),
        ]
        for (name, value, why) in values {
            try file.verified(name, .transaction, fixtures.small(payload.appending("note", value)), why)
        }
        try file.verified(
            "surrounding-white-space", .transaction, fixtures.small("\r\n\t \(payload.text) \n"),
            "White space around the object.")
        try file.verified(
            "duplicate-unread", .transaction,
            fixtures.small(payload.appending("note", 1).appending("note", 2)),
            "A duplicate of a member that no check reads.")
        try file.verified(
            "duplicate-nested", .transaction,
            fixtures.small(payload.appending("note", ["signedDate": 1]).appending("memo", ["signedDate": 2])),
            "signedDate inside other members is not the payload's.")
        try file.verified(
            "case-differs", .transaction,
            fixtures.small(payload.appending("SignedDate", "x").appending("signeddate", nil)),
            "Names are compared exactly.")
        return file
    }

    private static func headers(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile("valid/headers", "Headers that are unlike the App Store's and right")
        let list = try x5c(fixtures)
        let rows: [(String, String, String)] = [
            ("order", #"{"x5c":\#(list),"alg":"ES256"}"#, "Members in the other order."),
            (
                "unknown-members", #"{"kid":"1","typ":"JWT","alg":"ES256","x5c":\#(list),"z":{"y":[null]}}"#,
                "Members that nobody asked for (RFC 7515, 4: ignored)."
            ),
            ("white-space", " {\n\t\"alg\" : \"ES256\" , \"x5c\" :\r\n\(list) }\n", "White space."),
            ("escaped-name", #"{"\u0061lg":"ES256","x5c":\#(list)}"#, "An escape in a name."),
            ("escaped-value", #"{"alg":"\u0045S256","x5c":\#(list)}"#, "An escape in a value."),
            (
                "escaped-slashes", #"{"alg":"ES256","x5c":\#(list.replacing("/", with: #"\/"#))}"#,
                "Escaped slashes in the certificates."
            ),
            (
                "depth-128", #"{"alg":"ES256","x5c":\#(list),"z":\#(Payloads.nested(to: 128).text)}"#,
                "Nesting to the limit."
            ),
        ]
        for (name, header, why) in rows {
            try file.verified(name, .transaction, fixtures.small(header: header), why)
        }
        return file
    }

    /// The JSON array of the small PKI's certificates.
    static func x5c(_ fixtures: Fixtures) throws(MintingError) -> String {
        let list = try fixtures.p256.x5c(leaf: 2).map { "\"\(Base64.encoded($0))\"" }
        return "[\(list.joined(separator: ","))]"
    }
}
