#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Converts between seconds since 1970 and calendar fields in UTC, with the C library (POSIX `timegm`,
/// `gmtime_r`).
package enum CalendarTime {
    /// The first second of the year 1. ISO 8601 requires an agreement between the parties for earlier years.
    package static let firstSecond: Int64 = -62_135_596_800
    /// The last second of the year 9999, the latest that a certificate or four digits can name.
    package static let lastSecond: Int64 = 253_402_300_799

    /// The time in the form of ISO 8601, `2025-10-11T19:51:52Z`, with milliseconds if they are given.
    package static func iso8601(_ seconds: Int64, milliseconds: Int64? = nil) -> String {
        guard seconds >= firstSecond, seconds <= lastSecond else { return "\(seconds) s since 1970" }
        var time = time_t(seconds)
        var fields = unsafe tm()
        guard unsafe gmtime_r(&time, &fields) != nil else { return "\(seconds) s since 1970" }
        let date = unsafe [
            padded(Int64(fields.tm_year) + 1900, 4), padded(Int64(fields.tm_mon) + 1),
            padded(Int64(fields.tm_mday)),
        ].joined(separator: "-")
        let clock = unsafe [
            padded(Int64(fields.tm_hour)), padded(Int64(fields.tm_min)), padded(Int64(fields.tm_sec)),
        ].joined(separator: ":")
        return date + "T" + clock + (milliseconds.map { "." + padded($0, 3) } ?? "") + "Z"
    }

    /// The second that the fields name, in UTC and in the Gregorian calendar; `nil` if there is no such day
    /// or time, or it is outside the years 1 to 9999.
    package static func seconds(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
    ) -> Int64? {
        guard (1...9999).contains(year) else { return nil }
        var fields = unsafe tm()
        unsafe fields.tm_year = Int32(year - 1900)
        unsafe fields.tm_mon = Int32(clamping: month - 1)
        unsafe fields.tm_mday = Int32(clamping: day)
        unsafe fields.tm_hour = Int32(clamping: hour)
        unsafe fields.tm_min = Int32(clamping: minute)
        unsafe fields.tm_sec = Int32(clamping: second)
        let seconds = unsafe Int64(timegm(&fields))
        // The C library carries an overflow into the next field. Fields that overflow name no time.
        let written = [padded(Int64(year), 4), padded(Int64(month)), padded(Int64(day))].joined(
            separator: "-")
        let clock = [hour, minute, second].map { padded(Int64($0)) }.joined(separator: ":")
        return iso8601(seconds) == "\(written)T\(clock)Z" ? seconds : nil
    }

    private static func padded(_ number: Int64, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
