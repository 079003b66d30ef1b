internal import StoreKitVerify
internal import WireFormats

/// Arithmetic with days and months in UTC.
enum CalendarDay {
    private static let day = 86_400_000

    /// A time, in milliseconds since 1970, that is some periods later. A month that lacks the day ends on its last one.
    static func adding(_ period: Product.SubscriptionPeriod, times count: Int, to start: Int) -> Int {
        switch period.unit {
        case .day: start + period.value * count * day
        case .week: start + period.value * count * 7 * day
        case .month: adding(months: period.value * count, to: start)
        case .year: adding(months: period.value * count * 12, to: start)
        }
    }

    private static func adding(months: Int, to start: Int) -> Int {
        let milliseconds = ((start % day) + day) % day
        let date = CalendarTime.date(ofDay: (start - milliseconds) / day)
        let month = date.year * 12 + date.month - 1 + months
        // The years that a payload can name, so that this cannot fail.
        let year = min(max(month / 12, 1), 9999)
        for lastDay in stride(from: date.day, through: min(date.day, 28), by: -1) {
            let seconds = CalendarTime.seconds(
                year: year, month: month % 12 + 1, day: lastDay, hour: 0, minute: 0, second: 0)
            if let seconds { return Int(seconds) * 1000 + milliseconds }
        }
        return start
    }
}
