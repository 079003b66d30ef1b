#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What StoreKit's static members give, for any customer and at any instant, without a scope.
extension TransactionStore {
    /// All of a customer's transactions, the latest first.
    ///
    /// - Parameters:
    ///   - customer: the customer.
    ///   - includingFinishedConsumables: whether consumables that the app has finished are among them.
    /// - Throws: why the store cannot be read.
    public func all(
        of customer: Customer, includingFinishedConsumables: Bool = false
    ) async throws -> [Transaction] {
        try await history(of: customer).all(includingFinishedConsumables: includingFinishedConsumables)
    }

    /// All of a customer's transactions of a product, the latest first, without finished consumables.
    ///
    /// - Throws: why the store cannot be read.
    public func all(for productID: String, of customer: Customer) async throws -> [Transaction] {
        try await all(of: customer).filter { $0.productID == productID }
    }

    /// The transactions that the app has not finished, the latest first.
    ///
    /// - Throws: why the store cannot be read.
    public func unfinished(of customer: Customer) async throws -> [Transaction] {
        try await history(of: customer).unfinished
    }

    /// A customer's latest transaction of a product; `nil` if there is none.
    ///
    /// - Throws: why the store cannot be read.
    public func latest(for productID: String, of customer: Customer) async throws -> Transaction? {
        try await history(of: customer).latest(for: productID)
    }

    /// The transactions that entitle a customer to something at an instant; see
    /// `PurchaseHistory.currentEntitlements(at:)` for the rules.
    ///
    /// - Throws: why the store cannot be read.
    public func currentEntitlements(of customer: Customer, at instant: Date) async throws -> [Transaction] {
        try await history(of: customer).currentEntitlements(at: instant)
    }

    /// The transactions that entitle a customer to a product at an instant.
    ///
    /// - Throws: why the store cannot be read.
    public func currentEntitlements(
        for productID: String, of customer: Customer, at instant: Date
    ) async throws -> [Transaction] {
        try await history(of: customer).currentEntitlements(for: productID, at: instant)
    }

    /// Where a customer's subscriptions stand at an instant.
    ///
    /// - Parameters:
    ///   - groupID: the subscription group; `nil` for all.
    ///   - customer: the customer.
    ///   - instant: when.
    /// - Throws: why the store cannot be read.
    public func statuses(
        for groupID: String? = nil, of customer: Customer, at instant: Date
    ) async throws -> [Product.SubscriptionInfo.Status] {
        try await history(of: customer).statuses(for: groupID, at: instant)
    }

    /// The customer's transactions that the app has not finished, once; then all that are new, as they come in. It
    /// ends when its task is cancelled.
    ///
    /// - Parameters:
    ///   - customer: the customer.
    ///   - onError: gets the store's error, should it not say what is unfinished.
    public func updates(
        of customer: Customer, onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) -> Transaction.Transactions {
        Transaction.Transactions {
            // Listening begins before the history is read, so that nothing is missed in between.
            let incoming = transactions(of: customer)
            return AsyncStream { continuation in
                let task = Task {
                    var known: Set<Transaction> = []
                    do {
                        for transaction in try await unfinished(of: customer) {
                            known.insert(transaction)
                            continuation.yield(.verified(transaction))
                        }
                    } catch {
                        onError(error)
                    }
                    for await transaction in incoming where known.remove(transaction) == nil {
                        continuation.yield(.verified(transaction))
                    }
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }
    }
}
