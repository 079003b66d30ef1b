internal import SeededRandom
internal import StoreKitVerify
internal import WireFormats

/// Many customers with random lives: when each subscribes, whose payments fail, who cancels and gets a refund.
///
/// `population 10000 for 1y churn=3% failures=4% recovery=70% refunds=1% product=$subscription`. The shares are of the
/// customers in each month.
struct Population: Hashable, Sendable {
    /// The number of customers.
    let count: Int
    /// How long the lives last. Nothing begins after it.
    let duration: ScenarioTime
    /// The share of customers who cancel in a month, from 0 to 1; so are the next three.
    let churn: Double
    let failures: Double
    /// The share of failed payments that the customer mends.
    let recovery: Double
    let refunds: Double

    /// The largest population. Each customer takes some ten kilobytes for each year.
    private static let limit = 1_000_000

    init(_ line: ScenarioLine) throws(ScenarioError) {
        let words = line.words
        guard words.count == 4, words[2] == "for", let count = Int(words[1]),
            (1...Self.limit).contains(count),
            let duration = ScenarioTime(words[3])
        else {
            throw line.error("it is not of the form \"population 10000 for 1y\", with at most \(Self.limit)")
        }
        self.count = count
        self.duration = duration
        churn = try line.share("churn", default: 0.03)
        failures = try line.share("failures", default: 0.04)
        recovery = try line.share("recovery", default: 0.7)
        refunds = try line.share("refunds", default: 0.01)
    }

    /// An action of the customer with a number, at a time in milliseconds from the beginning.
    typealias Step = (time: Int, customer: Int, action: ScenarioAction)

    /// What all customers do, in the order of the times.
    func steps(_ scale: ScenarioTime.Scale, _ random: inout SplitMix64) -> [Step] {
        var steps: [Step] = []
        // At least one and 60 milliseconds: at the fastest rate of time, the ranges below must not be empty.
        let (day, month) = (max(1, scale.rate.days(1)), max(60, scale.rate.days(30)))
        let end = duration.after(0, scale)
        for customer in 0..<count {
            // All customers come in the first month.
            let start = Int.random(in: 0..<max(1, min(month, end)), using: &random)
            steps.append((start, customer, .buy(PurchaseRequest(productID: "$subscription"))))
            addLife(of: customer, from: start, to: end, (day, month), &steps, &random)
        }
        return steps.sorted { ($0.time, $0.customer) < ($1.time, $1.customer) }
    }

    /// One lot for each month decides between the four events. The shares may add up to more than 1; the
    /// first then wins.
    ///
    /// - Parameters:
    ///   - start: when the customer subscribes, in milliseconds from the beginning; so are all times here.
    ///   - length: a day and a month, in milliseconds at the scenario's rate of time.
    private func addLife(
        of customer: Int, from start: Int, to end: Int, _ length: (day: Int, month: Int),
        _ steps: inout [Step], _ random: inout SplitMix64
    ) {
        var time = start
        while time + length.month < end {
            let moment = time + Int.random(in: length.day..<length.month, using: &random)
            let chance = Double.random(in: 0..<1, using: &random)
            switch chance {
            case ..<churn:
                steps.append((moment, customer, .cancel(nil)))
                return
            case ..<(churn + failures):
                steps.append((moment, customer, .failPayments))
                guard Double.random(in: 0..<1, using: &random) < recovery else { return }
                let pause = Int.random(in: length.day..<(40 * length.day), using: &random)
                steps.append((moment + length.month + pause, customer, .fixPayments))
                time = moment + length.month + pause
            case ..<(churn + failures + refunds):
                steps.append((moment, customer, .requestRefund(nil, .unsatisfiedWithPurchase)))
                steps.append(
                    (moment + length.day / 2, customer, .refund(nil, percent: 100, isAppsFault: false)))
                return
            default: time += length.month
            }
        }
    }
}
