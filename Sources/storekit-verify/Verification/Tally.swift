import SignedPayloads

/// Counts of verdicts.
struct Tally: Sendable {
    private(set) var verified = 0
    private(set) var failures: [VerificationError.Code: Int] = [:]
    var empty = 0

    /// How many lines were not verified.
    var failed: Int { failures.values.reduce(0, +) }

    /// Counts a line.
    ///
    /// - Parameter failure: why it is not verified; `nil` if it is.
    mutating func count(_ failure: VerificationError?) {
        if let failure { failures[failure.code, default: 0] += 1 } else { verified += 1 }
    }

    /// Adds the counts of another tally.
    mutating func add(_ other: Tally) {
        verified += other.verified
        empty += other.empty
        failures.merge(other.failures, uniquingKeysWith: +)
    }

    /// The counts as one line.
    var summary: String {
        var parts = ["\(verified + failed) lines", "\(verified) verified", "\(failed) not"]
        if failed > 0 {
            let codes = failures.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            parts[2] += " (" + codes.map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ") + ")"
        }
        parts.append("\(empty) empty skipped")
        return parts.joined(separator: ", ")
    }
}
