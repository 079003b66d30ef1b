/// Sells products to the customer of a `CustomerScope`, where code that was written for StoreKit asks for them:
/// `Product.products(for:)`, `purchase(options:)`, `AppStore.sync()`, `AppTransaction.shared`.
///
/// The test App Store of the module StoreKitTestSession conforms. A server has no App Store: customers buy on their devices.
public protocol SimulatedAppStore: Sendable {
    /// The products with these identifiers. Unknown identifiers are left out.
    ///
    /// - Throws: `StoreKitError`.
    func products(for identifiers: [String]) async throws -> [Product]

    /// Buys a product for the customer.
    ///
    /// - Throws: `Product.PurchaseError` or `StoreKitError`.
    func purchase(
        _ productID: String, options: Set<Product.PurchaseOption>
    ) async throws -> Product.PurchaseResult

    /// Delivers the customer's purchases again.
    ///
    /// - Throws: `StoreKitError`.
    func sync() async throws

    /// The customer's purchase or download of the app.
    ///
    /// - Throws: `StoreKitError`.
    func appTransaction() async throws -> VerificationResult<AppTransaction>

    /// The check that all transactions fail, to test the app's reaction; `nil`, the default, if they pass.
    var verificationFailure: VerificationResult<Transaction>.VerificationError? { get }

    /// Whether queries get the statuses of subscriptions, which is the default.
    var providesSubscriptionStatuses: Bool { get }

    /// The identifiers of the transactions that `purchase` returned; empty by default. `Transaction.updates` does not
    /// give those that were returned while it listened, unless they are refunded.
    var returnedTransactions: Set<UInt64> { get }
}

extension SimulatedAppStore {
    /// No check fails.
    public var verificationFailure: VerificationResult<Transaction>.VerificationError? { nil }

    /// Queries get the statuses.
    public var providesSubscriptionStatuses: Bool { true }

    /// No transaction is known.
    public var returnedTransactions: Set<UInt64> { [] }
}

/// Code asked for products or a purchase where nothing is sold: outside of a scope that has a `SimulatedAppStore`.
public struct NoAppStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The member that was used.
    public let member: String

    init(_ member: StaticString) { self.member = "\(member)" }

    /// The failure, in a sentence.
    public var description: String {
        "\(member) needs an App Store, and there is none here: customers buy on their devices. For a test, run the "
            + "code in a session of the module StoreKitTestSession. A server verifies what the app or the App Store "
            + "sends."
    }
}

extension CustomerScope {
    /// A transaction of the store, as the app gets it: verified, unless a test wants it otherwise.
    func result(_ transaction: Transaction) -> VerificationResult<Transaction> {
        if let failure = appStore?.verificationFailure { return .unverified(transaction, failure) }
        return .verified(transaction)
    }

    /// Whether a test has the statuses of subscriptions fail.
    var hidesStatuses: Bool { appStore?.providesSubscriptionStatuses == false }

    /// The simulated App Store of the current scope, or else of a test session.
    static func openAppStore(_ member: StaticString) throws -> any SimulatedAppStore {
        guard let appStore = ofDevice?.appStore else { throw NoAppStoreError(member) }
        return appStore
    }
}
