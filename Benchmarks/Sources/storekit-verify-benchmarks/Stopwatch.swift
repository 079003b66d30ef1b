import Benchmark

/// Times calls of one kind, as often in every round.
///
/// The first round finds out how many calls fill the time, by `BenchmarkRunner`'s own search, which warms
/// everything up too; from then on that many are timed. The figure of a round is the median of its calls.
final class Stopwatch {
    private let seconds: Double
    private var calls: Int?
    /// How many signatures or tokens a call verifies.
    private let countPerCall: Int

    init(seconds: Double, countPerCall: Int) {
        self.seconds = seconds
        self.countPerCall = countPerCall
    }

    /// How many signatures or tokens a round verifies.
    var count: Int? { calls.map { $0 * countPerCall } }

    /// Signatures or tokens a second, over one round.
    func speed(_ body: @escaping () -> Void) throws -> Double {
        if calls == nil { calls = try measurements([MinTime(seconds: seconds)], body).count }
        let calls = calls ?? 1
        let times = try measurements([Iterations(calls), WarmupIterations(max(1, calls / 20))], body)
        guard let median = times.sorted().middle, median > 0 else { return .nan }
        return Double(countPerCall) * 1e9 / median
    }

    /// Nanoseconds of each call.
    private func measurements(
        _ settings: [any BenchmarkSetting], _ body: @escaping () -> Void
    ) throws -> [Double] {
        let suite = BenchmarkSuite(name: "")
        suite.benchmark("", settings: settings, function: body)
        var runner = BenchmarkRunner(suites: [suite], settings: [Quiet(true), Format(.none)])
        try runner.run()
        return runner.results.first?.measurements ?? []
    }
}

extension [Double] {
    fileprivate var middle: Double? { isEmpty ? nil : self[count / 2] }
}
