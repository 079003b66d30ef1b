internal import StoreKitVerify

/// A time from the beginning of a scenario: periods of a subscription, months, days, and milliseconds.
///
/// Where subscriptions pass faster than in production, so do periods, months and days.
struct ScenarioTime: Hashable, Sendable {
    /// Kept apart, because months and periods differ in length with the date that they follow.
    private var periods = 0
    private var months = 0
    private var days = 0
    private var milliseconds = 0

    /// Reads numbers with units, such as `40d`, `1p2d` or `1h30m`; `0` needs no unit. Each number is at most 100,000,
    /// so that no sum of them leaves the years that a payload can name.
    init?(_ text: Substring) {
        guard text != "0" else { return }
        var rest = text
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { !$0.isNumber }
            rest = rest.dropFirst(unit.count)
            guard let number = Int(digits), (0...100_000).contains(number) else { return nil }
            switch unit {
            case "s": milliseconds += number * 1000
            case "m": milliseconds += number * 60_000
            case "h": milliseconds += number * 3_600_000
            case "d": days += number
            case "w": days += number * 7
            case "p": periods += number
            case "mo": months += number
            case "y": months += number * 12
            default: return nil
            }
        }
        // A hundred years.
        guard periods + months <= 1200, days <= 36_500 else { return nil }
    }

    init() {}

    /// The time after a beginning, in milliseconds since 1970.
    func after(_ start: Int, _ scale: Scale) -> Int {
        let afterPeriods = scale.rate.end(of: scale.period, times: periods, after: start)
        let afterMonths = scale.rate.end(
            of: .init(value: 1, unit: .month), times: months, after: afterPeriods)
        return afterMonths + scale.rate.days(days) + milliseconds
    }

    /// How long periods and days are.
    ///
    /// A rate of time other than real time shortens all three; seconds, minutes and hours stay as they are.
    struct Scale {
        let rate: SKTestSession.TimeRate
        let period: Product.SubscriptionPeriod
    }
}
