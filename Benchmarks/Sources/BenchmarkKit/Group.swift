internal import Foundation

/// A subject that is measured once in every round.
package struct Scenario {
    /// The source of the figures.
    package enum Work {
        /// Measures the figures of one round, one for each series.
        case measured(() throws -> [Double])
        /// This machine cannot measure it, for the reason given.
        case unavailable(String)
    }

    package let series: [Series]
    package let work: Work
    /// The number of signatures, tokens or runs behind the figure of a round; called after the measurement.
    package let count: () -> Int?

    /// A scenario with several figures.
    package init(
        _ series: [Series], count: @escaping @autoclosure () -> Int? = nil,
        _ measure: @escaping () throws -> [Double]
    ) {
        self.series = series
        self.count = count
        work = .measured(measure)
    }

    /// A scenario with one figure.
    package init(
        _ series: Series, count: @escaping @autoclosure () -> Int? = nil,
        _ measure: @escaping () throws -> Double
    ) {
        self.init([series], count: count()) { [try measure()] }
    }

    /// A scenario that this machine cannot run.
    package init(_ series: Series, unavailable reason: String) {
        self.series = [series]
        count = { nil }
        work = .unavailable(reason)
    }
}

/// A figure that answers a question: a ratio of two series, or one series alone.
package struct Headline: Sendable {
    package let title: String
    package let numerator: String
    package let denominator: String?

    package init(_ title: String, _ numerator: String, dividedBy denominator: String? = nil) {
        self.title = title
        self.numerator = numerator
        self.denominator = denominator
    }
}

/// Scenarios and their peers. Every round runs them one after the other.
package struct Group {
    package let title: String
    /// How its figures are measured, for the reader.
    package let method: String
    package let scenarios: [Scenario]
    package let headlines: [Headline]

    package init(title: String, method: String, scenarios: [Scenario], headlines: [Headline]) {
        self.title = title
        self.method = method
        self.scenarios = scenarios
        self.headlines = headlines
    }

    /// Runs every scenario once in each round.
    ///
    /// - Parameter progress: called at the beginning of each round. It may end the run by throwing an error.
    package func run(
        rounds: Int, progress: (String) throws -> Void
    ) throws -> GroupResult {
        let rounds = max(1, rounds)
        let begin = LoadMeter()
        var values = [[[Double]]](repeating: [], count: scenarios.count)
        for round in 1...rounds {
            try progress("\(title): round \(round) of \(rounds)")
            for (index, scenario) in scenarios.enumerated() {
                guard case .measured(let measure) = scenario.work else { continue }
                values[index].append(try measure())
            }
        }
        let outcomes = zip(scenarios, values).flatMap { scenario, values in
            scenario.series.enumerated().map { place, series in
                if case .unavailable(let reason) = scenario.work {
                    return Outcome(series: series, values: [], note: reason)
                }
                return Outcome(series: series, count: scenario.count(), values: values.map { $0[place] })
            }
        }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return GroupResult(
            title: title, method: method, rounds: rounds,
            othersShare: LoadMeter().othersShare(since: begin, cores: cores), outcomes: outcomes,
            headlines: headlines)
    }
}
