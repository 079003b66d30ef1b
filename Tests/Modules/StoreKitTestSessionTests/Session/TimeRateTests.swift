import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// Apple's two tables of durations (SKTestSession.TimeRate), in seconds.
enum ApplesTable {
    struct Row: Sendable {
        let rate: SKTestSession.TimeRate
        /// A week; 1, 2, 3 and 6 months; a year.
        let periods: [Double]
        let weeklyGrace: Double
        let grace: Double
        let retry: Double
    }

    static let scaled = [
        Row(
            rate: .monthlyRenewalEveryHour, periods: [900, 3600, 7200, 10800, 21600, 43200],
            weeklyGrace: 771, grace: 1800, retry: 7200),
        Row(
            rate: .monthlyRenewalEveryThirtyMinutes, periods: [600, 1800, 3600, 5400, 10800, 21600],
            weeklyGrace: 514, grace: 900, retry: 3600),
        Row(
            rate: .monthlyRenewalEveryFifteenMinutes, periods: [300, 900, 1800, 2700, 5400, 10800],
            weeklyGrace: 257, grace: 450, retry: 1800),
        Row(
            rate: .monthlyRenewalEveryFiveMinutes, periods: [180, 300, 600, 900, 1800, 3600],
            weeklyGrace: 154, grace: 150, retry: 600),
        Row(
            rate: .monthlyRenewalEveryThirtySeconds, periods: [10, 30, 60, 90, 180, 360],
            weeklyGrace: 9, grace: 15, retry: 60),
    ]

    static let fixed = [
        fixed(.oneRenewalEveryFifteenMinutes, 900), fixed(.oneRenewalEveryFiveMinutes, 300),
        fixed(.oneRenewalEveryMinute, 60), fixed(.oneRenewalEveryThirtySeconds, 30),
        fixed(.oneRenewalEveryTenSeconds, 10), fixed(.oneRenewalEveryTwoSeconds, 2),
    ]

    private static func fixed(_ rate: SKTestSession.TimeRate, _ seconds: Double) -> Row {
        Row(
            rate: rate, periods: Array(repeating: seconds, count: 6), weeklyGrace: seconds, grace: seconds,
            retry: 2 * seconds)
    }

    /// The deprecated rates: a day takes so many seconds.
    static let days: [SKTestSession.TimeRate: Double] = [
        .oneHourIsOneDay: 3600, .thirtyMinutesIsOneDay: 1800, .fiveMinutesIsOneDay: 300,
        .oneMinuteIsOneDay: 60, .thirtySecondsIsOneDay: 30, .oneSecondIsOneDay: 1,
    ]

    static let periods: [String] = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]

    /// The length of a period at a rate that is not real time.
    static func seconds(of period: Product.SubscriptionPeriod, at rate: SKTestSession.TimeRate) -> Double {
        if let day = days[rate] {
            let lengths: [Product.SubscriptionPeriod.Unit: Int] = [.day: 1, .week: 7, .month: 30, .year: 365]
            return day * Double(period.value * (lengths[period.unit] ?? 0))
        }
        guard let row = (scaled + fixed).first(where: { $0.rate == rate }) else { return 0 }
        if let place = periods.firstIndex(of: period.iso8601) { return row.periods[place] }
        let isFixed = rate.rawValue >= 1000
        if isFixed { return row.periods[0] }
        return period.unit == .day ? row.periods[0] * Double(period.value) / 7 : row.periods[0] * 2
    }
}

