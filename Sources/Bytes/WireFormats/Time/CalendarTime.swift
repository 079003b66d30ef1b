/// Converts between seconds since 1970 and calendar fields, in UTC and in the Gregorian calendar.
///
/// The formulas are those of Hinnant, "chrono-Compatible Low-Level Date Algorithms". They count years from
/// March on, so that a leap day is the last day of its year, and in eras of 400 years, which have the same
/// number of days.
package enum CalendarTime {
    /// The first second of the year 1. ISO 8601 requires an agreement between the parties for earlier years.
    package static let firstSecond: Int64 = -62_135_596_800
    /// The last second of the year 9999, the latest that a certificate or four digits can name.
    package static let lastSecond: Int64 = 253_402_300_799

    /// The seconds of a day. UTC's leap seconds are not counted (POSIX, *Seconds Since the Epoch*).
    package static let secondsOfDay = 86_400

    private static let daysOfEra = 146_097
    /// The days from 1 March of the year 0 to 1 January 1970.
    private static let daysBefore1970 = 719_468

    /// The time in the form of ISO 8601, `2025-10-11T19:51:52Z`, with milliseconds if they are given.
    package static func iso8601(_ seconds: Int64, milliseconds: Int64? = nil) -> String {
        guard seconds >= firstSecond, seconds <= lastSecond else { return "\(seconds) s since 1970" }
        var text: [UInt8] = []
        append(iso8601: seconds, milliseconds: milliseconds, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends a time in the form of ISO 8601, without allocating a string.
    ///
    /// - Parameters:
    ///   - seconds: a second of the years 1 to 9999.
    ///   - milliseconds: 0 to 999; `nil` for a time without them.
    package static func append(iso8601 seconds: Int64, milliseconds: Int64?, to output: inout [UInt8]) {
        let second = secondOfDay(Int(seconds))
        let date = date(ofDay: day(of: Int(seconds)))
        var text = InlineArray<24, UInt8>(repeating: UInt8(ascii: "0"))
        func write(_ number: Int, endingAt end: Int) {
            text[end - 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
            text[end - 2] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10 % 10)
        }
        write(date.year / 100, endingAt: 2)
        write(date.year, endingAt: 4)
        write(date.month, endingAt: 7)
        write(date.day, endingAt: 10)
        write(second / 3600, endingAt: 13)
        write(second / 60 % 60, endingAt: 16)
        write(second % 60, endingAt: 19)
        text[4] = UInt8(ascii: "-")
        text[7] = UInt8(ascii: "-")
        text[10] = UInt8(ascii: "T")
        text[13] = UInt8(ascii: ":")
        text[16] = UInt8(ascii: ":")
        text[19] = UInt8(ascii: "Z")
        guard let milliseconds else { return output.append(text.span.extracting(first: 20)) }
        write(Int(milliseconds), endingAt: 23)
        text[19] = UInt8(ascii: ".")
        text[20] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: milliseconds / 100)
        text[23] = UInt8(ascii: "Z")
        output.append(text.span)
    }

    /// The second that the fields name; `nil` if there is no such day or time, or it is outside the years 1
    /// to 9999.
    package static func seconds(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
    ) -> Int64? {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...days(inMonth: month, of: year)).contains(day),
            (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        let yearFromMarch = month <= 2 ? year - 1 : year
        let yearOfEra = yearFromMarch % 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let number = yearFromMarch / 400 * daysOfEra + dayOfEra - daysBefore1970
        return Int64(number * secondsOfDay + hour * 3600 + minute * 60 + second)
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// A second that is some months later. A month that lacks the day ends on its last one. The result stays in the
    /// years 1 to 9999.
    package static func adding(months: Int, to second: Int) -> Int {
        let (date, time) = (date(ofDay: day(of: second)), secondOfDay(second))
        let month = date.year * 12 + date.month - 1 + months
        let (year, monthOfYear) = (min(max(month / 12, 1), 9999), month % 12 + 1)
        let last = min(date.day, days(inMonth: monthOfYear, of: year))
        return seconds(year: year, month: monthOfYear, day: last).map { Int($0) + time } ?? second
    }

    /// The seconds since midnight.
    private static func secondOfDay(_ second: Int) -> Int { second - day(of: second) * secondsOfDay }

    /// The day of a second, counted from 1970. It is rounded down, for times before 1970 too.
    package static func day(of second: Int) -> Int {
        let day = second / secondsOfDay
        return day * secondsOfDay > second ? day - 1 : day
    }

    /// The day of the week, from 0 for Sunday to 6. 1 January 1970 was a Thursday.
    package static func weekday(ofDay day: Int) -> Int { ((day + 4) % 7 + 7) % 7 }

    /// The date of a day, from the year 1 on, that is counted from 1970.
    package static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        let days = day + daysBefore1970
        let dayOfEra = days % daysOfEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // The months from March on have 31, 30, 31, 30 and 31 days, twice, and then the rest of the year: 153 in five
        // months.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = days / daysOfEra * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
