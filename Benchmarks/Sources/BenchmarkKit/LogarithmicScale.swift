internal import Foundation

/// Places numbers on a line so that equal factors are equal distances.
package struct LogarithmicScale {
    /// The exponents of the powers of ten at both ends.
    private let first: Int
    private let last: Int
    private let start: Double
    private let end: Double

    /// The scale from the power of ten below the least number to the one above the greatest; the ends of the
    /// line are where these are.
    package init(covering numbers: [Double], from start: Double, to end: Double) {
        let positive = numbers.filter { $0 > 0 && $0.isFinite }
        first = Int(log10(positive.min() ?? 1).rounded(.down))
        last = max(first + 1, Int(log10(positive.max() ?? 10).rounded(.up)))
        self.start = start
        self.end = end
    }

    /// The powers of ten that the scale has room for.
    package var powers: [Double] { (first...last).map { pow(10, Double($0)) } }

    /// Where a number is; one beyond an end is at the end.
    package func position(of number: Double) -> Double {
        guard number > 0 else { return start }
        let share = (log10(number) - Double(first)) / Double(last - first)
        return start + (end - start) * min(max(share, 0), 1)
    }
}
