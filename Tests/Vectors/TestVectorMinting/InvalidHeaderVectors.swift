import Minting
import TestMinting

/// `invalid/02-header-json`, `02-algorithm`, `02-crit` and `02-x5c`: headers that must be refused.
enum InvalidHeaderVectors {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        [
            try headerJSON(fixtures), try algorithm(fixtures), try critical(fixtures), try x5c(fixtures),
        ]
    }

    private static func headerJSON(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile("invalid/02-header-json", "Headers that are not one strict JSON object")
        let list = try ValidJSON.x5c(fixtures)
        let good = #"{"alg":"ES256","x5c":\#(list)}"#
        for flaw in JSONFlaw.documents(good) {
            try file.rejected(flaw.name, .invalidEncoding, fixtures.small(header: flaw.bytes), flaw.why)
        }
        for flaw in JSONFlaw.values {
            let header = Array(#"{"alg":"ES256","x5c":\#(list),"z":"#.utf8) + flaw.bytes + [0x7D]
            try file.rejected(flaw.name, .invalidEncoding, fixtures.small(header: header), flaw.why)
        }
        let duplicates: [(String, String, String)] = [
            ("duplicate-alg", #"{"alg":"ES256","alg":"ES256","x5c":\#(list)}"#, "alg twice, the same."),
            ("duplicate-alg-first", #"{"alg":"none","alg":"ES256","x5c":\#(list)}"#, "alg twice."),
            ("duplicate-alg-last", #"{"alg":"ES256","x5c":\#(list),"alg":"none"}"#, "alg twice."),
            ("duplicate-x5c", #"{"alg":"ES256","x5c":\#(list),"x5c":\#(list)}"#, "x5c twice."),
            ("duplicate-unknown", #"{"z":1,"alg":"ES256","x5c":\#(list),"z":1}"#, "Any name twice."),
            (
                "duplicate-escaped", #"{"alg":"ES256","x5c":\#(list),"\u0061lg":"ES256"}"#,
                "alg twice, once spelled with an escape."
            ),
            (
                "depth-129", #"{"alg":"ES256","x5c":\#(list),"z":\#(Payloads.nested(to: 129).text)}"#,
                "Nested a level too deep."
            ),
        ]
        for (name, header, why) in duplicates {
            try file.rejected(name, .invalidEncoding, fixtures.small(header: header), why)
        }
        return file
    }

    private static func algorithm(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile("invalid/02-algorithm", "alg is anything but exactly ES256")
        let list = try ValidJSON.x5c(fixtures)
        let values = [
            "\"none\"", "\"None\"", "\"HS256\"", "\"ES384\"", "\"ES512\"", "\"ES256K\"", "\"RS256\"",
            "\"PS256\"", "\"EdDSA\"", "\"es256\"", "\"ES256 \"", "\" ES256\"", "\"ES256\\u0000\"", "\"\"",
            "null", "256", "true", "[\"ES256\"]", "{\"ES256\":1}",
        ]
        for (index, value) in values.enumerated() {
            try file.rejected(
                "value-\(index + 1)", .invalidEncoding,
                fixtures.small(header: #"{"alg":\#(value),"x5c":\#(list)}"#), "alg is \(value).")
        }
        try file.rejected(
            "absent", .invalidEncoding, fixtures.small(header: #"{"x5c":\#(list)}"#), "No alg.")
        try file.rejected(
            "other-case", .invalidEncoding, fixtures.small(header: #"{"ALG":"ES256","x5c":\#(list)}"#),
            "ALG is not alg.")
        var unsigned = try TokenMinter(
            key: fixtures.smallMinter.key, header: Array(#"{"alg":"none","x5c":\#(list)}"#.utf8)
        ).segments(payload: Payloads.smallTransaction.bytes)
        unsigned.signature = ""
        file.rejected(
            "none-unsigned", .invalidEncoding, unsigned.compact,
            "The unsecured JWS of RFC 7515, appendix A.5.")
        let header = Array(#"{"alg":"HS256","x5c":\#(list)}"#.utf8)
        var keyed = try TokenMinter(key: fixtures.smallMinter.key, header: header)
            .segments(payload: Payloads.smallTransaction.bytes)
        keyed.signature = Base64.urlEncoded(
            try HashFunction.sha256.authenticationCode(
                key: fixtures.smallMinter.key.publicKeyInfo(), message: keyed.signingInput))
        file.rejected(
            "hmac-with-public-key", .invalidEncoding, keyed.compact,
            "An HMAC under the public key: the classic confusion of algorithms.")
        return file
    }

    private static func critical(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile("invalid/02-crit", "crit, whatever it says")
        let list = try ValidJSON.x5c(fixtures)
        let rows: [(String, String)] = [
            ("unknown", #""crit":["exp"],"exp":1"#), ("b64", #""b64":false,"crit":["b64"]"#),
            ("empty", #""crit":[]"#), ("null", #""crit":null"#), ("text", #""crit":"exp""#),
            ("known", #""crit":["alg"]"#), ("escaped", #""\u0063rit":["exp"],"exp":1"#),
        ]
        for (name, members) in rows {
            try file.rejected(
                name, .invalidEncoding,
                fixtures.small(header: #"{"alg":"ES256",\#(members),"x5c":\#(list)}"#),
                "The header has \(members).")
        }
        return file
    }

    private static func x5c(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile("invalid/02-x5c", "x5c is no array of three strings of standard base64")
        let certificates = try fixtures.p256.x5c(leaf: 2).map { Base64.encoded($0) }
        let quoted = certificates.map { "\"\($0)\"" }
        let (leaf, intermediate, root) = (quoted[0], quoted[1], quoted[2])
        let shapes: [(String, String, String)] = [
            ("null", "null", "null."), ("text", leaf, "A string."), ("number", "3", "A number."),
            ("object", #"{"0":\#(leaf)}"#, "An object."), ("empty", "[]", "No certificate."),
            ("one", "[\(leaf)]", "One certificate, and nobody asked for Xcode."),
            ("two", "[\(leaf),\(intermediate)]", "Two certificates."),
            ("four", "[\(leaf),\(intermediate),\(root),\(root)]", "Four certificates."),
            ("null-element", "[\(leaf),\(intermediate),null]", "null among them."),
            ("number-element", "[\(leaf),\(intermediate),1]", "A number among them."),
            ("array-element", "[\(leaf),[\(intermediate)],\(root)]", "An array among them."),
            ("nested", "[[\(leaf),\(intermediate),\(root)]]", "An array around them."),
        ]
        for (name, value, why) in shapes {
            try file.rejected(
                name, .invalidEncoding, fixtures.small(header: #"{"alg":"ES256","x5c":\#(value)}"#), why)
        }
        try file.rejected("absent", .invalidEncoding, fixtures.small(header: #"{"alg":"ES256"}"#), "No x5c.")
        for position in 0..<3 {
            for (name, spoil, why) in spoilings {
                var spoilt = certificates
                spoilt[position] = spoil(certificates[position])
                let list = spoilt.map { "\"\($0)\"" }.joined(separator: ",")
                try file.rejected(
                    "\(name)-\(position)", .invalidEncoding,
                    fixtures.small(header: #"{"alg":"ES256","x5c":[\#(list)]}"#),
                    "Certificate \(position) \(why).")
            }
        }
        return file
    }

    private typealias Spoiling = (name: String, spoil: (String) -> String, why: String)

    private static var spoilings: [Spoiling] {
        [
            ("url-alphabet", { $0.replacing("+", with: "-").replacing("/", with: "_") }, "is base64url"),
            ("white-space", { $0.prefix(64) + #"\n"# + $0.dropFirst(64) }, "has a line feed, as PEM has"),
            ("leading-space", { " " + $0 }, "has a space in front"),
            ("extra-padding", { $0 + "=" }, "has padding too many"),
            ("garbage", { "*" + $0.dropFirst() }, "has a character of no alphabet"),
            ("left-over", { $0.replacing("=", with: "") + "A===" }, "has a character left over"),
            (
                "pem", { #"-----BEGIN CERTIFICATE-----\n\#($0)\n-----END CERTIFICATE-----"# },
                "is PEM"
            ),
        ]
    }
}
