internal import Foundation

/// Places numbers on a line so that equal factors are equal distances.
package struct LogarithmicScale {
    /// The exponents of the powers of ten at the two ends.
    private let first: Int
    private let last: Int
    private let start: Double
    private let end: Double

    /// A scale from the power of ten below the smallest number to the one above the largest. These two are at
    /// the ends of the line.
    package init(covering numbers: [Double], from start: Double, to end: Double) {
        let positive = numbers.filter { $0 > 0 && $0.isFinite }
        first = Int(log10(positive.min() ?? 1).rounded(.down))
        last = max(first + 1, Int(log10(positive.max() ?? 10).rounded(.up)))
        self.start = start
        self.end = end
    }

    /// The powers of ten on the scale.
    package var powers: [Double] { (first...last).map { pow(10, Double($0)) } }

    /// The position of a number. A number beyond an end is placed at that end.
    package func position(of number: Double) -> Double {
        guard number > 0 else { return start }
        let share = (log10(number) - Double(first)) / Double(last - first)
        return start + (end - start) * min(max(share, 0), 1)
    }
}
