import SignedPayloads

/// Counts of verdicts.
///
/// Each job counts by itself, and the counts are added up when they are written.
struct Tally: Sendable {
    private(set) var verified = 0
    /// A code and a detail have fixed texts, so that the table stays small, whatever the input says.
    private(set) var failures: [Failure: Int] = [:]
    var empty = 0
    /// How many purchases are of other apps and environments than those that were asked about.
    var leftOut = 0

    /// Why a line is not verified.
    struct Failure: Hashable {
        let code: PayloadError.Code
        let detail: String
    }

    /// How many lines were not verified.
    var failed: Int { failures.values.reduce(0, +) }

    /// Counts a line.
    ///
    /// - Parameter failure: why it is not verified; `nil` if it is.
    mutating func count(_ failure: PayloadError?) {
        guard let failure else {
            verified += 1
            return
        }
        failures[Failure(code: failure.code, detail: failure.detail), default: 0] += 1
    }

    /// Adds the counts of another tally.
    mutating func add(_ other: Tally) {
        verified += other.verified
        empty += other.empty
        failures.merge(other.failures, uniquingKeysWith: +)
    }

    /// The counts as one line: the failures by their codes, and each code's by their details, the most frequent first.
    var summary: String {
        var parts = ["\(verified + failed) lines", "\(verified) verified", "\(failed) not"]
        if failed > 0 {
            let codes = Dictionary(grouping: failures) { $0.key.code.rawValue }.map { code, failures in
                (name: code, count: failures.reduce(0) { $0 + $1.value }, failures: failures)
            }
            let texts = codes.sorted { ($1.count, $0.name) < ($0.count, $1.name) }.map { code in
                let details = code.failures.map { (name: $0.key.detail, count: $0.value) }
                    .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
                    .map { "\($0.name) \($0.count)" }
                return "\(code.name) \(code.count): " + details.joined(separator: ", ")
            }
            parts[2] += " (" + texts.joined(separator: "; ") + ")"
        }
        parts.append("\(empty) empty skipped")
        if leftOut > 0 { parts.append("\(leftOut) purchases of other apps or environments left out") }
        return parts.joined(separator: ", ")
    }
}
