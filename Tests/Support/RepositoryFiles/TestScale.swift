import Foundation

/// How much the tests do that have no natural end: random signatures, changed texts, mixed batches. Each such test
/// takes its number from here, so that one variable, `TEST_SCALE`, sets them all.
///
/// - unset: what README's test command runs
/// - `small`: for a sanitizer's build, which is many times slower
/// - `large`, or 1: the gate's steps `equivalence` and `kernel`
/// - a number n: n times `large`, for instance 100 for a night
package enum TestScale {
    case small
    case usual
    case large(times: Double)

    /// The scale that `TEST_SCALE` names. A misspelt one ends the tests: they would prove less than was asked for.
    package static let current: Self = {
        guard let name = ProcessInfo.processInfo.environment["TEST_SCALE"] else { return .usual }
        if name == "small" { return .small }
        if name == "large" { return .large(times: 1) }
        guard let times = Double(name), (0.001...1_000_000).contains(times) else {
            preconditionFailure("TEST_SCALE is small, large or a number, not '\(name)'")
        }
        return .large(times: times)
    }()

    /// One of the sizes, by the scale.
    package static func size(small: Int, usual: Int, large: Int) -> Int {
        switch current {
        case .small: small
        case .usual: usual
        case .large(let times): Int((Double(large) * times).rounded(.up))
        }
    }

    /// Whether tests that take a sample of all cases take all cases instead: every bit, every vector for every target.
    package static var isLarge: Bool {
        if case .large = current { true } else { false }
    }
}
