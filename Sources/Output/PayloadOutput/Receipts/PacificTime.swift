internal import WireFormats

/// The time in Los Angeles, by United States law, because a machine may have no time zone database.
///
/// Standard time is eight hours behind UTC. Daylight saving time, seven hours behind, begins and ends at two
/// in the morning (15 U.S.C. 260a). Since 2007 it lasts from the second Sunday of March to the first of
/// November (Energy Policy Act of 2005, section 110). From 1987 to 2006 it lasted from the first Sunday of
/// April (Public Law 99-359) to the last of October. The App Store opened in 2008; years before 1987 follow
/// the rule of 1987.
enum PacificTime {
    private static let standardOffset: Int64 = -8 * 3_600
    private static let daylightOffset: Int64 = -7 * 3_600

    /// The offset from UTC in seconds, a negative number, at a second since 1970.
    static func offset(at second: Int64) -> Int64 {
        // The year in UTC is good enough: no clocks change within a day of the year's end.
        let year = CalendarTime.date(ofDay: CalendarTime.day(of: Int(second))).year
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

    /// Midnight in UTC of the first Sunday on or after a day, in seconds since 1970.
    private static func sunday(onOrAfter day: Int, month: Int, of year: Int) -> Int64? {
        CalendarTime.seconds(year: year, month: month, day: day).map { midnight in
            let weekday = CalendarTime.weekday(ofDay: CalendarTime.day(of: Int(midnight)))
            return midnight + Int64((7 - weekday) % 7 * CalendarTime.secondsOfDay)
        }
    }
}
