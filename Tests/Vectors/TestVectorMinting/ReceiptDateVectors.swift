import Minting
import TestMinting

/// `invalid/06-receipt-date`: receipts without a usable date.
enum ReceiptDateVectors {
    static func files(_ fixtures: ReceiptFixtures) throws(MintingError) -> [VectorFile] {
        var file = VectorFile.receipts("invalid/06-receipt-date", "Receipts without a usable date")
        for (name, date, why) in texts {
            try file.rejected(
                name, .missingRequiredProperties,
                fixtures.small(Receipts.small.setting(App.creationDate, date: date)), why)
        }
        for (name, content, why) in contents {
            try file.rejected(name, .missingRequiredProperties, fixtures.small(content), why)
        }
        return [file]
    }

    private typealias App = ReceiptAttribute.App

    private static let texts: [(String, String, String)] = [
        ("word", "yesterday", "A word."), ("space", " ", "A space."),
        ("date-only", "2025-12-06", "A date without a time."),
        ("no-zone", "2025-12-06T05:46:40", "No zone."),
        ("no-seconds", "2025-12-06T05:46Z", "No seconds."),
        ("space-for-t", "2025-12-06 05:46:40Z", "A space for the T."),
        ("basic", "20251206T054640Z", "No hyphens and colons."),
        ("asn1", "20251206054640Z", "As a GeneralizedTime has it."),
        ("etc-gmt", "2025-12-06 05:46:40 Etc/GMT", "As a server's answer has it."),
        ("milliseconds", "1765000000123", "Milliseconds since 1970."),
        ("leading-space", " 2025-12-06T05:46:40Z", "A space in front."),
        ("trailing-space", "2025-12-06T05:46:40Z ", "A space behind."),
        ("trailing-nul", "2025-12-06T05:46:40Z\0", "A NUL behind."),
        ("two-zones", "2025-12-06T05:46:40Z+0000", "Two zones."),
        ("month-0", "2025-00-06T05:46:40Z", "Month 0."), ("month-13", "2025-13-06T05:46:40Z", "Month 13."),
        ("day-0", "2025-12-00T05:46:40Z", "Day 0."), ("day-32", "2025-12-32T05:46:40Z", "Day 32."),
        ("february-30", "2025-02-30T05:46:40Z", "30 February."),
        ("february-29", "2025-02-29T05:46:40Z", "29 February, and no leap year."),
        ("february-29-1900", "1900-02-29T05:46:40Z", "29 February 1900, no leap year either."),
        ("hour-24", "2025-12-06T24:00:00Z", "Hour 24."), ("minute-60", "2025-12-06T05:60:00Z", "Minute 60."),
        ("second-61", "2025-12-06T05:46:61Z", "Second 61."),
        ("offset-hour-24", "2025-12-06T05:46:40+2400", "An offset of 24 hours."),
        ("offset-minute-60", "2025-12-06T05:46:40+0060", "An offset of 60 minutes."),
        ("offset-short", "2025-12-06T05:46:40+01", "An offset of two digits."),
        ("offset-sign", "2025-12-06T05:46:400100", "An offset without a sign."),
        ("fraction-empty", "2025-12-06T05:46:40.Z", "A fraction without digits."),
        ("sign", "+2025-12-06T05:46:40Z", "A sign before the year."),
        ("one-digit-month", "2025-1-06T05:46:40Z", "A month of one digit."),
        ("year-10000", "10000-01-01T00:00:00Z", "The year 10000."),
        ("year-0", "0000-12-31T23:59:59Z", "The year 0."),
        ("year-negative", "-0001-12-31T23:59:59Z", "A negative year."),
        ("before-year-1", "0001-01-01T00:00:00+0100", "The year 1 by its digits, the year 0 in UTC."),
        ("after-year-9999", "9999-12-31T23:59:59-0100", "The year 9999 by its digits, 10000 in UTC."),
        ("digits-elsewhere", "２０25-12-06T05:46:40Z", "Digits of another script."),
    ]

    private static var contents: [(String, ReceiptContent, String)] {
        let undated = Receipts.small.removing(App.creationDate)
        let empty = Receipts.purchase { $0.purchaseDate = "" }
        return [
            ("none", undated, "No date at all."),
            ("no-attributes", ReceiptContent([]), "No attributes at all."),
            (
                "all-empty",
                undated.setting(App.creationDate, date: "").setting(App.requestDate, date: "")
                    .appending(purchases: [empty, empty]), "Only empty ones."
            ),
            (
                "original-purchase-date",
                undated.setting(App.originalPurchaseDate, date: Receipts.date)
                    .setting(App.expirationDate, date: Receipts.date),
                "Dates that stand in for nothing: of the app's purchase, and of expiry."
            ),
            (
                "purchase-other-dates", undated.appending(purchases: [empty]),
                "A purchase with its original purchase date and its expiry date alone."
            ),
            (
                "malformed-before-request-date",
                undated.setting(App.creationDate, date: "yesterday")
                    .setting(App.requestDate, date: Receipts.date),
                "A malformed date is not an absent one: nothing stands in for it."
            ),
            (
                "integer", undated.setting(App.creationDate, number: 1_765_000_000_123),
                "A creation date that is an INTEGER."
            ),
        ]
    }
}
