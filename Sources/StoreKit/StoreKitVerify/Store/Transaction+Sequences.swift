extension Transaction {
    /// A sequence of transactions. All are verified, because a store accepts only verified ones.
    public typealias Transactions = StoreSequence<VerificationResult<Transaction>>

    /// First the transactions that the app has not finished, then each new transaction when the store gets
    /// it. The sequence ends when its task is cancelled.
    ///
    /// `finish()` acknowledges a transaction. Each listener that starts gets all that is not acknowledged, as
    /// an app does at its launch: so a server that was restarted misses nothing, and a transaction may come
    /// again. Import transactions that were delivered earlier with `TransactionStore.applyDelivered(_:)`.
    ///
    /// Like all static members, it is about the scope's customer; see `CustomerScope`. Outside of any scope, it
    /// is about all customers of the store of `CustomerScope.listen(to:)`.
    public static var updates: Transactions {
        guard let scope = CustomerScope.ofTransactions("Transaction.updates") else {
            return Transactions { AsyncStream { $0.finish() } }
        }
        let updates = scope.store.updates(of: scope.customer, apps: scope.apps, onError: scope.onError)
        guard let appStore = scope.appStore else { return updates }
        return updates.transformed { incoming in
            let known = appStore.returnedTransactions
            return AsyncStream.ofTask { continuation in
                for await transaction in incoming.map(\.unsafePayloadValue) {
                    // The app has this one from purchase().
                    let isReturned =
                        !known.contains(transaction.id)
                        && appStore.returnedTransactions.contains(transaction.id)
                    guard !isReturned || transaction.revocationDate != nil else { continue }
                    continuation.yield(scope.result(transaction))
                }
            }
        }
    }

    /// All present transactions, latest first, except for those that `PurchaseHistory.all` leaves out.
    public static var all: Transactions { .snapshot("Transaction.all") { history, _ in history.all() } }

    /// All present transactions of one product, latest first; see `all`.
    public static func all(for productID: String) -> Transactions {
        .snapshot("Transaction.all(for:)") { history, _ in
            history.all().filter { $0.productID == productID }
        }
    }

    /// The transactions that the app has not finished, latest first.
    public static var unfinished: Transactions {
        .snapshot("Transaction.unfinished") { history, _ in history.unfinished }
    }

    /// The transactions that entitle the customer to a product now.
    /// `PurchaseHistory.currentEntitlements(at:)` gives the rules.
    public static var currentEntitlements: Transactions {
        .snapshot("Transaction.currentEntitlements") { history, scope in
            history.currentEntitlements(at: scope.now())
        }
    }

    /// The transactions that entitle the customer to one product now.
    public static func currentEntitlements(for productID: String) -> Transactions {
        .snapshot("Transaction.currentEntitlements(for:)") { history, scope in
            history.currentEntitlements(for: productID, at: scope.now())
        }
    }

    /// The latest transaction that entitles the customer to a product now.
    @available(*, deprecated, message: "Use currentEntitlements(for:): there may be several.")
    public static func currentEntitlement(for productID: String) async -> VerificationResult<Transaction>? {
        guard let scope = CustomerScope.ofCustomer("Transaction.currentEntitlement(for:)") else { return nil }
        let entitlements = await scope.history().currentEntitlements(for: productID, at: scope.now())
        return entitlements.first.map { scope.result($0) }
    }

    /// The latest transaction of a product; `nil` if the customer has not bought it.
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        guard let scope = CustomerScope.ofCustomer("Transaction.latest(for:)") else { return nil }
        return await scope.history().latest(for: productID).map { scope.result($0) }
    }

    /// The status of the transaction's subscription; `nil` for other products.
    public var subscriptionStatus: Product.SubscriptionInfo.Status? {
        get async {
            guard let scope = CustomerScope.ofTransactions("Transaction.subscriptionStatus"),
                !scope.hidesStatuses
            else { return nil }
            return await scope.history().purchase(of: self)?.subscriptionStatus(at: scope.now())
        }
    }
}

extension StoreSequence<VerificationResult<Transaction>> {
    /// The transactions that a function chooses from the scope's history.
    fileprivate static func snapshot(
        _ member: StaticString,
        _ choose: @escaping @Sendable (PurchaseHistory, CustomerScope) -> [Transaction]
    ) -> Self {
        let scope = CustomerScope.ofCustomer(member)
        return Self {
            guard let scope else { return AsyncStream { $0.finish() } }
            let chosen = Once { choose(await scope.history(), scope) }
            return AsyncStream { await chosen.next().map { scope.result($0) } }
        }
    }
}

/// Elements that are computed when the first one is read.
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
