import Foundation
import Testing
import WireFormats

/// The small rules of text that every door shares.
@Suite struct TextTests {
    @Test(
        "percent-encoding that is decoded",
        arguments: [
            ("", ""), ("plain", "plain"), ("a%20b", "a b"), ("%E2%82%AC", "€"), ("%e2%82%ac", "€"),
            ("a+b", "a+b"), ("%2B", "+"), ("100%25", "100%"),
        ])
    func decoded(text: String, expected: String) { #expect(PercentEncoding.decoded(text) == expected) }

    @Test(
        "percent-encoding that is refused",
        arguments: ["%", "%2", "%+f", "%-1", "%0x", "% 1", "%g0", "%ff", "%C3", "%٣٣"])
    func broken(text: String) {
        #expect(PercentEncoding.decoded(text) == nil)
        #expect(PercentEncoding.decoded(text, isQuery: true) == nil)
    }

    @Test func `a plus sign is a space in a query alone`() {
        #expect(PercentEncoding.decoded("a+b%2Bc", isQuery: true) == "a b+c")
        #expect(PercentEncoding.decoded("a+b%2Bc") == "a+b+c")
    }

    #if ServerAPI
        @Test func `what is percent-encoded is decoded to the same text`() {
            #expect(PercentEncoding.encoded("aZ09-._~") == "aZ09-._~")
            #expect(PercentEncoding.encoded("a b/c?d=e&f+g%€") == "a%20b%2Fc%3Fd%3De%26f%2Bg%25%E2%82%AC")
            let every = String(String.UnicodeScalarView((0..<0x300).compactMap(Unicode.Scalar.init)))
            #expect(PercentEncoding.decoded(PercentEncoding.encoded(every)) == every)
            #expect(PercentEncoding.decoded(PercentEncoding.encoded(every), isQuery: true) == every)
        }
    #endif

    @Test func `a UUID is read in either case, and written in lower case`() throws {
        let text = "1B671A64-40D5-491E-99B0-DA01FF1F3341"
        #expect(try #require(UUID(canonicalForm: text.lowercased())).uuidString == text)
        let lower = CanonicalUUID.lowercased(text.utf8Span.span).map { text in text.indices.map { text[$0] } }
        #expect(lower == Array(text.lowercased().utf8))
    }

    @Test(
        "texts that are no UUIDs",
        arguments: [
            "", "1b671a64-40d5-491e-99b0-da01ff1f3341\u{0}", "1b671a64-40d5-491e-99b0-da01ff1f3341 ",
            "1b671a64-40d5-491e-99b0-da01ff1f334", "1b671a6440d5491e99b0da01ff1f3341----",
            "{1b671a64-40d5-491e-99b0-da01ff1f3341}", "1b671a64-40d5-491e-99b0-da01ff1f334g",
            "1b671a64-40d5-491e-99b0-da01ff1f33\u{0}1", "1b671a64\u{0}40d5-491e-99b0-da01ff1f3341",
            "1b671a64_40d5-491e-99b0-da01ff1f3341", "1b671a64-40d5-491e-99b0-da01ff1f33\u{661}",
        ])
    func noUUID(text: String) {
        #expect(UUID(canonicalForm: text) == nil)
        let isRefused = CanonicalUUID.lowercased(text.utf8Span.span) == nil
        #expect(isRefused)
    }

    @Test func `hexadecimal has two digits a byte, and no sign`() {
        #expect(hexadecimal([0, 0x0f, 0xa0, 0xff]) == "000fa0ff")
        for value in UInt8.min...UInt8.max {
            let digits = Array(hexadecimal([value]).uppercased().utf8)
            #expect(byte(hexadecimal: digits[0], digits[1]) == value)
        }
        #expect(byte(hexadecimal: UInt8(ascii: "+"), UInt8(ascii: "f")) == nil)
    }

    /// The first is RFC 9110's own example.
    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    ])
    func `a date of HTTP`(second: Int64, text: String) { #expect(CalendarTime.httpDate(second) == text) }

    @Test func `a month that lacks the day ends on its last one`() {
        let ends = [(1, "2024-02-29"), (13, "2025-02-28"), (3, "2024-04-30"), (2, "2024-03-31")]
        for (months, expected) in ends {
            // 31 January 2024, 01:02:03.
            let second = CalendarTime.adding(months: months, to: 1_706_662_923)
            #expect(CalendarTime.iso8601(Int64(second)) == expected + "T01:02:03Z")
        }
    }

    @Test(
        "dates as people write them",
        arguments: [
            ("2025-10-11", 1_760_140_800), ("2025-10-11T19:51:52Z", 1_760_212_312),
            ("2025-10-11T19:51Z", 1_760_212_260), ("2025-10-11T19:51:52.25Z", 1_760_212_312.25),
            ("2025-10-11T21:51:52+02:00", 1_760_212_312), ("2025-10-11T19:21:52-00:30", 1_760_212_312),
        ])
    func date(text: String, expected: Double) { #expect(CalendarTime.seconds(iso8601: text) == expected) }

    @Test(
        "texts that look like dates and are not",
        arguments: [
            "2025-10-11T", "2025-10-11T19:51:52", "2025-10-11T19Z", "2025-10-11 19:51:52Z", "2025-02-29",
            "2025-10-11T19:51:52+0200", "2025-10-11T19:51:52.Z", "2025-10-11T19:51:52.1234567890Z",
            "2025-10-11T24:00:00Z", "2025-10-11T19:51:52+24:00", "2025-10-11\u{0}", "٢٠٢٥-10-11", "2025-1-1",
        ])
    func noDate(text: String) { #expect(CalendarTime.seconds(iso8601: text) == nil) }
}
