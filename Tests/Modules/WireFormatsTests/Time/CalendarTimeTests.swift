import Foundation
import RepositoryFiles
import Testing
import WireFormats

/// Compares the calendar with the C library's (POSIX `gmtime_r`).
@Suite struct CalendarTimeTests {
    /// The date and time of a second, by the C library.
    private static func expected(_ second: Int) -> [Int] {
        var time = second
        var fields = unsafe tm()
        _ = unsafe gmtime_r(&time, &fields)
        return unsafe [
            fields.tm_year + 1900, fields.tm_mon + 1, fields.tm_mday, fields.tm_hour, fields.tm_min,
            fields.tm_sec,
        ].map(Int.init)
    }

    private static func text(_ fields: [Int]) -> String {
        let parts = zip(fields, [4, 2, 2, 2, 2, 2]).map { number, width in
            String(repeating: "0", count: width - String(number).count) + String(number)
        }
        return parts[..<3].joined(separator: "-") + "T" + parts[3...].joined(separator: ":") + "Z"
    }

    /// The calendar repeats every 146,097 days, which is no multiple of 11. So steps of 11 days meet each day of the cycle twice
    /// in its 25 turns. At large, every day is met.
    private static let step = TestScale.isLarge ? 1 : 11

    @Test func `the days of the years 1 to 9999 are those of the C library, in both directions`() {
        var differing = 0
        let (first, last) = (Int(CalendarTime.firstSecond) / 86_400, Int(CalendarTime.lastSecond) / 86_400)
        for day in Array(stride(from: first, through: last, by: Self.step)) + [last] {
            // Another time on each day.
            let second = day * 86_400 + (day * 7_919 % 86_400 + 86_400) % 86_400
            guard second >= CalendarTime.firstSecond, second <= CalendarTime.lastSecond else { continue }
            let fields = Self.expected(second)
            let back = CalendarTime.seconds(
                year: fields[0], month: fields[1], day: fields[2], hour: fields[3], minute: fields[4],
                second: fields[5])
            if CalendarTime.iso8601(Int64(second)) != Self.text(fields) || back != Int64(second) {
                differing += 1
            }
        }
        #expect(differing == 0)
    }

    @Test(arguments: [
        (CalendarTime.firstSecond, 0, "0001-01-01T00:00:00.000Z"),
        (CalendarTime.lastSecond, 999, "9999-12-31T23:59:59.999Z"),
        (-1, 7, "1969-12-31T23:59:59.007Z"), (951_782_399, 90, "2000-02-28T23:59:59.090Z"),
    ])
    func `milliseconds have three digits`(second: Int64, milliseconds: Int64, text: String) {
        #expect(CalendarTime.iso8601(second, milliseconds: milliseconds) == text)
    }

    @Test(arguments: [
        [0, 1, 1, 0, 0, 0], [10_000, 1, 1, 0, 0, 0], [2025, 0, 1, 0, 0, 0], [2025, 13, 1, 0, 0, 0],
        [2025, 1, 0, 0, 0, 0], [2025, 1, 32, 0, 0, 0], [2025, 4, 31, 0, 0, 0], [2025, 2, 29, 0, 0, 0],
        [1900, 2, 29, 0, 0, 0], [2025, 1, 1, 24, 0, 0], [2025, 1, 1, 0, 60, 0], [2025, 1, 1, 0, 0, 60],
        [2025, 1, 1, -1, 0, 0], [2025, .max, 1, 0, 0, 0], [2025, .min, 1, 0, 0, 0],
    ])
    func `fields that name no time have no second`(fields: [Int]) {
        let second = CalendarTime.seconds(
            year: fields[0], month: fields[1], day: fields[2], hour: fields[3], minute: fields[4],
            second: fields[5])
        #expect(second == nil)
    }

    @Test func `a second outside the years is given as a number`() {
        #expect(CalendarTime.iso8601(CalendarTime.lastSecond + 1) == "253402300800 s since 1970")
        #expect(CalendarTime.iso8601(CalendarTime.firstSecond - 1) == "-62135596801 s since 1970")
    }
}
