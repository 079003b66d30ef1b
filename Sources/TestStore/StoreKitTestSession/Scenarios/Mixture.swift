internal import SeededRandom
internal import WireFormats

/// Words of which each customer of a population draws one: `monthly:20%,up-front`.
///
/// A word has a share in percent. Those without one get equal parts of what is left.
struct Mixture: Hashable, Sendable {
    /// The words, in the order of the line.
    let values: [String]
    /// For each word, the sum of its share and of those before it, from 0 to 1.
    private let sums: [Double]

    /// One word for all customers.
    init(_ value: String) {
        values = [value]
        sums = [1]
    }

    /// Draws a word. A mixture of one word draws no random number.
    func draw(_ random: inout SplitMix64) -> String {
        guard values.count > 1 else { return values[0] }
        let chance = Double.random(in: 0..<1, using: &random)
        // The sum of many shares may fall short of 1 by a rounding.
        return values[sums.firstIndex { chance < $0 } ?? values.count - 1]
    }

    /// - Throws: `ScenarioError` for a list that no customers can be divided by.
    fileprivate init(
        _ text: Substring, of name: Substring, _ line: ScenarioLine
    ) throws(ScenarioError) {
        var (values, shares): ([String], [Double?]) = ([], [])
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = entry.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let value = parts.first.map({ String($0) }), !value.isEmpty else {
                throw line.error("\(name)=\(String(text).abbreviated()) has an empty place")
            }
            guard !values.contains(value) else {
                throw line.error("\(name) has \"\(value.abbreviated())\" twice")
            }
            values.append(value)
            shares.append(parts.count == 2 ? try line.share(parts[1], of: "\(name)=\(value)") : nil)
        }
        let (given, others) = (shares.reduce(0) { $0 + ($1 ?? 0) }, shares.count { $0 == nil })
        // A millionth is more than the rounding of a sum, and less than any share that is written.
        let isWhole = others > 0 ? given < 1 : abs(given - 1) < 1e-6
        guard isWhole else {
            let percent = (given * 100_000).rounded() / 1000
            throw line.error(
                "the shares of \(name) add up to \(percent) %, "
                    + (others > 0 ? "and leave nothing for those without one" : "and not to 100 %"))
        }
        var sum = 0.0
        sums = shares.map { share in
            sum += share ?? (1 - given) / Double(others)
            return sum
        }
        self.values = values
    }
}

extension ScenarioLine {
    /// The value of an option that divides customers; `nil` if the line has none.
    func mixture(_ name: Substring) throws(ScenarioError) -> Mixture? {
        guard let text = option(name) else { return nil }
        return try Mixture(text, of: name, self)
    }
}
