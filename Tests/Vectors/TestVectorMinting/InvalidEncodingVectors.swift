import Minting
import TestMinting

/// `invalid/01-too-large`, `invalid/02-segments`, `invalid/02-base64url`.
enum InvalidEncodingVectors {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        [try tooLarge(fixtures), try segments(fixtures), try base64url(fixtures)]
    }

    private static func tooLarge(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        let limit = try SizeLimit(fixtures)
        var file = VectorFile(
            "invalid/01-too-large", "Longer than the allowed size, by one byte and by more",
            options: limit.options)
        let token = limit.tooLongToken
        file.rejected("one-byte", .tooLarge, token, "A good token, one byte too long.")
        file.rejected(
            "garbage", .tooLarge, String(repeating: "a", count: token.utf8.count),
            "The size is judged before anything else.")
        file.rejected(
            "json-line", .tooLarge, #"{"signedPayload":"\#(token)"}"#, "The same inside a JSON line.")
        file.rejected("double", .tooLarge, token + token, "Twice too long.")
        file.rejected(
            "garbage-within", .invalidEncoding, String(repeating: "a", count: token.utf8.count - 1),
            "Garbage within the limit is judged as garbage.")
        return file
    }

    private static func segments(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile("invalid/02-segments", "Not three segments")
        let minter = fixtures.smallMinter
        let whole = try minter.segments(payload: Payloads.smallTransaction.bytes)
        let token = whole.compact
        let rows: [(String, String, String)] = [
            ("none", "a", "A letter."),
            ("one", whole.header, "A header alone."),
            ("two", "\(whole.header).\(whole.payload)", "No signature segment."),
            ("four", token + "." + whole.signature, "A fourth segment."),
            ("four-empty", token + ".", "A fourth, empty segment."),
            ("leading-dot", "." + token, "An empty segment in front."),
            ("double-dot", "\(whole.header)..\(whole.payload).\(whole.signature)", "An empty one within."),
            ("five", "a.b.c.d.e", "As many as a JWE has."),
            ("dots", "..", "Three empty segments."),
            ("dot", ".", "Two empty segments."),
            ("four-dots", "....", "Five empty segments."),
            ("empty-header", ".\(whole.payload).\(whole.signature)", "An empty header segment."),
            ("colons", token.replacing(".", with: ":"), "Another separator."),
            ("text", "not a token", "Plain text."),
        ]
        for (name, line, why) in rows { file.rejected(name, .invalidEncoding, line, why) }
        try file.rejected(
            "empty-payload", .invalidEncoding, minter.token(payload: ""),
            "An empty payload, signed: the signature is right, but nothing is no JSON object.")
        return file
    }

    private static func base64url(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile("invalid/02-base64url", "Segments that are not strict base64url")
        // The question marks ensure that both segments have characters of both alphabets.
        let list = try ValidJSON.x5c(fixtures)
        let plainHeader = #"{"kid":"???>>>","alg":"ES256","x5c":\#(list)}"#
        let payload = Payloads.smallTransaction.appending("note", "???>>>").text
        for remainder in 0..<3 {
            let header = padded(plainHeader, toRemainder: remainder)
            let body = padded(payload, toRemainder: remainder)
            let kind = ["of whole groups", "with one byte over", "with two bytes over"][remainder]
            for flaw in Base64Flaw.all where flaw.applies(toRemainder: remainder) {
                let name = "\(flaw.name)-\(remainder)"
                let good = (Base64.urlEncoded(Array(header.utf8)), Base64.urlEncoded(Array(body.utf8)))
                try file.rejected(
                    "header-\(name)", .invalidEncoding,
                    fixtures.smallMinter.signed(header: flaw.apply(good.0), payload: good.1).compact,
                    "The header segment, \(kind), \(flaw.why). The signature covers it as it stands.")
                try file.rejected(
                    "payload-\(name)", .invalidEncoding,
                    fixtures.smallMinter.signed(header: good.0, payload: flaw.apply(good.1)).compact,
                    "The payload segment, \(kind), \(flaw.why). The signature covers it as it stands.")
            }
        }
        try signatures(fixtures, &file)
        return file
    }

    /// Signature segments of 64 bytes: 63 fill whole groups, and one is left over.
    private static func signatures(_ fixtures: Fixtures, _ file: inout VectorFile) throws(MintingError) {
        var segments = try fixtures.smallMinter.segments(payload: Payloads.smallTransaction.bytes)
        let signature = try DeterministicECDSA(curve: .p256, hash: .sha256).firstSignature(
            message: segments.signingInput, scalar: fixtures.smallMinter.key.scalar
        ) {
            let text = Base64.urlEncoded($0.raw)
            return text.contains("-") && text.contains("_")
        }
        let good = Base64.urlEncoded(signature.raw)
        for flaw in Base64Flaw.all where flaw.applies(toRemainder: 1) {
            segments.signature = flaw.apply(good)
            file.rejected(
                "signature-\(flaw.name)", .invalidEncoding, segments.compact,
                "The signature segment \(flaw.why).")
        }
    }

    /// JSON text with trailing spaces, until its byte count has this remainder modulo three.
    private static func padded(_ text: String, toRemainder remainder: Int) -> String {
        text + String(repeating: " ", count: (remainder - text.utf8.count % 3 + 3) % 3)
    }
}

