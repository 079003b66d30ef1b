/// The summary of a figure over several rounds.
package struct Spread: Equatable, Sendable, Codable {
    package let median: Double
    package let minimum: Double
    package let maximum: Double

    /// With an even number of values, the median is the mean of the middle two.
    ///
    /// - Returns: `nil` if there are no values.
    package init?(of values: [Double]) {
        let sorted = values.sorted()
        guard let minimum = sorted.first, let maximum = sorted.last else { return nil }
        self.minimum = minimum
        self.maximum = maximum
        median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// The spread of the ratios of figures from the same rounds. A change in the machine's speed affects both
    /// figures of a round, so it cancels.
    package static func ofRatios(_ numerators: [Double], to denominators: [Double]) -> Spread? {
        guard numerators.count == denominators.count else { return nil }
        return Spread(of: zip(numerators, denominators).map { $0 / $1 })
    }
}
