internal import WireFormats

/// Places instants on a line, and marks it in units of the calendar, in UTC.
///
/// Instants are seconds since 1970.
public struct CalendarScale: Sendable {
    /// The beginning of a unit of the calendar.
    public struct Mark: Hashable, Sendable {
        /// Seconds since 1970.
        public let second: Double
        /// Its date or time.
        public let label: String
    }

    private let first: Double
    private let last: Double
    private let start: Double
    private let end: Double

    /// The shortest time that a scale covers: ten minutes.
    private static let shortest = 600.0

    /// - Parameters:
    ///   - first: the first instant. It is moved into the years 1 to 9999.
    ///   - last: the last instant. It is moved likewise, and to ten minutes after the first at least.
    ///   - start: the position of the first instant.
    ///   - end: the position of the last one.
    public init(covering first: Double, through last: Double, from start: Double, to end: Double) {
        let (least, greatest) = (Double(CalendarTime.firstSecond), Double(CalendarTime.lastSecond))
        let first = first.isNaN ? 0 : min(max(first, least), greatest - Self.shortest)
        self.first = first
        self.last = last.isNaN ? first + Self.shortest : min(max(last, first + Self.shortest), greatest)
        self.start = start
        self.end = end
    }

    /// The position of an instant. One beyond an end is placed at that end.
    public func position(of second: Double) -> Double {
        guard !second.isNaN else { return start }
        let share = (second - first) / (last - first)
        return start + (end - start) * min(max(share, 0), 1)
    }

    /// The marks of the finest unit that has no more of them than asked for.
    public func marks(atMost count: Int) -> [Mark] {
        for step in Self.secondSteps where (last - first) / Double(step) < Double(max(count, 2)) {
            return marks(everySeconds: step)
        }
        // A year has 365.2425 days.
        let months = (last - first) / (365.2425 / 12 * Double(CalendarTime.secondsOfDay))
        let step = Self.monthSteps.first { months / Double($0) < Double(max(count, 2)) }
        return marks(everyMonths: step ?? 12_000)
    }

    /// One minute to 14 days.
    private static let secondSteps = [
        60, 300, 900, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 1_209_600,
    ]
    /// One month to a thousand years.
    private static let monthSteps = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 2_400, 6_000, 12_000]

    private func marks(everySeconds step: Int) -> [Mark] {
        var second = (Int(first.rounded(.up)) + step - 1) / step * step
        // The division rounds to zero, which is up for negative numbers.
        if Double(second - step) >= first { second -= step }
        var marks: [Mark] = []
        while Double(second) <= last {
            let text = CalendarTime.iso8601(Int64(second))
            let label =
                step >= 86_400
                ? text.prefix(10) : text.dropFirst(5).prefix(5) + " " + text.dropFirst(11).prefix(5)
            marks.append(Mark(second: Double(second), label: String(label)))
            second += step
        }
        return marks
    }

    private func marks(everyMonths step: Int) -> [Mark] {
        let date = CalendarTime.date(ofDay: CalendarTime.day(of: Int(first.rounded(.down))))
        var month = (date.year * 12 + date.month - 1) / step * step
        var marks: [Mark] = []
        while month / 12 <= 9_999 {
            let second = CalendarTime.seconds(
                year: month / 12, month: month % 12 + 1, day: 1)
            if let second, Double(second) > last { break }
            if let second, Double(second) >= first {
                let text = CalendarTime.iso8601(second)
                marks.append(Mark(second: Double(second), label: String(text.prefix(step < 12 ? 7 : 4))))
            }
            month += step
        }
        return marks
    }
}
