import Minting

/// `invalid/13-lines`: lines that do not carry exactly one token.
enum LineVectors {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        var file = VectorFile("invalid/13-lines", "Lines that are neither a token nor a JSON object with one")
        let token = try fixtures.small(Payloads.smallTransaction)
        let rows: [(String, String, String)] = [
            ("leading-space", " " + token, "A space in front."), ("leading-tab", "\t" + token, "A tab."),
            ("trailing-space", token + " ", "A space behind."),
            ("trailing-tab", token + "\t", "A tab behind."),
            ("leading-cr", "\r" + token, "A CR in front."),
            ("two-crs", token + "\r\r", "Two CRs behind: only the last belongs to the line's ending."),
            ("inner-cr", token + "\r" + token, "Two tokens with a CR between them."),
            ("spaces-only", "   ", "Spaces only: not an empty line."), ("tab-only", "\t", "A tab only."),
            ("cr-only", "\r\r", "A CR before CR LF."), ("nul-only", "\0", "A NUL only."),
            ("trailing-nul", token + "\0", "A NUL behind."), ("leading-nul", "\0" + token, "A NUL in front."),
            ("byte-order-mark", "\u{FEFF}" + token, "A byte order mark before the token."),
            ("quoted", "\"\(token)\"", "In quotation marks."), ("single-quoted", "'\(token)'", "In quotes."),
            ("bearer", "Bearer " + token, "A scheme in front."), ("two-tokens", token + "," + token, "Two."),
            ("two-tokens-space", token + " " + token, "Two with a space."),
            ("array", "[\"\(token)\"]", "A JSON array."), ("no-break-space", "\u{A0}" + token, "U+00A0."),
            ("zero-width-space", token + "\u{200B}", "U+200B behind."),
            ("line-separator", token + "\u{2028}", "U+2028 is no line feed."),
        ]
        for (name, line, why) in rows { file.rejected(name, .invalidEncoding, line, why) }
        for (name, line, why) in objects(token, try fixtures.small(Payloads.renewalInfo)) {
            file.rejected("json-\(name)", .invalidEncoding, line, why)
        }
        let utf16 = token.utf8.flatMap { (byte: UInt8) -> [UInt8] in [byte, 0] }
        file.rejected("utf-16", .invalidEncoding, bytes: utf16, "UTF-16.")
        file.rejected("utf-16-mark", .invalidEncoding, bytes: [0xFF, 0xFE] + utf16, "UTF-16 with its mark.")
        file.rejected("binary", .invalidEncoding, bytes: [0x80, 0xFF, 0x00, 0xC3], "Binary.")
        let broken = Array("{\"z\":\"".utf8) + [0xC3] + Array("\",\"signedPayload\":\"\(token)\"}".utf8)
        file.rejected("json-utf8", .invalidEncoding, bytes: broken, "A JSON line that is not UTF-8.")
        let good = try fixtures.smallMinter.segments(payload: Payloads.smallTransaction.bytes)
        file.rejected(
            "json-bad-signature", .invalidSignature,
            "{\"signedPayload\":\"\(good.flippingSignatureBit.compact)\"}",
            "A well-formed JSON line around a bad token gives the token's verdict.")
        return [file]
    }

    private static func objects(_ token: String, _ other: String) -> [(String, String, String)] {
        let member = "\"signedPayload\":\"\(token)\""
        return [
            ("empty", "{}", "No member."), ("other-member", #"{"token":"\#(token)"}"#, "An unknown member."),
            ("other-case", #"{"SignedPayload":"\#(token)"}"#, "Another case."),
            ("null", #"{"signedPayload":null}"#, "null."), ("number", #"{"signedPayload":1}"#, "A number."),
            ("array", #"{"signedPayload":["\#(token)"]}"#, "An array."),
            ("object", #"{"signedPayload":{"signedPayload":"\#(token)"}}"#, "An object."),
            ("nested", #"{"body":{\#(member)}}"#, "The member is a level too deep."),
            ("empty-text", #"{"signedPayload":""}"#, "Empty text."),
            ("space-in-text", #"{"signedPayload":" \#(token)"}"#, "A space before the token."),
            ("line-feed-in-text", #"{"signedPayload":"\#(token)\n"}"#, "A line feed behind the token."),
            ("two-members", #"{\#(member),"signedRenewalInfo":"\#(other)"}"#, "Two tokens."),
            ("duplicate", "{\(member),\(member)}", "The same member twice."),
            ("truncated", "{\(member)", "No closing brace."),
            ("trailing-text", "{\(member)}x", "A letter behind."),
            ("two-objects", "{\(member)}{\(member)}", "Two objects."),
            ("trailing-comma", "{\(member),}", "A comma before the brace."),
            ("single-quotes", "{'signedPayload':'\(token)'}", "Single quotes."),
            ("bare-name", "{signedPayload:\"\(token)\"}", "A name without quotation marks."),
            ("bare-token", "{\"signedPayload\":\(token)}", "A token without quotation marks."),
            ("leading-space", " {\(member)}", "A space before the brace: the line does not begin with it."),
            ("byte-order-mark", "\u{FEFF}{\(member)}", "A byte order mark before the brace."),
            ("surrogate", #"{"z":"\uD800",\#(member)}"#, "A lone surrogate in another member."),
            ("raw-tab", "{\"z\":\"\t\",\(member)}", "A tab within another member."),
            ("depth", "{\"z\":\(Payloads.nested(to: 129).text),\(member)}", "Nested a level too deep."),
            (
                "flattened",
                #"{"payload":"e30","protected":"e30","signature":"AA"}"#,
                "The JSON serialization of RFC 7515, 7.2.2."
            ),
            ("brace", "{", "A brace."),
        ]
    }
}
