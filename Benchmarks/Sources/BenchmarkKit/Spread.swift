/// What is reported of a figure that was taken in several rounds.
package struct Spread: Equatable, Sendable, Codable {
    package let median: Double
    package let minimum: Double
    package let maximum: Double

    /// Of an even number of values, the median is the mean of the middle two.
    ///
    /// - Returns: `nil` where there is no value.
    package init?(of values: [Double]) {
        let sorted = values.sorted()
        guard let minimum = sorted.first, let maximum = sorted.last else { return nil }
        self.minimum = minimum
        self.maximum = maximum
        median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// The spread of the quotients of figures of the same rounds: drift of the machine, which hits both, is
    /// divided out.
    package static func ofRatios(_ numerators: [Double], to denominators: [Double]) -> Spread? {
        guard numerators.count == denominators.count else { return nil }
        return Spread(of: zip(numerators, denominators).map { $0 / $1 })
    }
}
