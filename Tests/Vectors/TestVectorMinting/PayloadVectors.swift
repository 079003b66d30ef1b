import Minting

/// `invalid/05-payload-json` and `invalid/06-date`: payloads with a good signature that cannot be read.
enum PayloadVectors {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        [try json(fixtures), try dates(fixtures)]
    }

    private static func json(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/05-payload-json", "Payloads that are not one strict JSON object, signed like any other")
        let payload = Payloads.smallTransaction
        for flaw in JSONFlaw.documents(payload.text) {
            try file.rejected(
                flaw.name, .invalidEncoding, fixtures.smallMinter.token(payload: flaw.bytes), flaw.why)
        }
        let start = Array(payload.text.dropLast().utf8) + Array(",\"note\":".utf8)
        for flaw in JSONFlaw.values {
            try file.rejected(
                flaw.name, .invalidEncoding, fixtures.smallMinter.token(payload: start + flaw.bytes + [0x7D]),
                flaw.why)
        }
        let date = JSONText.number(Payloads.date)
        let twice = payload.appending("signedDate", date)
        let rows: [(String, String, String)] = [
            ("depth-129", payload.appending("note", Payloads.nested(to: 129)).text, "A level too deep."),
            ("depth-5000", payload.appending("note", Payloads.nested(to: 5000)).text, "5000 levels deep."),
            (
                "depth-129-objects",
                payload.text.dropLast()
                    + String(repeating: ",\"a\":{\"b\":1", count: 128).replacing("{\"b\":1,", with: "{")
                    + String(repeating: "}", count: 129), "A level too deep, in objects."
            ),
            ("duplicate-date", twice.text, "signedDate twice, the same."),
            (
                "duplicate-date-other", payload.appending("signedDate", 1).text,
                "signedDate twice, with different values."
            ),
            (
                "duplicate-date-null", payload.appending("signedDate", nil).text,
                "signedDate twice, once null."
            ),
            (
                "duplicate-date-escaped",
                payload.text.dropLast() + ",\"signed\\u0044ate\":\(Payloads.date)}",
                "signedDate twice, once spelled with an escape."
            ),
            (
                "duplicate-receipt-creation-date",
                Payloads.sandboxAppTransaction.appending("receiptCreationDate", date).text,
                "An app transaction's date twice."
            ),
            (
                "duplicate-data",
                Payloads.testNotification.appending("data", ["environment": "Sandbox"]).text,
                "data twice in a notification, whose inner tokens are read."
            ),
        ]
        for (name, text, why) in rows {
            try file.rejected(name, .invalidEncoding, fixtures.small(text), why)
        }
        return file
    }

    private static func dates(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile("invalid/06-date", "Payloads without a usable date")
        let values: [(String, JSONText, String)] = [
            ("null", nil, "null"), ("text", .string(String(Payloads.date)), "a string of digits"),
            ("iso8601", "2025-12-06T05:46:40Z", "a date in words"), ("true", true, "true"),
            ("false", false, "false"), ("array", [.number(Payloads.date)], "an array"),
            ("object", ["ms": .number(Payloads.date)], "an object"), ("empty-text", "", "empty text"),
            ("infinite", .raw("1e400"), "beyond a double"),
            ("just-infinite", .raw("1e309"), "beyond a double"),
            ("minus-infinite", .raw("-1e400"), "below a double"),
            ("exponent-huge", .raw("1e99999999999999999999"), "an exponent beyond any integer"),
            ("digits-400", .raw(String(repeating: "9", count: 400)), "400 digits"),
            ("year-10000", 253_402_300_800_000, "the first millisecond of the year 10000"),
            ("year-10000-exponent", .raw("2.534023008e14"), "the same as an exponent"),
            ("year-0", -62_135_596_800_001, "a millisecond before the year 1"),
            ("year-minus", .raw("-1e18"), "before the year 1"),
            ("beyond-int64", .raw("9223372036854775808"), "2^63"),
        ]
        for (name, value, why) in values {
            try file.rejected(
                name, .missingRequiredProperties,
                fixtures.small(Payloads.smallTransaction.setting("signedDate", value)),
                "signedDate is \(why).")
        }
        for (name, payload, why) in absent {
            try file.rejected(name, .missingRequiredProperties, fixtures.small(payload), why)
        }
        return file
    }

    private static let absent: [(String, JSONText, String)] = [
        ("transaction-absent", Payloads.transaction.removing("signedDate"), "A transaction without it."),
        ("renewal-info-absent", Payloads.renewalInfo.removing("signedDate"), "A renewal info."),
        (
            "realtime-request-absent", Payloads.realtimeRequest.removing("signedDate"),
            "A realtime request."
        ),
        (
            "notification-absent", Payloads.testNotification.removing("signedDate"),
            "A notification without signedDate, as Apple has signed."
        ),
        (
            "app-transaction-absent", Payloads.appTransaction.removing("receiptCreationDate"),
            "An app transaction without receiptCreationDate."
        ),
        (
            "app-transaction-signed-date-only",
            Payloads.appTransaction.removing("receiptCreationDate")
                .appending("signedDate", .number(Payloads.date)),
            "An app transaction's date is receiptCreationDate alone."
        ),
        (
            "transaction-creation-date-only",
            Payloads.smallTransaction.removing("signedDate").appending(
                "purchaseDate", .number(Payloads.date)),
            "No other date stands in."
        ),
        ("empty", .object([]), "An empty object."),
        (
            "nested-only", ["transactionId": "1", "note": ["signedDate": .number(Payloads.date)]],
            "signedDate within another member."
        ),
        (
            "other-case", ["transactionId": "1", "SignedDate": .number(Payloads.date)],
            "SignedDate is not signedDate."
        ),
    ]
}
