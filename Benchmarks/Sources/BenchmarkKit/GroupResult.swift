/// The result of one series.
package struct Outcome: Sendable {
    package let series: Series
    /// The number of signatures, tokens or runs behind a figure.
    package let count: Int?
    /// The figures, one for each round.
    package let values: [Double]
    /// The reason why there are no figures.
    package let note: String?

    package init(series: Series, count: Int? = nil, values: [Double], note: String? = nil) {
        self.series = series
        self.count = count
        self.values = values
        self.note = note
    }

    package var spread: Spread? { Spread(of: values) }
}

/// The result of a group.
package struct GroupResult: Sendable {
    package let title: String
    package let method: String
    package let rounds: Int
    /// The share of the machine that other processes used meanwhile, if known.
    package let othersShare: Double?
    package let outcomes: [Outcome]
    package let headlines: [Headline]

    package init(
        title: String, method: String, rounds: Int, othersShare: Double?, outcomes: [Outcome],
        headlines: [Headline]
    ) {
        self.title = title
        self.method = method
        self.rounds = rounds
        self.othersShare = othersShare
        self.outcomes = outcomes
        self.headlines = headlines
    }

    /// The outcome of the series with this identifier.
    package func outcome(_ identifier: String) -> Outcome? {
        outcomes.first { $0.series.identifier == identifier }
    }

    /// The ratio of a series to its peer.
    package func ratioToPeer(_ outcome: Outcome) -> Spread? {
        guard let peer = outcome.series.peer.flatMap({ self.outcome($0) }) else { return nil }
        return Spread.ofRatios(outcome.values, to: peer.values)
    }

    /// The figure of a headline, or the reason why it is missing.
    package func answer(to headline: Headline) -> Answer {
        guard let numerator = outcome(headline.numerator) else { return .none("not measured") }
        guard let name = headline.denominator else {
            return numerator.spread.map { .absolute($0, numerator.series.unit) }
                ?? .none(numerator.note ?? "not measured")
        }
        guard let denominator = outcome(name) else { return .none("not measured") }
        return Spread.ofRatios(numerator.values, to: denominator.values).map { .ratio($0) }
            ?? .none(numerator.note ?? denominator.note ?? "not measured")
    }

    /// The text of a headline.
    package enum Answer: Sendable {
        case ratio(Spread)
        case absolute(Spread, Series.Unit)
        case none(String)
    }
}
