public import Essentials

/// The answers of StoreKit's static members, for any customer and any instant, without a scope.
///
/// As in a scope, they are about one app in one environment, unless `apps` selects more. Each throws
/// `SeveralAppsError` if the selection is the customer's only app, and there are several.
extension TransactionStore {
    /// All of a customer's transactions, latest first.
    ///
    /// - Parameters:
    ///   - customer: the customer.
    ///   - apps: the app and the environment whose purchases count.
    ///   - includingFinishedConsumables: whether to include all consumables that the app has finished. Those that were
    ///     refunded or revoked are always there.
    /// - Throws: the store's error, if it cannot be read.
    public func all(
        of customer: Customer, apps: AppSelection = .onlyApp(), includingFinishedConsumables: Bool = false
    ) async throws -> [Transaction] {
        try await purchases(of: customer, apps: apps)
            .all(includingFinishedConsumables: includingFinishedConsumables)
    }

    /// All of a customer's transactions of a product, latest first; see
    /// `PurchaseHistory.all(includingFinishedConsumables:)`.
    ///
    /// - Throws: the store's error, if it cannot be read.
    public func all(
        for productID: String, of customer: Customer, apps: AppSelection = .onlyApp()
    ) async throws -> [Transaction] {
        try await all(of: customer, apps: apps).filter { $0.productID == productID }
    }

    /// The transactions that the app has not finished, latest first.
    ///
    /// - Throws: the store's error, if it cannot be read.
    public func unfinished(
        of customer: Customer, apps: AppSelection = .onlyApp()
    ) async throws -> [Transaction] {
        try await purchases(of: customer, apps: apps).unfinished
    }

    /// A customer's latest transaction of a product; `nil` if there is none.
    ///
    /// - Throws: the store's error, if it cannot be read.
    public func latest(
        for productID: String, of customer: Customer, apps: AppSelection = .onlyApp()
    ) async throws -> Transaction? {
        try await purchases(of: customer, apps: apps).latest(for: productID)
    }

    /// The transactions that entitle a customer to a product at an instant.
    /// `PurchaseHistory.currentEntitlements(at:)` gives the rules.
    ///
    /// - Throws: the store's error, if it cannot be read.
    public func currentEntitlements(
        of customer: Customer, apps: AppSelection = .onlyApp(), at instant: Date
    ) async throws -> [Transaction] {
        try await purchases(of: customer, apps: apps).currentEntitlements(at: instant)
    }

    /// The transactions that entitle a customer to one product at an instant.
    ///
    /// - Throws: the store's error, if it cannot be read.
    public func currentEntitlements(
        for productID: String, of customer: Customer, apps: AppSelection = .onlyApp(), at instant: Date
    ) async throws -> [Transaction] {
        try await purchases(of: customer, apps: apps)
            .currentEntitlements(for: productID, at: instant)
    }

    /// The statuses of a customer's subscriptions at an instant.
    ///
    /// - Parameters:
    ///   - groupID: the subscription group; `nil` for all.
    ///   - customer: the customer.
    ///   - apps: the app and the environment whose purchases count.
    ///   - instant: the time of the statuses.
    /// - Throws: the store's error, if it cannot be read.
    public func statuses(
        for groupID: String? = nil, of customer: Customer, apps: AppSelection = .onlyApp(),
        at instant: Date
    ) async throws -> [Product.SubscriptionInfo.Status] {
        try await purchases(of: customer, apps: apps).statuses(for: groupID, at: instant)
    }

    /// First the customer's transactions that the app has not finished, then each new transaction when the
    /// store gets it. The sequence ends when its task is cancelled.
    ///
    /// - Parameters:
    ///   - customer: the customer, or `.everyone`.
    ///   - apps: the apps and the environment whose transactions to give.
    ///   - onError: receives the store's error, if it cannot read the unfinished transactions.
    public func updates(
        of customer: Customer, apps: AppSelection = .onlyApp(),
        onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) -> Transaction.Transactions {
        Transaction.Transactions {
            // Listening begins before the history is read, so that no transaction is missed between the two.
            let incoming = transactions(of: customer)
            return AsyncStream.ofTask { continuation in
                var known: Set<Transaction> = []
                do {
                    for transaction in try await unfinished(of: customer, apps: apps) {
                        known.insert(transaction)
                        continuation.yield(.verified(transaction))
                    }
                } catch {
                    onError(error)
                }
                for await transaction in incoming
                where apps.includesOrSays(transaction.appBundleID, transaction.environment)
                    && known.remove(transaction) == nil
                {
                    continuation.yield(.verified(transaction))
                }
            }
        }
    }

    /// The customer's purchases in the selected apps and environment. If there are none, and the customer has some in
    /// another environment, a sentence on standard error says so.
    func purchases(of customer: Customer, apps: AppSelection) async throws -> PurchaseHistory {
        let history = try await history(of: customer)
        let purchases = try history.purchases(of: apps)
        if purchases.purchases.isEmpty {
            for other in history.purchases {
                _ = apps.includesOrSays(other.id.appBundleID, other.id.environment)
            }
        }
        return purchases
    }
}

extension AppSelection {
    /// Whether the selection may mean an app in an environment. If only the environment is another one, standard error
    /// says so, once in a process.
    func includesOrSays(_ bundleID: String, _ environment: AppStore.Environment) -> Bool {
        if let wanted = self.environment, wanted != environment, [nil, bundleID].contains(self.bundleID) {
            Notice.say(
                about: "AppSelection",
                "a query about the environment \(wanted.rawValue) left out a purchase in \(environment.rawValue). "
                    + "To ask about another environment, give it an AppSelection, such as apps: .onlyApp(in: .sandbox)."
            )
        }
        return includes(bundleID, environment)
    }
}
