public import Essentials
internal import SeededRandom
internal import StoreKitVerify

/// A run of a scenario in an App Store.
///
/// All steps are sorted before the first is done, so a run needs memory for its steps: a population has some
/// for each month.
public struct ScenarioRun: Sendable {
    /// The App Store.
    public let appStore: TestAppStore
    private let scenario: Scenario
    private let seed: UInt64
    private let notificationsOnly: Bool

    /// - Parameters:
    ///   - scenario: what happens.
    ///   - appStore: where it happens. Its present time is the scenario's beginning.
    ///   - seed: makes the lives of populations.
    ///   - notificationsOnly: whether to leave out what no notification tells of: app transactions, transactions that an
    ///     upgrade replaced, and copies on other devices.
    public init(
        _ scenario: Scenario, in appStore: TestAppStore, seed: UInt64 = 0, notificationsOnly: Bool = false
    ) {
        self.notificationsOnly = notificationsOnly
        self.scenario = scenario
        self.appStore = appStore
        self.seed = seed
    }

    /// Lets everything happen.
    ///
    /// - Parameter receive: gets what was signed, moment by moment, in the order in which it was. It ends the run by
    ///   throwing.
    /// - Throws: `ScenarioError` for a step that the App Store refuses, and for a time after the year 8999; a
    ///   `CancellationError` if the task is cancelled; and the errors of `receive`.
    public func run(_ receive: ([SignedOutput]) throws -> Void) throws {
        var customers: [String: CustomerPlace] = [:]
        try run(&customers, receive)
    }

    /// Lets everything happen, among customers who may have come before.
    ///
    /// - Parameter customers: the places of customers, by their names.
    package func run(
        _ customers: inout [String: CustomerPlace], _ receive: ([SignedOutput]) throws -> Void
    ) throws {
        let start = appStore.now.milliseconds
        // The rate may be another than the file's by now.
        let scale = scenario.scale(appStore.configuration, rate: appStore.read { $0.settings.timeRate })
        let steps = try steps(from: start, scale)
        let end = scenario.end(after: start, scale)
        // The App Store's time stops there, so an event after it would never come.
        guard max(end, steps.last?.time ?? end) <= Date.simulated.upperBound.milliseconds else {
            throw ScenarioError(
                line: 0, reason: "it ends after the year 8999, where the App Store's time ends")
        }
        apply(scenario.settings, scale)
        // A run that fails half way keeps the customers who have come: the store has their purchases.
        var places = customers
        defer { customers = places }
        for step in steps {
            try advance(to: Date(milliseconds: step.time), receive)
            do throws(StoreRefusal) {
                try appStore.change { (simulation) throws(StoreRefusal) in
                    try simulation.perform(step, &places)
                }
            } catch {
                throw ScenarioError(line: step.line, reason: error.message)
            }
            try receive(appStore.takeOutput())
        }
        try advance(to: Date(milliseconds: end), receive)
    }

    /// Lets time pass, from one event to the next.
    ///
    /// Each event is received by itself, so that the receiver sees the store as it was at that moment.
    private func advance(to time: Date, _ receive: ([SignedOutput]) throws -> Void) throws {
        try Task.checkCancellation()
        while let next = appStore.nextEvent, next <= time {
            try Task.checkCancellation()
            try appStore.advance(to: next)
            try receive(appStore.takeOutput())
        }
        try appStore.advance(to: time)
    }

    /// Settings hold from the beginning, on whichever line they stand.
    private func apply(_ settings: [Scenario.Setting], _ scale: ScenarioTime.Scale) {
        appStore.change { simulation in
            simulation.output.tellsAll = !notificationsOnly
            for setting in settings {
                switch setting {
                case .grace(let isOn): simulation.settings.hasGracePeriods = isOn
                case .gracePeriod(let length):
                    simulation.settings.hasGracePeriods = true
                    simulation.settings.gracePeriod = length.after(0, scale)
                case .timeRate(let rate): simulation.settings.timeRate = rate
                case .storefront(let code): simulation.settings.storefront = code
                case .renewals(let limit): simulation.settings.renewalLimit = limit
                case .generic(let names):
                    // A name that means no product makes none generic.
                    simulation.settings.genericProducts = Set(
                        names.map { simulation.catalog.product(named: $0)?.id ?? $0 })
                case .seats(let sale): simulation.settings.seatSale = sale
                case .upgradeRefunds(let areTold): simulation.settings.tellsUpgradeRefunds = areTold
                case .payloads(let areOfTheirYear): simulation.settings.signsAsThen = areOfTheirYear
                }
            }
        }
    }

