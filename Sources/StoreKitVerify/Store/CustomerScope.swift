#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Sets the customer whose purchases StoreKit's static members return.
///
/// On a device, `Transaction.currentEntitlements` returns the purchases of the device's user. On a server it
/// returns the purchases of the scope's customer:
///
/// ```swift
/// let scope = CustomerScope(store, .appAccountToken(token), now: { Date() })
/// await scope.run { await refreshPurchasedProducts() }
/// ```
///
/// A scope holds for a task, and for the child tasks that it starts. Outside of any scope, the static members
/// return no purchases.
public struct CustomerScope: Sendable {
    /// The scope of the current task.
    @TaskLocal public static var current: CustomerScope?

    /// The store that keeps the purchases.
    public let store: any TransactionStore
    /// The customer.
    public let customer: Customer
    /// Returns the present time. The library itself reads no clock.
    public let now: @Sendable () -> Date
    /// Receives the store's errors. StoreKit's static members cannot throw, and return nothing if the store
    /// fails.
    public let onError: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - store: the store that keeps the purchases.
    ///   - customer: the customer.
    ///   - now: returns the present time.
    ///   - onError: receives the store's errors. StoreKit's static members cannot throw, and return nothing
    ///     if the store fails.
    public init(
        _ store: any TransactionStore, _ customer: Customer, now: @escaping @Sendable () -> Date,
        onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.store = store
        self.customer = customer
        self.now = now
        self.onError = onError
    }

    /// Runs a function in the scope.
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

    /// The customer's purchases; an empty history if the store fails.
    func history() async -> PurchaseHistory {
        do {
            return try await store.history(of: customer)
        } catch {
            onError(error)
            return PurchaseHistory()
        }
    }
}
