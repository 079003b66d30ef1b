package import StoreKitTestSession
internal import WireFormats

/// The requests of a performance test, and its demands on an app's server. The names are those of Apple's
/// `PerformanceTestConfig`.
package struct PerformanceTestPlan: Hashable, Sendable {
    /// How many requests may wait for an answer at the same time.
    package let maxConcurrentRequests: Int
    /// How many requests are sent.
    package let totalRequests: Int
    /// The time over which the requests are spread, in milliseconds.
    package let totalDuration: Int
    /// The longest time until an answer, in milliseconds.
    package let responseTimeThreshold: Int
    /// The share of requests that must be answered rightly and in time, in percent.
    package let successRateThreshold: Int

    /// The test that `storekit-test serve` makes.
    ///
    /// Apple's page "Initiate Performance Test" names about 700 milliseconds, and no other number. 10, 100 and 95 are those
    /// of the example in the tests of Apple's libraries, which takes a minute. Two seconds are this package's own.
    static let sending = PerformanceTestPlan(
        maxConcurrentRequests: 10, totalRequests: 100, totalDuration: 2000, responseTimeThreshold: 700,
        successRateThreshold: 95)

    /// The test of an API without a server, which can send nothing.
    static let silent = PerformanceTestPlan(
        maxConcurrentRequests: 0, totalRequests: 0, totalDuration: 1000, responseTimeThreshold: 0,
        successRateThreshold: 0)

    /// Apple's object.
    var object: ObjectText {
        var object = ObjectText()
        object.add("maxConcurrentRequests", maxConcurrentRequests)
        object.add("totalRequests", totalRequests)
        object.add("totalDuration", totalDuration)
        object.add("responseTimeThreshold", responseTimeThreshold)
        object.add("successRateThreshold", successRateThreshold)
        return object
    }
}

/// The result of one request of a performance test.
package struct RealtimeAttempt: Hashable, Sendable {
    /// Apple's name for it.
    package let result: NotificationAttempt.Result
    /// The time until the answer, or until its failure, in milliseconds.
    package let milliseconds: Int
    /// Why the request failed, as a sentence without a full stop; `nil` for a success.
    package let reason: String?

    /// - Parameters:
    ///   - result: Apple's name of the result.
    ///   - milliseconds: the time that it took.
    ///   - reason: why it failed; `nil` for a success.
    package init(_ result: NotificationAttempt.Result, milliseconds: Int, reason: String? = nil) {
        (self.result, self.milliseconds, self.reason) = (result, milliseconds, reason)
    }
}

/// The run of a performance test.
struct PerformanceTest {
    /// Apple's names (`PerformanceTestStatus`).
    enum Status: String {
        case pending = "PENDING"
        case pass = "PASS"
        case fail = "FAIL"
    }

    /// The address that it is about.
    let target: String
    /// The subscription that the requests are about.
    let originalTransactionID: UInt64
    let plan: PerformanceTestPlan
    /// When a test that sends nothing has passed, in milliseconds since 1970, in the App Store's time.
    let end: Int
    /// Whether its requests are being sent.
    var isTaken = false
    private(set) var attempts: [RealtimeAttempt] = []

    init(_ plan: PerformanceTestPlan, of target: String, _ originalTransactionID: UInt64, at now: Int) {
        (self.plan, self.target, self.originalTransactionID) = (plan, target, originalTransactionID)
        end = now + plan.totalDuration
    }

    /// Keeps an attempt. One beyond the plan is ignored, so the list is bounded.
    mutating func add(_ attempt: RealtimeAttempt) {
        guard attempts.count < plan.totalRequests else { return }
        attempts.append(attempt)
    }

    /// - Parameter now: the App Store's time.
    func status(at now: Int) -> Status {
        if plan.totalRequests == 0 { return end <= now ? .pass : .pending }
        guard attempts.count == plan.totalRequests else { return .pending }
        return successRate >= plan.successRateThreshold ? .pass : .fail
    }

    /// In whole percent of the requests so far, rounded down; 100 before the first.
    private var successRate: Int {
        guard !attempts.isEmpty else { return 100 }
        return attempts.count { $0.result == .success } * 100 / attempts.count
    }

    /// Apple's answer about the test (`PerformanceTestResultResponse`).
    func object(at now: Int) -> ObjectText {
        var failures = ObjectText()
        for result in NotificationAttempt.Result.allCases where result != .success {
            let count = attempts.count { $0.result == result }
            if count > 0 { failures.add(result.rawValue, count) }
        }
        var object = ObjectText()
        object.add("config", plan.object)
        object.add("target", target)
        object.add("result", status(at: now).rawValue)
        object.add("successRate", successRate)
        object.add("numPending", plan.totalRequests - attempts.count)
        object.add("responseTimes", responseTimes)
        object.add("failures", failures)
        return object
    }

    private var responseTimes: ObjectText {
        let times = attempts.map(\.milliseconds).sorted()
        var object = ObjectText()
        object.add("average", times.isEmpty ? 0 : times.reduce(0, +) / times.count)
        for rank in [50, 90, 95, 99] { object.add("p\(rank)", Self.percentile(rank, of: times)) }
        return object
    }

    /// The smallest time that so many percent of the times do not exceed; 0 without any time.
    private static func percentile(_ rank: Int, of sorted: [Int]) -> Int {
        sorted.isEmpty ? 0 : sorted[(rank * sorted.count + 99) / 100 - 1]
    }

    /// The result of a test that has ended, as a line for people.
    func summary(at now: Int) -> String {
        let times = attempts.map(\.milliseconds).sorted()
        let (right, count) = (attempts.count { $0.result == .success }, attempts.count)
        let line =
            "\(status(at: now).rawValue)  performance test  \(right) of \(count) answers right and in time, "
            + "p50 \(Self.percentile(50, of: times)) ms, p99 \(Self.percentile(99, of: times)) ms"
        guard let reason = attempts.lazy.compactMap(\.reason).first else { return line }
        return "\(line); the first failure: \(reason)"
    }
}
