public import Essentials
internal import Synchronization

/// Sets the customer whose purchases StoreKit's static members return.
///
/// On a device, `Transaction.currentEntitlements` returns the purchases of the device's user in one app. On a
/// server it returns the purchases of the scope's customer:
///
/// ```swift
/// let scope = CustomerScope(store, .appAccountToken(token), now: { Date() })
/// await scope.run { await refreshPurchasedProducts() }
/// ```
///
/// A scope holds for a task, and for the child tasks that it starts. `Task.detached` starts no child task: it
/// leaves the scope. For a listener that does so, as in Apple's older samples, see `listen(to:)`. In a test, the
/// session of the module StoreKitTestSession that was made or run last is the scope of such tasks.
public struct CustomerScope: Sendable {
    /// The scope of the current task.
    @TaskLocal public static var current: CustomerScope?

    /// The store that keeps the purchases.
    public let store: any TransactionStore
    /// The customer.
    public let customer: Customer
    /// The app and the environment whose purchases count.
    public let apps: AppSelection
    /// Returns the present time. The library itself reads no clock.
    public let now: @Sendable () -> Date
    /// Sells products to the customer; `nil` on a server, where nothing is sold.
    public let appStore: (any SimulatedAppStore)?
    /// Receives the store's errors, and a `SeveralAppsError`. StoreKit's static members cannot throw, and
    /// return nothing then.
    public let onError: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - store: the store that keeps the purchases.
    ///   - customer: the customer.
    ///   - apps: the app and the environment whose purchases count. A device lives in one of each. The default
    ///     is the customer's only app, in production.
    ///   - now: returns the present time.
    ///   - appStore: sells products to the customer, in a test.
    ///   - onError: receives the store's errors, and a `SeveralAppsError`. StoreKit's static members cannot
    ///     throw, and return nothing then.
    public init(
        _ store: any TransactionStore, _ customer: Customer, apps: AppSelection = .onlyApp(),
        appStore: (any SimulatedAppStore)? = nil, now: @escaping @Sendable () -> Date,
        onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.store = store
        self.customer = customer
        self.apps = apps
        self.now = now
        self.appStore = appStore
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
            return try await store.purchases(of: customer, apps: apps)
        } catch {
            onError(error)
            return PurchaseHistory()
        }
    }

    // MARK: - Outside of scopes

    private static let listener = Mutex<CustomerScope?>(nil)
    private static let device = Mutex<(@Sendable () -> CustomerScope?)?>(nil)

    /// Makes a test session's scope the one of code outside of any scope, in place of a former session's.
    ///
    /// - Parameter scope: gives the scope; `nil` if the session is gone.
    package static func setDevice(_ scope: @escaping @Sendable () -> CustomerScope?) {
        device.withLock { $0 = scope }
    }

    /// The scope of the current task, or else of a test session.
    static var ofDevice: CustomerScope? { current ?? device.withLock(\.self)?() }

    /// Sets the store whose transactions `Transaction.updates` gives outside of any scope, in this process, with
    /// the transactions of all customers. `finish()` then records in that store, too.
    ///
    /// Call it once, before the listener starts. A second call replaces the store for listeners that start
    /// afterwards; `nil` ends this. Members that are about one person, such as
    /// `Transaction.currentEntitlements`, still need a scope.
    ///
    /// - Parameters:
    ///   - store: the store. That of a test session makes the session the scope of all code outside of scopes, with
    ///     its own environment and time.
    ///   - apps: the apps and the environment whose transactions to give.
    ///   - now: returns the present time.
    ///   - onError: receives the store's errors.
    public static func listen(
        to store: (any TransactionStore)?, apps: AppSelection = .allApps(in: .production),
        now: @escaping @Sendable () -> Date, onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        let session = store as? any DeviceStore
        session?.becomeDevice()
        let scope = store.map { CustomerScope($0, .everyone, apps: apps, now: now, onError: onError) }
        listener.withLock { $0 = session == nil ? scope : nil }
    }

    /// The scope for members that are about transactions of any customer.
    static func ofTransactions(_ member: StaticString) -> CustomerScope? {
        if let scope = current ?? listener.withLock(\.self) ?? ofDevice { return scope }
        MissingScope.report(member)
        return nil
    }

    /// The scope for members that are about one customer.
    static func ofCustomer(_ member: StaticString) -> CustomerScope? {
        if let scope = ofDevice { return scope }
        MissingScope.report(member)
        return nil
    }
}

/// The store of a test session, which is the device of one customer.
package protocol DeviceStore: TransactionStore {
    /// Makes the session the scope of code outside of any scope.
    func becomeDevice()
}
