/// What happens in an App Store, and when: lines of text, each with a time, a customer if there are several, and an
/// action.
///
/// ```
/// # The second renewal cannot be paid for, and the customer pays within the grace period.
/// set grace on
/// +0      buy $subscription
/// +1p10d  fail-payments
/// +2p5d   fix-payments
/// +3p     end
/// ```
///
/// Times are counted from the beginning: `p` is the period of the first product that is bought. `storekit-test run
/// --help` lists the actions.
public struct Scenario: Hashable, Sendable {
    /// The name, for messages.
    public let name: String
    let settings: [Setting]
    /// The steps, in the order of their lines.
    let steps: [Step]
    /// Random lives of many customers.
    let populations: [Population]
    /// When the scenario ends; `nil` for the time of its last step.
    let end: ScenarioTime?

    /// A line `set NAME VALUE`.
    enum Setting: Hashable, Sendable {
        case grace(isOn: Bool)
        case gracePeriod(ScenarioTime)
        case timeRate(SKTestSession.TimeRate)
        case storefront(String)
        /// How often a subscription renews after it was bought; `nil` for ever.
        case renewals(Int?)
        /// The products, by identifiers or kinds, that an app's server may sell items by.
        case generic([String])
        /// How subscriptions are sold for several people; `nil` if they are not.
        case seats(SeatSale?)
        /// Whether an upgrade's payloads say what it gave back.
        case upgradeRefunds(areTold: Bool)
        /// Whether payloads have only the members of the year of their signature.
        case payloads(areOfTheirYear: Bool)
    }

    /// A line with a time.
    struct Step: Hashable, Sendable {
        let time: ScenarioTime
        let customer: String
        let action: ScenarioAction
        let line: Int
    }

    /// Reads a scenario.
    ///
    /// - Parameters:
    ///   - text: the lines.
    ///   - name: the name, for messages.
    /// - Throws: `ScenarioError`, with the number of the line.
    public init(_ text: String, name: String) throws(ScenarioError) {
        var settings: [Setting] = []
        var steps: [Step] = []
        var populations: [Population] = []
        var end: ScenarioTime?
        for (number, line) in Self.lines(text).enumerated() {
            let line = ScenarioLine(line, number: number + 1)
            guard !line.words.isEmpty else { continue }
            switch line.words[0] {
            case "set": settings.append(try Setting(line))
            case "population": populations.append(try Population(line))
            default:
                let step = try line.step()
                if step.action == .end { end = step.time } else { steps.append(step) }
            }
        }
        self.name = name
        self.settings = settings
        self.steps = steps
        self.populations = populations
        self.end = end
    }

    /// The lines of a text. A line feed behind a carriage return is one `Character` with it.
    ///
    /// An empty line stays, so that a line's place in the result is its number less one.
    package static func lines(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }
}

/// A mistake in a scenario, and its line.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the line, counted from 1; 0 if it is about the whole scenario.
    public let line: Int
    /// The mistake, as a sentence without a full stop.
    public let reason: String

    /// The line and what is wrong there.
    public var description: String { line > 0 ? "line \(line): \(reason)" : reason }
}
