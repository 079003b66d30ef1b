import Benchmark

/// Times calls of one kind, the same number in every round.
///
/// The first round finds the number of calls that fill the time, with `BenchmarkRunner`'s own search. This
/// also warms up caches and code. All rounds then time that number of calls. The figure of a round is the
/// median of its calls.
final class Stopwatch {
    private let seconds: Double
    private var calls: Int?
    /// The number of signatures or tokens that a call verifies.
    private let countPerCall: Int

    init(seconds: Double, countPerCall: Int) {
        self.seconds = seconds
        self.countPerCall = countPerCall
    }

    /// The number of signatures or tokens that a round verifies.
    var count: Int? { calls.map { $0 * countPerCall } }

    /// Signatures or tokens a second, over one round.
    func speed(_ body: @escaping () -> Void) throws -> Double {
        if calls == nil { calls = try measurements([MinTime(seconds: seconds)], body).count }
        let calls = calls ?? 1
        let times = try measurements([Iterations(calls), WarmupIterations(max(1, calls / 20))], body)
        guard let median = times.sorted().middle, median > 0 else { return .nan }
        return Double(countPerCall) * 1e9 / median
    }

    /// The nanoseconds of each call.
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
