import Minting
import TestMinting

/// `valid/receipts`, `valid/receipts-dates` and `valid/receipts-effective-date`: contents of every form.
enum ValidReceipts {
    static func files(_ fixtures: ReceiptFixtures) throws(MintingError) -> [VectorFile] {
        [try shapes(fixtures), try dates(fixtures), try effectiveDate(fixtures)]
    }

    typealias Row = (name: String, content: ReceiptContent, why: String)
    private typealias App = ReceiptAttribute.App
    private typealias InApp = ReceiptAttribute.InApp

    private static func shapes(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts("valid/receipts", "Contents of every shape, whole chains")
        for row in environments + purchases + attributes {
            try file.verified(row.name, .receipt, fixtures.minter.receipt(row.content), row.why)
        }
        for (index, year, date) in [(0, "2022", Receipts.date2022), (1, "2024", Receipts.date2024)] {
            let content = Receipts.sandbox.setting(App.creationDate, date: date)
            try file.verified(
                "leaf-of-\(year)", .receipt, fixtures.pki.minter(leaf: index).receipt(content),
                "A receipt of \(year) under the leaf of that time.")
        }
        return file
    }

    private static var environments: [Row] {
        let names = ["ProductionVPP", "ProductionVPPSandbox", "Sandbox", "Staging", ""]
        return [
            ("sandbox", Receipts.sandbox, "A sandbox receipt of 2025 with a subscription."),
            ("production", Receipts.production, "One of production, which names the app by its number."),
            ("small", Receipts.small, "Only what some check reads."),
            (
                "no-environment", Receipts.sandbox.removing(App.environment),
                "No environment, which nobody asked for."
            ),
        ]
            + names.map { name in
                (
                    "environment-\(name.isEmpty ? "empty" : name.lowercased())",
                    Receipts.small.setting(App.environment, text: name),
                    "The environment is \(name.isEmpty ? "empty" : name)."
                )
            }
    }

    private static var purchases: [Row] {
        typealias ProductType = ReceiptContent.Purchase.ProductType
        let none = Receipts.sandbox.removing(App.inAppPurchase)
        var rows: [Row] = [
            ("purchases-0", none, "No in-app purchase."),
            ("purchases-10", none.appending(purchases: Receipts.purchases(10)), "Ten of them."),
            (
                "purchase-empty", none.appending(purchases: [ReceiptContent([])]),
                "An in-app purchase without attributes."
            ),
            (
                "purchase-cancelled",
                none.appending(purchases: [
                    Receipts.purchase { _ in }.setting(InApp.cancellationDate, date: Receipts.date)
                ]), "One that was cancelled."
            ),
            (
                "purchase-offer",
                none.appending(purchases: [
                    Receipts.purchase { _ in }.setting(InApp.promotionalOfferIdentifier, text: "spring")
                        .setting(InApp.isTrialPeriod, number: 1)
                ]), "One under a promotional offer."
            ),
            (
                "purchase-unknown-attributes",
                none.appending(purchases: [
                    Receipts.purchase { _ in }.appending(ReceiptAttribute(1799, [0xFF]))
                        .appending(ReceiptAttribute(1799, version: 3, []))
                ]), "Attributes that nobody knows, one twice."
            ),
        ]
        for type in ProductType.allCases {
            let purchase = Receipts.purchase {
                $0.productType = type
                $0.productIdentifier = "com.example.garden.\(type)"
            }
            rows.append(("product-\(type)", none.appending(purchases: [purchase]), "Product type \(type)."))
        }
        return rows
    }

    private static var attributes: [Row] {
        let huge: [UInt8] = DER.unsignedInteger([UInt8](repeating: 0xA5, count: 20))
        let purchase = Receipts.purchase { _ in }
            .setting(InApp.webOrderLineItemIdentifier, huge).setting(InApp.quantity, huge)
        var unsorted = Receipts.sandbox
        unsorted.isSorted = false
        return [
            (
                "unknown-attributes",
                Receipts.small.appending(ReceiptAttribute(99, [0xDE, 0xAD]))
                    .appending(ReceiptAttribute(99, [])).appending(ReceiptAttribute(4242, [0x30, 0x80])),
                "Attributes that nobody knows, whose values are no DER, one twice."
            ),
            (
                "attribute-versions",
                Receipts.small.appending(ReceiptAttribute(98, version: 70_000, DER.null)),
                "An attribute of another version."
            ),
            (
                "huge-type", Receipts.small.appending(ReceiptAttribute(1 << 40, DER.null)),
                "A type of 41 bits."
            ),
            (
                "huge-integers",
                Receipts.small.setting(16, huge).appending(purchases: [purchase]),
                "Integers of 160 bits in places that no check reads."
            ),
            (
                "huge-app-id", Receipts.small.setting(App.appIdentifier, huge),
                "An app's number of 160 bits, which nobody asked for."
            ),
            ("unsorted", unsorted, "The SET is not in DER's order."),
            (
                "no-bundle-id", Receipts.small.removing(App.bundleIdentifier),
                "No bundle identifier, which nobody asked for."
            ),
            (
                "no-device-hash", Receipts.small.removing(App.deviceHash, App.opaqueValue),
                "No hash, which nobody asked for."
            ),
            (
                "long-version", Receipts.small.setting(App.applicationVersion, text: longText),
                "A text of 300 characters beyond ASCII."
            ),
        ]
    }

