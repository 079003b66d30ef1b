internal import StoreKitVerify
internal import WireFormats

extension SKTestSession {
    /// How long subscriptions, grace periods and billing retries last (StoreKitTest's `TimeRate`).
    ///
    /// The numbers are those of `_timeRate` in `.storekit` files.
    public enum TimeRate: Int, Hashable, Sendable, CaseIterable {
        /// As in production.
        case realTime = 0
        /// Deprecated by Apple. An hour stands for a day.
        case oneHourIsOneDay = 1
        /// Deprecated by Apple. Thirty minutes stand for a day.
        case thirtyMinutesIsOneDay = 2
        /// Deprecated by Apple. Five minutes stand for a day.
        case fiveMinutesIsOneDay = 3
        /// Deprecated by Apple. A minute stands for a day.
        case oneMinuteIsOneDay = 4
        /// Deprecated by Apple. Thirty seconds stand for a day.
        case thirtySecondsIsOneDay = 5
        /// Deprecated by Apple. A second stands for a day.
        case oneSecondIsOneDay = 6
        /// A month takes an hour.
        case monthlyRenewalEveryHour = 10
        /// A month takes thirty minutes.
        case monthlyRenewalEveryThirtyMinutes = 11
        /// A month takes fifteen minutes.
        case monthlyRenewalEveryFifteenMinutes = 12
        /// A month takes five minutes.
        case monthlyRenewalEveryFiveMinutes = 13
        /// A month takes thirty seconds.
        case monthlyRenewalEveryThirtySeconds = 15
        /// Every period takes fifteen minutes.
        case oneRenewalEveryFifteenMinutes = 1000
        /// Every period takes five minutes.
        case oneRenewalEveryFiveMinutes = 1001
        /// Every period takes a minute.
        case oneRenewalEveryMinute = 1002
        /// Every period takes thirty seconds.
        case oneRenewalEveryThirtySeconds = 1003
        /// Every period takes ten seconds.
        case oneRenewalEveryTenSeconds = 1004
        /// Every period takes two seconds.
        case oneRenewalEveryTwoSeconds = 1005
    }
}

extension SKTestSession.TimeRate {
    /// How a rate makes periods of time.
    private enum Scale {
        /// By the calendar.
        case calendar
        /// Each day takes so many seconds.
        case secondsOfDay(Int)
        /// A week and a month take so many seconds.
        case seconds(ofWeek: Int, ofMonth: Int)
        /// Every period takes so many seconds.
        case secondsOfPeriod(Int)
    }

    /// The week's length is Apple's own for each rate, and not always a quarter of the month's.
    private var scale: Scale {
        switch self {
        case .realTime: .calendar
        case .oneHourIsOneDay: .secondsOfDay(3600)
        case .thirtyMinutesIsOneDay: .secondsOfDay(1800)
        case .fiveMinutesIsOneDay: .secondsOfDay(300)
        case .oneMinuteIsOneDay: .secondsOfDay(60)
        case .thirtySecondsIsOneDay: .secondsOfDay(30)
        case .oneSecondIsOneDay: .secondsOfDay(1)
        case .monthlyRenewalEveryHour: .seconds(ofWeek: 900, ofMonth: 3600)
        case .monthlyRenewalEveryThirtyMinutes: .seconds(ofWeek: 600, ofMonth: 1800)
        case .monthlyRenewalEveryFifteenMinutes: .seconds(ofWeek: 300, ofMonth: 900)
        case .monthlyRenewalEveryFiveMinutes: .seconds(ofWeek: 180, ofMonth: 300)
        case .monthlyRenewalEveryThirtySeconds: .seconds(ofWeek: 10, ofMonth: 30)
        case .oneRenewalEveryFifteenMinutes: .secondsOfPeriod(900)
        case .oneRenewalEveryFiveMinutes: .secondsOfPeriod(300)
        case .oneRenewalEveryMinute: .secondsOfPeriod(60)
        case .oneRenewalEveryThirtySeconds: .secondsOfPeriod(30)
        case .oneRenewalEveryTenSeconds: .secondsOfPeriod(10)
        case .oneRenewalEveryTwoSeconds: .secondsOfPeriod(2)
        }
    }

