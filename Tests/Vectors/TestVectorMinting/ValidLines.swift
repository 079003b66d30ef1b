import Minting

/// `valid/json-lines`, `valid/empty-lines`, `valid/crlf`, `valid/size-limit`: how lines carry tokens.
enum ValidLines {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        [try jsonLines(fixtures), try emptyLines(fixtures), try crlf(fixtures), try sizeLimit(fixtures)]
    }

    private static func jsonLines(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "valid/json-lines", "Lines that are JSON objects around a token, as webhooks log")
        let token = try fixtures.small(Payloads.smallTransaction)
        let renewal = try fixtures.small(Payloads.renewalInfo)
        let app = try fixtures.small(Payloads.sandboxAppTransaction)
        let test = try fixtures.small(Payloads.testNotification)
        let rows: [(String, PayloadKind, String, String)] = [
            ("signed-payload", .notification, #"{"signedPayload":"\#(test)"}"#, "What a webhook receives."),
            (
                "signed-transaction-info", .transaction, #"{"signedTransactionInfo":"\#(token)"}"#,
                "What the transaction endpoint answers."
            ),
            ("signed-transaction", .transaction, #"{"signedTransaction":"\#(token)"}"#, "Short name."),
            ("signed-renewal-info", .renewalInfo, #"{"signedRenewalInfo":"\#(renewal)"}"#, "Renewal info."),
            (
                "signed-app-transaction-info", .appTransaction, #"{"signedAppTransactionInfo":"\#(app)"}"#,
                "App transaction."
            ),
            (
                "other-members", .transaction,
                #"{"time":"2025-12-06T05:46:40Z","n":[1,{"signedPayload":2}],"signedPayload":"\#(token)"}"#,
                "Other members around it, one of which nests a member of the same name."
            ),
            (
                "white-space", .transaction, #"{ "signedPayload" : "\#(token)" }"#,
                "White space inside the object."
            ),
            (
                "escapes", .transaction,
                #"{"signed\u0050ayload":"\#(token.replacing(".", with: #"\u002e"#))"}"#,
                "Escapes in the name and in the token."
            ),
        ]
        for (name, kind, line, why) in rows { file.verified(name, kind, line, why) }
        return file
    }

    private static func emptyLines(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "valid/empty-lines", "Empty lines, skipped and counted; the last line has no ending")
        file.emptyLine()
        file.verified(
            "second", .transaction, try fixtures.small(Payloads.smallTransaction),
            "Line 2, after an empty one.")
        file.emptyLine(crlf: true)
        file.emptyLine()
        file.verified(
            "fifth", .renewalInfo, try fixtures.small(Payloads.renewalInfo),
            "Line 5, after two empty ones; the file ends without a line feed.")
        file.endsWithNewline = false
        return file
    }

    private static func crlf(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile("valid/crlf", "Lines that end in CRLF, and in LF among them")
        let token = try fixtures.small(Payloads.smallTransaction)
        file.verified("token", .transaction, token, "A token before CRLF.", crlf: true)
        file.verified(
            "json", .transaction, #"{"signedPayload":"\#(token)"}"#, "A JSON line before CRLF.", crlf: true)
        file.verified("line-feed", .transaction, token, "A line feed alone.")
        file.verified("last", .transaction, token, "CRLF at the end of the file.", crlf: true)
        return file
    }

    private static func sizeLimit(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        let limit = try SizeLimit(fixtures)
        var file = VectorFile(
            "valid/size-limit", "Tokens of exactly the allowed size", options: limit.options)
        file.verified("exact", .transaction, limit.longestToken, "As many bytes as the limit allows.")
        file.verified(
            "exact-crlf", .transaction, limit.longestToken, "The line's ending does not count.", crlf: true)
        return file
    }
}

/// A token at the size limit, and one that is a byte longer.
struct SizeLimit {
    let longestToken: String
    let tooLongToken: String

    init(_ fixtures: Fixtures) throws(MintingError) {
        let payload = Payloads.smallTransaction.appending("note", "")
        // Three bytes take four characters; two more bytes take three, one more takes two. So from a
        // remainder of one to a remainder of two, the token grows by one character.
        let padding = (3 - payload.bytes.count % 3 + 1) % 3
        let filled = { (count: Int) in
            payload.setting("note", .string(String(repeating: "x", count: 300 + count)))
        }
        longestToken = try fixtures.small(filled(padding))
        tooLongToken = try fixtures.small(filled(padding + 1))
    }

    var options: [String] { ["--max-token-bytes", String(longestToken.utf8.count)] }
}