    /// A step at its time, in milliseconds since 1970.
    struct TimedStep: Sendable {
        let time: Int
        let customer: String
        let action: ScenarioAction
        /// The line of the scenario.
        let line: Int
        /// Whether it is a step of a random life.
        var isRandom = false
        /// Where a customer who comes with this step buys; `nil` for the App Store's own storefront.
        var storefront: String?
    }

    /// The steps of the scenario and of its populations, in the order of their times.
    ///
    /// - Throws: `ScenarioError` for a population whose product the file does not have.
    private func steps(
        from start: Int, _ scale: ScenarioTime.Scale
    ) throws(ScenarioError) -> [TimedStep] {
        var all = scenario.steps.map {
            TimedStep(
                time: $0.time.after(start, scale), customer: $0.customer, action: $0.action, line: $0.line)
        }
        // The populations share one stream in the order of their lines.
        var random = SplitMix64(seed: seed)
        var sale = appStore.read { $0.settings.seatSale }
        for case .seats(let chosen) in scenario.settings { sale = chosen }
        for (number, population) in scenario.populations.enumerated() {
            let products = try population.catalog(appStore.configuration)
            guard population.rates.seats == 0 || sale != nil else {
                throw ScenarioError(
                    line: population.line,
                    reason: "seats= needs a line \"set seats apple\" or \"set seats developer\"")
            }
            let steps = population.steps(
                number, scale, products, assignsSeats: sale?.invitationManagement == .apple, &random)
            all += steps.map {
                TimedStep(
                    time: start + $0.time, customer: $0.customer, action: $0.action, line: population.line,
                    isRandom: true, storefront: $0.storefront)
            }
        }
        // Swift's sort keeps the order of equal elements.
        return all.sorted { $0.time < $1.time }
    }
}

extension Scenario {
    /// How long periods and days are.
    ///
    /// - Parameter rate: the rate of time, unless the scenario sets one; `nil` for the file's.
    func scale(
        _ configuration: StoreKitConfiguration, rate: SKTestSession.TimeRate? = nil
    ) -> ScenarioTime.Scale {
        var rate = rate ?? configuration.settings.timeRate
        // The last setting counts.
        for case .timeRate(let chosen) in settings { rate = chosen }
        let bought = steps.lazy.compactMap { step in
            if case .buy(let request) = step.action {
                configuration.product(named: request.productID)?.subscription
            } else {
                nil
            }
        }
        return ScenarioTime.Scale(rate: rate, period: bought.first?.period ?? .init(value: 1, unit: .month))
    }

    /// When the scenario ends, in milliseconds since 1970.
    func end(after start: Int, _ scale: ScenarioTime.Scale) -> Int {
        if let end { return end.after(start, scale) }
        let times = steps.map(\.time) + populations.map(\.duration)
        return times.map { $0.after(start, scale) }.max() ?? start
    }

    /// When the scenario has to begin in order to end at a time.
    ///
    /// - Complexity: linear in the steps.
    public func start(endingAt time: Date, _ configuration: StoreKitConfiguration) -> Date {
        let scale = scale(configuration)
        // Months differ in length: the error of the first guess corrects it.
        let guess = 2 * time.milliseconds - end(after: time.milliseconds, scale)
        return Date(milliseconds: guess + time.milliseconds - end(after: guess, scale))
    }
}

extension Simulation {
    /// Does a step for the customer of its name, who comes with the first one.
    ///
    /// The names are changed in place: a copy of them would cost a time that grows with the customers.
    fileprivate mutating func perform(
        _ step: ScenarioRun.TimedStep, _ customers: inout [String: CustomerPlace]
    ) throws(StoreRefusal) {
        let customer = try meet(step.customer, in: step.storefront, &customers)
        do throws(StoreRefusal) {
            try perform(step.action, by: customer) { (simulation, name) throws(StoreRefusal) in
                try simulation.meet(name, in: step.storefront, &customers)
            }
        } catch {
            // In a random life, some actions come too late or too early.
            switch error {
            case .notAllowed where step.isRandom: break
            case .purchase(.seatReductionNotAllowed, _) where step.isRandom: break
            case .advancedCommerce(.subscriptionAlreadyExists, _) where step.isRandom: break
            default: throw error
            }
        }
    }

    /// The place of the customer with a name.
    ///
    /// A customer's app transaction is the first that an app sends, so it is signed when the customer comes.
    private mutating func meet(
        _ name: String, in storefront: String?, _ customers: inout [String: CustomerPlace]
    ) throws(StoreRefusal) -> CustomerPlace {
        if let place = customers[name] { return place }
        let place = addCustomer(in: storefront)
        customers[name] = place
        if output.tellsAll { output.add(.appTransaction(try appTransactionToken(of: place))) }
        return place
    }
}
