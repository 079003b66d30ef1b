extension Transaction {
    /// A sequence of transactions. Those of a store were verified before they came in.
    public typealias Transactions = StoreSequence<VerificationResult<Transaction>>

    /// The transactions that the app has not finished, once; then all that are new, as they come in. It ends
    /// when its task is cancelled.
    ///
    /// Of the scope's customer, as all static members; see `CustomerScope`.
    public static var updates: Transactions {
        guard let scope = CustomerScope.current else { return Transactions { AsyncStream { $0.finish() } } }
        return scope.store.updates(of: scope.customer, onError: scope.onError)
    }

    /// All transactions at the moment, the latest first, without finished consumables.
    public static var all: Transactions { .snapshot { history, _ in history.all() } }

    /// All transactions of a product at the moment, the latest first, without finished consumables.
    public static func all(for productID: String) -> Transactions {
        .snapshot { history, _ in history.all().filter { $0.productID == productID } }
    }

    /// The transactions that the app has not finished, the latest first.
    public static var unfinished: Transactions { .snapshot { history, _ in history.unfinished } }

    /// The transactions that entitle the customer to something at the moment; see
    /// `PurchaseHistory.currentEntitlements(at:)` for the rules.
    public static var currentEntitlements: Transactions {
        .snapshot { history, scope in history.currentEntitlements(at: scope.now()) }
    }

    /// The transactions that entitle the customer to a product at the moment.
    public static func currentEntitlements(for productID: String) -> Transactions {
        .snapshot { history, scope in history.currentEntitlements(for: productID, at: scope.now()) }
    }

    /// The latest transaction that entitles the customer to a product at the moment.
    @available(*, deprecated, message: "Use currentEntitlements(for:): there may be several.")
    public static func currentEntitlement(for productID: String) async -> VerificationResult<Transaction>? {
        guard let scope = CustomerScope.current else { return nil }
        return await scope.history().currentEntitlements(for: productID, at: scope.now()).first.map {
            .verified($0)
        }
    }

    /// The latest transaction of a product; `nil` if the customer has not bought it.
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        await CustomerScope.current?.history().latest(for: productID).map { .verified($0) }
    }

    /// Where the subscription stands that the transaction is part of; `nil` for other products, and while no
    /// renewal information is known.
    public var subscriptionStatus: Product.SubscriptionInfo.Status? {
        get async {
            guard let scope = CustomerScope.current else { return nil }
            return await scope.history().statuses(at: scope.now()).first {
                $0.transaction.unsafePayloadValue.chainID == chainID
            }
        }
    }
}

extension StoreSequence<VerificationResult<Transaction>> {
    /// Those that a scope's history gives at the moment.
    fileprivate static func snapshot(
        _ choose: @escaping @Sendable (PurchaseHistory, CustomerScope) -> [Transaction]
    ) -> Self {
        let scope = CustomerScope.current
        return Self {
            guard let scope else { return AsyncStream { $0.finish() } }
            let chosen = Once { choose(await scope.history(), scope) }
            return AsyncStream { await chosen.next().map { .verified($0) } }
        }
    }
}

/// Elements that are computed when the first is asked for.
private actor Once {
    private let make: @Sendable () async -> [Transaction]
    private var elements: [Transaction]?
    private var position = 0

    init(_ make: @escaping @Sendable () async -> [Transaction]) { self.make = make }

    func next() async -> Transaction? {
        if elements == nil { elements = await make() }
        guard let elements, position < elements.count else { return nil }
        position += 1
        return elements[position - 1]
    }
}
