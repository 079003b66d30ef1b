import Minting

/// `invalid/07-validity…`: certificates that were not valid at the effective date.
enum ValidityVectors {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        [try own(fixtures), try anchor(fixtures), try effectiveDate(fixtures)]
    }

    private static func own(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/07-validity", "Dates at which leaf or intermediate was not valid",
            roots: ["pki/root.pem"])
        let leaf = fixtures.standard.leaf.template
        let rows: [(String, JSONText, String)] = [
            ("leaf-second-before", .number(leaf.notBefore.milliseconds - 1), "A millisecond too early."),
            ("leaf-second-after", .number(leaf.notAfter.milliseconds + 1000), "A second too late."),
            ("leaf-fraction-before", .raw("\(leaf.notBefore.milliseconds - 1).999"), "A microsecond early."),
            ("leaf-expired-then", .number(Payloads.date2024), "Not valid in 2024, whatever holds now."),
            ("leaf-long-ago", 1_000_000_000_000, "2001."),
            ("epoch", 0, "1970."), ("minus-one", -1, "A millisecond before 1970."),
            ("small-fraction", .raw("0.5"), "Half a millisecond after 1970."),
            ("seconds", .number(Payloads.date / 1000), "Seconds taken for milliseconds: January 1970."),
            ("year-1", -62_135_596_800_000, "The first millisecond of the year 1."),
            ("year-9999", 253_402_300_799_999, "The last millisecond of the year 9999."),
        ]
        for (name, date, why) in rows {
            try file.rejected(
                name, .invalidCertificateChain,
                fixtures.standard(Payloads.smallTransaction.setting("signedDate", date)), why)
        }
        let payload = Payloads.sandboxAppTransaction.setting("receiptCreationDate", 1_000_000_000_000)
            .appending("signedDate", .number(Payloads.date))
        try file.rejected(
            "app-transaction", .invalidCertificateChain, fixtures.standard(payload),
            "receiptCreationDate decides, not signedDate.")
        let date = CertificateTime(secondsSince1970: Payloads.date / 1000)
        for (name, why, change) in intermediateSpans(date) {
            try file.rejected(
                name, .invalidCertificateChain, fixtures.changed { change(&$0.intermediate.template) }, why)
            try file.rejected(
                name.replacing("intermediate", with: "leaf"), .invalidCertificateChain,
                fixtures.changed { change(&$0.leaf.template) }, why)
        }
        return file
    }

    private static func intermediateSpans(
        _ date: CertificateTime
    ) -> [(String, String, (inout CertificateTemplate) -> Void)] {
        [
            (
                "intermediate-not-yet", "It begins a second after the payload's.",
                { $0.notBefore = date.advanced(by: 1) }
            ),
            (
                "intermediate-expired", "It ends a second before the payload's.",
                { $0.notAfter = date.advanced(by: -1) }
            ),
            (
                "intermediate-reversed", "Its end lies before its beginning.",
                {
                    $0.notBefore = date.advanced(by: 10)
                    $0.notAfter = date.advanced(by: -10)
                }
            ),
        ]
    }

    private static func anchor(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/07-validity-anchor", "The anchor was not valid any more, or is valid again",
            roots: ["pki/root-short-lived.pem"])
        let end = CertificateTime(2024, 12, 31, 23, 59, 59)
        let minter = try fixtures.standard.minter(leaf: 1)
        for (name, date) in [
            ("first-second-after", end.milliseconds + 1000), ("month-after", 1_738_000_000_000),
        ] {
            let payload = Payloads.smallTransaction.setting("signedDate", .number(date))
            try file.rejected(
                name, .invalidCertificateChain, minter.token(payload: payload.text),
                "The anchor's validity is honoured like any other's.")
        }
        let payload = Payloads.smallTransaction.setting("signedDate", .number(end.milliseconds + 999))
        try file.verified(
            "last-second", .transaction, minter.token(payload: payload.text), "The anchor's last second.")
        return file
    }

    private static func effectiveDate(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/07-effective-date", "The caller fixes a date at which the leaf was not valid",
            options: ["--effective-date", "2024-01-01T00:00:00Z"])
        try file.rejected(
            "transaction", .invalidCertificateChain, fixtures.small(Payloads.smallTransaction),
            "The payload's own date would do; the caller's does not.")
        try file.verified(
            "older-leaf", .transaction,
            fixtures.p256.minter(leaf: 1).token(payload: Payloads.smallTransaction.text),
            "The older leaf was valid on the caller's date, though not on the payload's.")
        return file
    }
}
