internal import Essentials
public import StoreKitTestSession
internal import StoreKitVerify
internal import Synchronization
internal import WireFormats

/// Paths that Apple's API lacks: under `/test/`, without a token, a developer lets customers act.
extension TestAppStoreAPI {
    /// Runs a scenario, whose customers stay known by their names to `POST /test/events`.
    ///
    /// - Parameters:
    ///   - scenario: what happens, from the App Store's present time on.
    ///   - seed: makes the lives of populations.
    /// - Throws: `ScenarioError` for a step that the App Store refuses, `SigningFailure` if libcrypto fails.
    public func run(_ scenario: Scenario, seed: UInt64 = 0) throws {
        try runs.withLock { _ in try runAlone(scenario, seed) }
    }

    /// The outbox keeps its order: what the run signed comes before what is signed meanwhile.
    private func runAlone(_ scenario: Scenario, _ seed: UInt64) throws {
        var customers = withState { $0.customers }
        defer { withState { [customers] in $0.customers = customers } }
        var signed: [SignedOutput] = []
        defer { appStore.change { [signed] in $0.output.putBack(signed) } }
        try ScenarioRun(scenario, in: appStore, seed: seed, notificationsOnly: true)
            .run(&customers) { signed += $0 }
    }

    /// Answers the local paths.
    func respondLocally(to request: ServerAPIRequest) -> ServerAPIResponse {
        switch (request.method, request.path) {
        case ("POST", "/test/events"): doEvents(request)
        case ("POST", "/test/messaging"): decide(request)
        case ("POST", "/test/organizations"): setOrganization(request)
        case ("POST", "/test/errors"): failNext(request)
        case ("GET", "/test/realtime-request"): realtimeRequest(request)
        case ("GET", "/test/transactions"):
            ServerAPIResponse(Self.list(appStore.read { $0 }, withState { $0.customers }, from: 0))
        default: ServerAPIResponse(status: 404)
        }
    }

    /// Does the lines of a scenario. A line without a time is done now.
    private func doEvents(_ request: ServerAPIRequest) -> ServerAPIResponse {
        guard let body = String(validating: request.body, as: UTF8.self) else {
            return Self.failure("the body is not a text in UTF-8")
        }
        let lines = Scenario.lines(body).map { line in
            // A comment, a setting and a population have no time, and an empty line stays empty.
            let word = line.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" && $0 != "\r" }
            let hasTime = word.isEmpty || word.hasPrefix("+") || word.hasPrefix("#") || word == "set"
            return hasTime || word == "population" ? String(line) : "+0 " + line
        }
        let before = appStore.read {
            ($0.purchases.transactions.count, $0.output.history?.entries.count ?? 0)
        }
        do {
            try run(Scenario(lines.joined(separator: "\n"), name: "events"))
        } catch {
            return Self.failure("\(error)")
        }
        let simulation = appStore.read { $0 }
        var object = Self.list(simulation, withState { $0.customers }, from: before.0)
        object.add(
            "notifications",
            all: simulation.output.history?.entries[before.1...].map(\.notification.name) ?? [])
        return ServerAPIResponse(object)
    }

    /// Apple's decisions about retention messages: the review of what waits for it, and a performance test that the app's
    /// server has passed in the Sandbox.
    private func decide(_ request: ServerAPIRequest) -> ServerAPIResponse {
        switch String(decoding: request.body, as: UTF8.self) {
        case "approve": withState { $0.messaging.review(.approved) }
        case "reject": withState { $0.messaging.review(.rejected) }
        case "pass-performance-test": withState { $0.messaging.hasPassedPerformanceTest = true }
        default: return Self.failure("the body is approve, reject or pass-performance-test")
        }
        return ServerAPIResponse(status: 200)
    }

    static func failure(_ reason: String) -> ServerAPIResponse {
        ServerAPIResponse(status: 400, "error", reason)
    }

    /// The newest transactions.
    ///
    /// - Parameters:
    ///   - customers: the places of customers, by their names.
    ///   - start: how many transactions are left out, the oldest ones.
    private static func list(
        _ simulation: Simulation, _ customers: [String: CustomerPlace], from start: Int
    ) -> ObjectText {
        let names = Dictionary(customers.map { ($0.value, $0.key) }) { first, _ in first }
        var object = ObjectText()
        object.add("now", simulation.now)
        object.add(
            "transactions",
            all: simulation.purchases.transactions.dropFirst(start).compactMap { place in
                let transaction = simulation.purchases[place]
                // A session can remove transactions; their places stay.
                guard (try? simulation.purchases.place(of: transaction.id)) == place else { return nil }
                var object = ObjectText()
                object.add("customer", names[transaction.customer])
                object.add(
                    "appTransactionId", String(simulation.customers[transaction.customer].appTransactionID))
                object.add("transactionId", String(transaction.id))
                object.add("originalTransactionId", String(transaction.originalID))
                object.add("productId", transaction.product.id)
                object.add("purchaseDate", transaction.purchaseDate)
                object.add("expiresDate", transaction.expiresDate)
                object.add("revocationDate", transaction.revocation?.date)
                object.add("orderId", simulation.order(ofTransaction: place))
                return object
            })
        return object
    }
}
