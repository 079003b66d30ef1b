internal import Essentials
internal import StoreKitTestSession
internal import StoreKitVerify
internal import WireFormats

/// A request to one endpoint, while it is answered.
struct ServerAPICall: Sendable {
    let api: TestAppStoreAPI
    let request: ServerAPIRequest
    /// The parameters of the path, decoded, by their names in the table of endpoints.
    let parameters: [String: String]

    var appStore: TestAppStore { api.appStore }

    /// Every name in a path has a value, so the empty text stands for a mistake in the table alone.
    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    // MARK: - Query

    /// All items of a name, as Apple repeats a name for several values.
    func queryValues(_ name: String) -> [String] {
        request.query.filter { $0.name == name }.map(\.value)
    }

    func queryValue(_ name: String) -> String? { request.query.first { $0.name == name }?.value }

    // MARK: - Body

    /// The members of the body, a JSON object.
    func object() throws(ServerAPIError) -> JSONTree {
        guard let tree = try? JSONTree(request.body.span), case .object = tree else {
            throw .generalBadRequest
        }
        return tree
    }

    // MARK: - Transactions

    /// The number in the path.
    func identifier(else error: ServerAPIError = .invalidTransactionID) throws(ServerAPIError) -> UInt64 {
        try Self.identifier(parameter("id"), else: error)
    }

    /// Digits alone: a sign or a space is no identifier, though `UInt64` would take a plus.
    static func identifier(_ text: String, else error: ServerAPIError) throws(ServerAPIError) -> UInt64 {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(text) else {
            throw error
        }
        return number
    }

    /// The place of the transaction that the path names.
    ///
    /// The number of a download gets an error of its own, as Apple documents for these paths.
    func place(
        in simulation: Simulation, else error: ServerAPIError = .transactionIDNotFound
    ) throws(ServerAPIError) -> TransactionPlace {
        let identifier = try identifier()
        if let place = try? simulation.purchases.place(of: identifier) { return place }
        throw simulation.customers.place(ofDownload: identifier) == nil
            ? error : .appTransactionIDNotSupported
    }

    /// The customer whom any of the transactions in the path belongs to.
    func customer(in simulation: Simulation) throws(ServerAPIError) -> CustomerPlace {
        try Self.customer(of: identifier(), in: simulation)
    }

    static func customer(
        of identifier: UInt64, in simulation: Simulation
    ) throws(ServerAPIError) -> CustomerPlace {
        if let place = try? simulation.purchases.place(of: identifier) {
            return simulation.purchases[place].customer
        }
        guard let customer = simulation.customers.place(ofDownload: identifier) else {
            throw .transactionIDNotFound
        }
        return customer
    }

    // MARK: - Answers

    /// The members that several answers begin with. The number of the app is known in production alone.
    func aboutApp() -> ObjectText {
        var object = ObjectText()
        object.add("environment", appStore.environment.rawValue)
        object.add("bundleId", appStore.app.bundleID)
        object.add("appAppleId", appStore.environment == .production ? appStore.app.appleID : nil)
        return object
    }
}

extension Simulation {
    /// Tokens of transactions, in the same order.
    func transactionTokens(_ places: some Sequence<TransactionPlace>) throws(ServerAPIError) -> [String] {
        var tokens: [String] = []
        for place in places {
            tokens.append(try ServerAPIError.signing(try transactionToken(place)))
        }
        return tokens
    }
}

extension ServerAPIError {
    /// The result of signing; its failure is one of the server.
    static func signing<Success>(
        _ sign: @autoclosure () throws(StoreRefusal) -> Success
    ) throws(ServerAPIError) -> Success {
        try translating(try sign()) { (_: StoreRefusal) in ServerAPIError.generalInternal }
    }
}
