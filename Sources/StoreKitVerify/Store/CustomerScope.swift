#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Whose purchases StoreKit's static members are about.
///
/// On a device, `Transaction.currentEntitlements` is about the person who holds it. On a server it is about the
/// customer of the scope:
///
/// ```swift
/// let scope = CustomerScope(store, .appAccountToken(token), now: { Date() })
/// await scope.run { await refreshPurchasedProducts() }
/// ```
///
/// The scope is a task's, and that of the tasks that it starts; outside of any, the static members are about
/// nobody, who has bought nothing.
public struct CustomerScope: Sendable {
    /// The scope of the task.
    @TaskLocal public static var current: CustomerScope?

    /// Where the purchases are kept.
    public let store: any TransactionStore
    /// The customer.
    public let customer: Customer
    /// What time it is: the library itself reads no clock.
    public let now: @Sendable () -> Date
    /// Gets the store's errors: StoreKit's members cannot throw, and give nothing then.
    public let onError: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - store: where the purchases are kept.
    ///   - customer: the customer.
    ///   - now: what time it is.
    ///   - onError: gets the store's errors; StoreKit's members cannot throw, and give nothing then.
    public init(
        _ store: any TransactionStore, _ customer: Customer, now: @escaping @Sendable () -> Date,
        onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.store = store
        self.customer = customer
        self.now = now
        self.onError = onError
    }

    /// Runs something in the scope.
    public func run<Success, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let result: Result<Success, Failure> = await Self.$current.withValue(self) {
            do throws(Failure) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// What is known of the customer's purchases; nothing where the store fails.
    func history() async -> PurchaseHistory {
        do {
            return try await store.history(of: customer)
        } catch {
            onError(error)
            return PurchaseHistory()
        }
    }
}