    private static let longText = String(repeating: "ü", count: 300)

    private static func dates(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "valid/receipts-dates", "Dates in every spelling, and what stands in for a missing one")
        let leaf = fixtures.pki.leaf.template
        let spellings: [(String, String, String)] = [
            ("not-before", leaf.notBefore.iso8601, "The first second counts."),
            ("not-after", leaf.notAfter.iso8601, "The last second counts."),
            ("not-after-fraction", leaf.notAfter.fraction("999"), "To its last millisecond."),
            ("future", "2027-10-01T00:00:00Z", "No clock is read."),
            ("fraction", "2025-12-06T05:46:40.123Z", "Milliseconds."),
            ("fraction-1", "2025-12-06T05:46:40.5Z", "A tenth of a second."),
            ("offset", "2025-12-06T06:46:40+0100", "An offset without a colon, as Xcode writes it."),
            ("offset-west", "2025-12-05T22:16:40-0730", "Another, west and not whole."),
            ("offset-zero", "2025-12-06T05:46:40+0000", "An offset of nothing."),
            ("offset-colon", "2025-12-06T06:46:40+01:00", "With a colon, as RFC 3339 has it."),
            (
                "offset-decides", leaf.notBefore.advanced(by: 3600).local("+0100"),
                "The first second of the leaf, told an hour to the east."
            ),
        ]
        for (name, date, why) in spellings {
            try file.verified(
                name, .receipt, fixtures.small(Receipts.small.setting(App.creationDate, date: date)), why)
        }
        let leapDay = Receipts.small.setting(App.creationDate, date: "2024-02-29T12:00:00Z")
        var minter = try fixtures.pki.minter(leaf: 1)
        minter.certificates.removeLast()
        try file.verified("leap-day", .receipt, minter.receipt(leapDay), "29 February 2024.")
        for row in fallbacks { try file.verified(row.name, .receipt, fixtures.small(row.content), row.why) }
        return file
    }

    private static var fallbacks: [Row] {
        let undated = Receipts.small.removing(App.creationDate)
        let long = "2001-09-09T01:46:40Z"
        let purchases = [long, Receipts.date, "", "2022-01-01T00:00:00Z"].map { date in
            Receipts.purchase {
                $0.purchaseDate = date
                $0.originalPurchaseDate = long
                $0.expiresDate = "2031-01-01T00:00:00Z"
            }
        }
        let bought = undated.appending(purchases: purchases)
        return [
            (
                "request-date", undated.setting(App.requestDate, date: Receipts.date),
                "No creation date: the request date."
            ),
            (
                "creation-date-empty",
                Receipts.small.setting(App.creationDate, date: "")
                    .setting(App.requestDate, date: Receipts.date),
                "An empty creation date is none."
            ),
            (
                "creation-date-first", Receipts.small.setting(App.requestDate, date: long),
                "The creation date, not the request date."
            ),
            (
                "request-date-first",
                undated.setting(App.requestDate, date: Receipts.date).appending(purchases: [
                    Receipts.purchase { $0.purchaseDate = long }
                ]), "The request date, not the purchase's."
            ),
            ("latest-purchase", bought, "Neither: the latest of the purchase dates."),
            (
                "latest-purchase-all-empty",
                bought.setting(App.creationDate, date: "").setting(App.requestDate, date: ""),
                "The same where both are empty."
            ),
        ]
    }

    private static func effectiveDate(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "valid/receipts-effective-date", "The caller fixes the date, and the receipt's is not asked for",
            options: ["--effective-date", "2026-01-01T00:00:00Z"])
        let rows: [Row] = [
            ("own-date", Receipts.small, "A date of its own, which is not used."),
            ("no-date", Receipts.small.removing(App.creationDate), "No date at all."),
            (
                "date-before-validity",
                Receipts.small.setting(App.creationDate, date: "2001-09-09T01:46:40Z"),
                "The receipt says 2001; the caller says otherwise."
            ),
        ]
        for row in rows { try file.verified(row.name, .receipt, fixtures.small(row.content), row.why) }
        return file
    }
}

extension CertificateTime {
    /// `2025-09-19T19:44:51.999Z`.
    func fraction(_ digits: String) -> String { "\(iso8601.dropLast()).\(digits)Z" }

    /// The same digits with an offset as the time zone.
    func local(_ offset: String) -> String { "\(iso8601.dropLast())\(offset)" }
}