    private typealias Period = Product.SubscriptionPeriod

    /// The end of a period. By the calendar, a month ends on the day of the month on which the subscription began, or on
    /// the last one that the month has.
    ///
    /// - Parameters:
    ///   - count: how many such periods follow one another.
    ///   - start: the beginning, in milliseconds since 1970.
    func end(of period: Product.SubscriptionPeriod, times count: Int = 1, after start: Int) -> Int {
        switch scale {
        case .calendar:
            switch period.unit {
            case .day, .week: return start + period.days * count * Self.day
            case .month: return Self.adding(months: period.value * count, to: start)
            case .year: return Self.adding(months: period.value * count * 12, to: start)
            }
        case .secondsOfDay(let seconds):
            return start + period.days * count * seconds * 1000
        case .seconds(let week, let month):
            // A year takes twelve months, and a day a seventh of a week.
            let seconds =
                switch period.unit {
                case .day: period.value * week * 1000 / 7
                case .week: period.value * week * 1000
                case .month: period.value * month * 1000
                case .year: period.value * 12 * month * 1000
                }
            return start + seconds * count
        case .secondsOfPeriod(let seconds): return start + seconds * 1000 * count
        }
    }

    /// How long a grace period is, in milliseconds. In production, an app chooses 3, 16 or 28 days; 16 is Apple's
    /// default here, and 6 for weekly subscriptions.
    func gracePeriod(of period: Product.SubscriptionPeriod) -> Int {
        let isWeekly = period.days <= 7
        return switch scale {
        case .calendar: (isWeekly ? 6 : 16) * Self.day
        case .secondsOfDay(let seconds): (isWeekly ? 6 : 16) * seconds * 1000
        // Apple's table has whole seconds.
        case .seconds(let week, let month): isWeekly ? (week * 6 + 3) / 7 * 1000 : month * 500
        case .secondsOfPeriod(let seconds): seconds * 1000
        }
    }

    /// How long the App Store tries to charge the customer, in milliseconds: 60 days in production.
    var billingRetryPeriod: Int {
        switch scale {
        case .calendar: 60 * Self.day
        case .secondsOfDay(let seconds): 60 * seconds * 1000
        case .seconds(_, let month): 2 * month * 1000
        case .secondsOfPeriod(let seconds): 2 * seconds * 1000
        }
    }

    /// The longest gap within which a customer counts as subscribed without interruption, in milliseconds: 60 days in
    /// production, ten minutes in the Sandbox.
    var longestGap: Int {
        if case .calendar = scale { return 60 * Self.day }
        return 10 * 60 * 1000
    }

    /// A number of days at this rate, in milliseconds.
    func days(_ count: Int) -> Int {
        switch scale {
        case .calendar: count * Self.day
        case .secondsOfDay(let seconds): count * seconds * 1000
        case .seconds(_, let month): count * month * 1000 / 30
        case .secondsOfPeriod(let seconds): count * seconds * 1000 / 30
        }
    }

    /// The time that is some months later, in milliseconds since 1970.
    ///
    /// Calendars count whole seconds, so the milliseconds are set aside, also before 1970.
    private static func adding(months: Int, to start: Int) -> Int {
        let milliseconds = ((start % 1000) + 1000) % 1000
        return CalendarTime.adding(months: months, to: (start - milliseconds) / 1000) * 1000 + milliseconds
    }

    private static let day = CalendarTime.secondsOfDay * 1000
}

extension Product.SubscriptionPeriod {
    /// The length in days, where a month has 30 and a year 365.
    var days: Int {
        switch unit {
        case .day: value
        case .week: value * 7
        case .month: value * 30
        case .year: value * 365
        }
    }
}
