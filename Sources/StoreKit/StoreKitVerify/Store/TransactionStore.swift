public import Essentials

/// Keeps the payloads that the App Store signed about customers' purchases.
///
/// Payloads may be applied in any order and any number of times. The same payloads always give the same
/// histories.
public protocol TransactionStore: Sendable {
    /// Applies a transaction.
    ///
    /// - Throws: the reason why the value is unverified, or the store's error if it cannot keep the value.
    func apply(_ transaction: VerificationResult<Transaction>) async throws

    /// Applies renewal information.
    ///
    /// - Throws: the reason why the value is unverified, or the store's error if it cannot keep the value.
    func apply(_ renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>) async throws

    /// Applies an app transaction. It belongs to the customers with the same download.
    ///
    /// - Throws: the reason why the value is unverified, or the store's error if it cannot keep the value. A store
    ///   that does not implement this throws `AppTransactionsNotKept`.
    func apply(_ appTransaction: VerificationResult<AppTransaction>) async throws

    /// Applies a notification's transaction and renewal information, if it has any, and remembers its
    /// `notificationUUID`, in one step: all of it, or nothing. The same notification may be applied again: the App
    /// Store repeats it until a server answers. `ServerNotification.purchases()` gives the values to apply.
    ///
    /// - Returns: whether it is new. Of several calls at once with the same notification, one is told so: only that
    ///   one does the work that must be done once.
    /// - Throws: the reason why the notification is unverified or a payload in it has no value, or the store's
    ///   error if it cannot keep the payloads.
    @discardableResult
    func apply(_ notification: VerificationResult<ServerNotification>) async throws -> Bool

    /// Records that your server gave a seat of a subscription to a member. The same claim may be recorded again, and
    /// before the purchase is known.
    ///
    /// - Throws: the store's error, if it cannot keep that. A store that keeps no claims throws `SeatClaimsNotKept`.
    func claim(_ claim: SeatClaim) async throws

    /// Records the end of claims. Unknown ones are remembered: their record may come later. `apply(_:)` does this for a
    /// notification of the type `UNCLAIM_SEATS`.
    ///
    /// - Throws: as for `claim(_:)`.
    func unclaim(_ seatClaimIDs: [UUID], at date: Date) async throws

    /// Records that the app has finished a transaction.
    ///
    /// - Throws: the store's error, if it cannot keep that.
    func finish(_ transaction: Transaction) async throws

    /// Returns a customer's purchases: of all apps and environments, under any of the customer's names.
    ///
    /// - Throws: the store's error, if it cannot be read.
    func history(of customer: Customer) async throws -> PurchaseHistory

    /// The listeners of this store. A store announces to them each payload that brought something new, after it is
    /// kept: `Transaction.updates` and `Status.updates` are made of it.
    var listeners: StoreListeners { get }
}

/// A store keeps no app transactions.
public struct AppTransactionsNotKept: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failure, in a sentence.
    public var description: String {
        "this store keeps no app transactions: it does not implement apply(_:) for them"
    }
}

extension TransactionStore {
    /// The customer's transactions that are applied from now on, except those that the app has finished already.
    /// Payloads that bring nothing new are left out, for instance a transaction that was only signed again.
    public func transactions(of customer: Customer) -> AsyncStream<Transaction> {
        listeners.transactions(of: customer)
    }

    /// The customer's purchases that change from now on: one element for each payload that brings something
    /// new.
    public func changes(of customer: Customer) -> AsyncStream<PurchaseChain> {
        listeners.changes(of: customer)
    }

    /// Throws `SeatClaimsNotKept`.
    public func claim(_ claim: SeatClaim) async throws { throw SeatClaimsNotKept() }

    /// Throws `SeatClaimsNotKept`.
    public func unclaim(_ seatClaimIDs: [UUID], at date: Date) async throws { throw SeatClaimsNotKept() }

    /// Throws `AppTransactionsNotKept`.
    public func apply(_ appTransaction: VerificationResult<AppTransaction>) async throws {
        throw AppTransactionsNotKept()
    }

    /// Applies a transaction that was delivered to the customer before the server kept it, as in a first
    /// import. It counts as finished, so that no listener gets it.
    ///
    /// - Throws: the reason why the value is unverified, or the store's error if it cannot keep the value.
    public func applyDelivered(_ transaction: VerificationResult<Transaction>) async throws {
        let delivered = try transaction.payloadValue
        try await finish(delivered)
        try await apply(transaction)
    }
}
