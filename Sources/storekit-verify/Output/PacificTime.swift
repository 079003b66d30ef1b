import WireFormats

/// The time in Los Angeles, by the law of the United States, since a machine may have no table of time zones.
///
/// Standard time is eight hours behind UTC. Daylight saving time, an hour less, begins and ends at two in the
/// morning (15 U.S.C. 260a): since 2007, on the second Sunday of March and the first of November (Energy Policy Act
/// of 2005, section 110); from 1987 to 2006, on the first Sunday of April (Public Law 99-359) and the last of
/// October. The App Store opened in 2008; earlier years than 1987 are counted as that one.
enum PacificTime {
    private static let standardOffset: Int64 = -8 * 3_600
    private static let daylightOffset: Int64 = -7 * 3_600

    /// How many seconds it is ahead of UTC, which is a number below zero, at a second since 1970.
    static func offset(at second: Int64) -> Int64 {
        // No clocks are changed within a day of the year's end, so that the year in UTC will do.
        guard let year = Int(CalendarTime.iso8601(second).prefix(4)) else { return standardOffset }
        let (begin, end) =
            year >= 2007
            ? (sunday(onOrAfter: 8, month: 3, of: year), sunday(onOrAfter: 1, month: 11, of: year))
            : (sunday(onOrAfter: 1, month: 4, of: year), sunday(onOrAfter: 25, month: 10, of: year))
        guard let begin, let end else { return standardOffset }
        let twoOClock: Int64 = 2 * 3_600
        let isDaylight =
            second >= begin + twoOClock - standardOffset && second < end + twoOClock - daylightOffset
        return isDaylight ? daylightOffset : standardOffset
    }

    /// Midnight in UTC of the first Sunday from a day on, in seconds since 1970.
    private static func sunday(onOrAfter day: Int, month: Int, of year: Int) -> Int64? {
        let midnight = CalendarTime.seconds(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
        guard let midnight else { return nil }
        // 1970-01-01 was a Thursday, four days after a Sunday. The division rounds down for years before.
        let days = midnight / 86_400
        let weekday = ((days + 4) % 7 + 7) % 7
        return midnight + (7 - weekday) % 7 * 86_400
    }
}
