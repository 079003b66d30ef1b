import SeededRandom
import Testing
import WireFormats

/// Dates in the form that receipts use (RFC 3339, section 5.6).
@Suite struct ReceiptDateTests {
    private func milliseconds(_ text: String) -> Int64? {
        CalendarTime.milliseconds(receiptDate: Array(text.utf8).span)
    }

    @Test(
        "dates of every spelling",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2025-12-26T18:39:47Z", 1_766_774_387_000),
            ("2020-07-22T18:33:15+0100", 1_595_439_195_000), ("2020-07-22T18:33:15+01:00", 1_595_439_195_000),
            ("2020-07-22T16:33:15-0100", 1_595_439_195_000), ("2020-07-22T17:33:15.5Z", 1_595_439_195_500),
            ("2020-07-22T17:33:15.123456789Z", 1_595_439_195_123), ("1969-12-31T23:59:59.999Z", -1),
            ("2000-02-29T00:00:00Z", 951_782_400_000), ("4001-01-01T00:00:00+0000", 64_092_211_200_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000),
        ])
    func read(text: String, expected: Int64) { #expect(milliseconds(text) == expected) }

    @Test(
        "texts that are no dates",
        arguments: [
            "", "2025-12-26", "2025-12-26T18:39:47", "2025-12-26 18:39:47Z", "2025-12-26t18:39:47Z",
            "2025-12-26T18:39:47z", "2025-13-01T00:00:00Z", "2025-00-01T00:00:00Z", "2025-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z", "2025-04-31T00:00:00Z", "2025-01-00T00:00:00Z", "2025-01-01T24:00:00Z",
            "2025-01-01T00:60:00Z", "2025-01-01T00:00:60Z", "0000-01-01T00:00:00Z", "2025-01-01T00:00:00.Z",
            "2025-01-01T00:00:00.5", "2025-01-01T00:00:00+2400", "2025-01-01T00:00:00+0060",
            "2025-01-01T00:00:00+01", "2025-01-01T00:00:00+01:0", "2025-01-01T00:00:00+0100Z",
            "2025-01-01T00:00:00ZZ", "+025-01-01T00:00:00Z", "2025-01-01T00:00:00\u{0}Z",
            "2025-01-01T00:00:00.1234567890123456789012345Z", "２025-01-01T00:00:00Z",
        ])
    func refused(text: String) { #expect(milliseconds(text) == nil) }

    @Test func `the calendar is the C library's, day by day over ten thousand years`() throws {
        var random = SplitMix64(seed: 12)
        var day = CalendarTime.firstSecond
        while day < CalendarTime.lastSecond {
            let second = day + Int64.random(in: 0..<86_400, using: &random)
            #expect(milliseconds(CalendarTime.iso8601(second)) == second * 1000)
            // About every seventh day; every day in the years of App Store receipts.
            let isClose = second > 1_199_145_600 && second < 1_924_991_999
            day += 86_400 * (isClose ? 1 : Int64.random(in: 1...13, using: &random))
        }
    }
}