@Suite struct TimeRateTests {
    @Test func `the numbers are Apple's`() {
        let numbers: [SKTestSession.TimeRate: Int] = [
            .realTime: 0, .oneHourIsOneDay: 1, .thirtyMinutesIsOneDay: 2, .fiveMinutesIsOneDay: 3,
            .oneMinuteIsOneDay: 4, .thirtySecondsIsOneDay: 5, .oneSecondIsOneDay: 6,
            .monthlyRenewalEveryHour: 10, .monthlyRenewalEveryThirtyMinutes: 11,
            .monthlyRenewalEveryFifteenMinutes: 12, .monthlyRenewalEveryFiveMinutes: 13,
            .monthlyRenewalEveryThirtySeconds: 15, .oneRenewalEveryFifteenMinutes: 1000,
            .oneRenewalEveryFiveMinutes: 1001, .oneRenewalEveryMinute: 1002,
            .oneRenewalEveryThirtySeconds: 1003, .oneRenewalEveryTenSeconds: 1004,
            .oneRenewalEveryTwoSeconds: 1005,
        ]
        #expect(Set(numbers.keys) == Set(SKTestSession.TimeRate.allCases))
        #expect(
            numbers.allSatisfy {
                $0.key.rawValue == $0.value && SKTestSession.TimeRate(rawValue: $0.value) == $0.key
            })
        #expect(SKTestSession.TimeRate(rawValue: 14) == nil && SKTestSession.TimeRate(rawValue: -1) == nil)
    }

    @Test(arguments: ApplesTable.scaled + ApplesTable.fixed)
    func `periods, grace periods and billing retries last as long as Apple's table says`(
        row: ApplesTable.Row
    ) async throws {
        for (period, seconds) in zip(ApplesTable.periods, row.periods) {
            try await check(row, period, seconds, grace: period == "P1W" ? row.weeklyGrace : row.grace)
        }
    }

    private func check(
        _ row: ApplesTable.Row, _ period: String, _ seconds: Double, grace: Double
    ) async throws {
        let session = try session(period)
        session.timeRate = row.rate
        session.shouldEnterBillingRetryOnRenewal = true
        session.billingGracePeriodIsEnabled = true
        try session.buyProduct(productIdentifier: Garden.premium)
        let end = try #require(session.latest().expirationDate)
        #expect(end == Garden.start.addingTimeInterval(seconds), "\(period)")
        try session.advance(to: end)
        try await session.expect(.inGracePeriod)
        let graceEnd = end.addingTimeInterval(grace)
        try session.advance(to: graceEnd.addingTimeInterval(-0.001))
        try await session.expect(.inGracePeriod, period)
        try session.advance(to: graceEnd)
        try await session.expect(.inBillingRetryPeriod, period)
        let retryEnd = end.addingTimeInterval(row.retry)
        try session.advance(to: retryEnd.addingTimeInterval(-0.001))
        try await session.expect(.inBillingRetryPeriod, period)
        try session.advance(to: retryEnd)
        try await session.expect(.expired, period)
    }

    @Test(arguments: [
        ("P1W", 7.0, 6.0), ("P1M", 31, 16), ("P2M", 59, 16), ("P3M", 90, 16), ("P6M", 181, 16),
        ("P1Y", 365, 16),
    ])
    func `real periods follow the calendar`(period: String, days: Double, grace: Double) async throws {
        let day = 86_400.0
        let row = ApplesTable.Row(
            rate: .realTime, periods: [], weeklyGrace: 6 * day, grace: 16 * day, retry: 60 * day)
        try await check(row, period, days * day, grace: grace * day)
    }

    @Test(arguments: ApplesTable.days.map { ($0.key, $0.value) })
    func `the deprecated rates shorten a day`(rate: SKTestSession.TimeRate, day: Double) throws {
        for (period, days) in [("P1W", 7.0), ("P1M", 30), ("P1Y", 365)] {
            let session = try session(period)
            session.timeRate = rate
            try session.buyProduct(productIdentifier: Garden.premium)
            #expect(try session.latest().expirationDate == Garden.start.addingTimeInterval(days * day))
        }
    }

    @Test func `a month that lacks the day ends on its last one, and the next ones do not`() throws {
        let session = try Garden.session(startingAt: Garden.day(30))  // 31 January
        try session.buyProduct(productIdentifier: Garden.premium)
        try session.advance(to: Garden.day(100))
        let ends = session.allTransactions().map(\.expirationDate)
        #expect(ends == [Garden.day(58), Garden.day(89), Garden.day(119)])
    }

    /// A session whose premium subscription has a period.
    private func session(_ period: String) throws -> SKTestSession {
        let old = """
            "productID" : "\(Garden.premium)",
                      "recurringSubscriptionPeriod" : "P1M"
            """
        guard period != "P1M" else { return try Garden.session() }
        return try Garden.session(
            replacing: old, by: old.replacingOccurrences(of: "P1M", with: period))
    }
}