/// One way to make a base64url segment invalid.
struct Base64Flaw: Sendable {
    let name: String
    let why: String
    /// The remainders modulo three of the byte counts to which this flaw applies.
    let remainders: [Int]
    let apply: @Sendable (String) -> String

    func applies(toRemainder remainder: Int) -> Bool { remainders.contains(remainder) }

    static let all: [Base64Flaw] = [
        Base64Flaw(name: "padded", why: "is padded", remainders: [1, 2]) {
            $0 + String(repeating: "=", count: (4 - $0.count % 4) % 4)
        },
        Base64Flaw(name: "extra-padding", why: "has a padding character too many", remainders: [0]) {
            $0 + "="
        },
        Base64Flaw(name: "plus", why: "has '+' for '-'", remainders: [0, 1]) { $0.replacing("-", with: "+") },
        Base64Flaw(name: "slash", why: "has '/' for '_'", remainders: [0, 1]) {
            $0.replacing("_", with: "/")
        },
        Base64Flaw(name: "trailing-bits", why: "ends in bits that are not zero", remainders: [1, 2]) {
            withTrailingBit($0)
        },
        Base64Flaw(name: "single-character", why: "has a character left over", remainders: [0]) { $0 + "A" },
        Base64Flaw(name: "space", why: "has a space within", remainders: [0, 1]) { inserted(" ", $0) },
        Base64Flaw(name: "tab", why: "has a tab within", remainders: [0]) { inserted("\t", $0) },
        Base64Flaw(name: "carriage-return", why: "has a CR within", remainders: [1]) { inserted("\r", $0) },
        Base64Flaw(name: "nul", why: "has a NUL within", remainders: [0, 1]) { inserted("\0", $0) },
        Base64Flaw(name: "asterisk", why: "has a character of no alphabet", remainders: [0, 1]) {
            inserted("*", $0)
        },
        Base64Flaw(name: "non-ascii", why: "has a character beyond ASCII", remainders: [0, 1]) {
            inserted("é", $0)
        },
        Base64Flaw(name: "percent", why: "has its first character percent-encoded", remainders: [0]) {
            "%65" + $0.dropFirst()
        },
        Base64Flaw(name: "trailing-space", why: "has a space behind", remainders: [2]) { $0 + " " },
    ]

    private static func inserted(_ text: String, _ segment: String) -> String {
        segment.prefix(20) + text + segment.dropFirst(20)
    }

    private static func withTrailingBit(_ segment: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        guard let last = segment.last, let value = alphabet.firstIndex(of: last) else { return segment }
        return segment.dropLast() + String(alphabet[value | 1])
    }
}
