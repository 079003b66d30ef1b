import Minting

/// `valid/dates` and `valid/effective-date`: the instants at which certificates are judged.
enum ValidDates {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        [try dates(fixtures), try effectiveDate(fixtures)]
    }

    private static func dates(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "valid/dates", "Dates in every legal spelling, and at both ends of the validity")
        let leaf = fixtures.p256.leaf.template
        let first = leaf.notBefore.milliseconds
        let last = leaf.notAfter.milliseconds
        let rows: [(String, JSONText, String)] = [
            ("not-before", .number(first), "The first second counts."),
            ("not-before-fraction", .raw("\(first).5"), "Half a millisecond into the first second."),
            ("not-after", .number(last), "The last second counts."),
            ("not-after-999", .number(last + 999), "To its last millisecond."),
            ("not-after-fraction", .raw("\(last + 999).999"), "And beyond, within the second."),
            ("future", .number(CertificateTime(2027, 10, 1).milliseconds), "No clock is read."),
            ("fraction", .raw("\(Payloads.date).4471"), "A fraction, as Xcode writes it."),
            ("zero-fraction", .raw("\(Payloads.date).000"), "A fraction of nothing."),
            ("exponent", .raw("1.765e12"), "An exponent."),
            ("exponent-upper-plus", .raw("1765E+9"), "An upper-case exponent with a sign."),
            ("exponent-negative", .raw("17650000000000000e-4"), "A negative exponent."),
            (
                "long-fraction", .raw("\(Payloads.date).\(String(repeating: "123456789", count: 9))"),
                "More digits than any machine number holds."
            ),
        ]
        for (name, date, why) in rows {
            try file.verified(
                name, .transaction,
                fixtures.small(Payloads.smallTransaction.setting("signedDate", date)), why)
        }
        try file.verified(
            "escaped-name", .transaction,
            fixtures.small(
                Payloads.smallTransaction.text.replacing("\"signedDate\"", with: "\"signed\\u0044ate\"")),
            "The member's name spelled with an escape is still its name.")
        try file.verified(
            "expired-since", .transaction,
            fixtures.p256.minter(leaf: 0).token(payload: Payloads.transaction2022.text),
            "Valid then, expired now.")
        return file
    }

    private static func effectiveDate(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "valid/effective-date", "The caller fixes the date, and the payload's own is not asked for",
            options: ["--effective-date", "2026-01-01T00:00:00Z"])
        let payload = Payloads.smallTransaction
        let rows: [(String, JSONText, PayloadKind, String)] = [
            ("own-date", payload, .transaction, "A date of its own, which is not used."),
            ("no-date", payload.removing("signedDate"), .transaction, "No date."),
            ("null-date", payload.setting("signedDate", nil), .transaction, "A null date."),
            (
                "date-before-validity", payload.setting("signedDate", 1_000_000_000_000), .transaction,
                "The payload says 2001; the caller says otherwise."
            ),
            (
                "notification-without-date", Payloads.testNotification.removing("signedDate"),
                .notification, "Old notifications have no signedDate."
            ),
        ]
        for (name, payload, kind, why) in rows {
            try file.verified(name, kind, fixtures.small(payload), why)
        }
        return file
    }
}
