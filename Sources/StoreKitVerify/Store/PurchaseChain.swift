#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// All that is known of one purchase: its transactions, which share an original transaction, and the renewal
/// information of a subscription.
///
/// What is added may come in any order and any number of times: of two payloads about the same transaction, the
/// one that was signed later counts.
public struct PurchaseChain: Hashable, Sendable {
    /// What tells purchases apart.
    public struct ID: Hashable, Sendable {
        /// The identifier of the first transaction.
        public let originalTransactionID: UInt64
        /// The environment: each has identifiers of its own.
        public let environment: AppStore.Environment

        /// - Parameters:
        ///   - originalTransactionID: the identifier of the first transaction.
        ///   - environment: its environment.
        public init(originalTransactionID: UInt64, environment: AppStore.Environment) {
            self.originalTransactionID = originalTransactionID
            self.environment = environment
        }
    }

    /// What tells the purchase from others.
    public let id: ID
    private var transactionsByID: [UInt64: Transaction] = [:]
    /// The renewal information that was signed last.
    public private(set) var renewalInfo: Product.SubscriptionInfo.RenewalInfo?
    /// The transactions that the app has finished.
    private var finished: Set<UInt64> = []

    /// An empty one.
    public init(id: ID) { self.id = id }

    // MARK: - Adding

    /// Adds a transaction of this purchase.
    ///
    /// - Returns: whether it said anything new.
    mutating func add(_ transaction: Transaction) -> Bool {
        if let known = transactionsByID[transaction.id], !transaction.isLater(than: known) { return false }
        transactionsByID[transaction.id] = transaction
        return true
    }

    /// Adds renewal information of this purchase.
    ///
    /// - Returns: whether it said anything new.
    mutating func add(_ renewalInfo: Product.SubscriptionInfo.RenewalInfo) -> Bool {
        if let known = self.renewalInfo, !renewalInfo.isLater(than: known) { return false }
        self.renewalInfo = renewalInfo
        return true
    }

    /// Notes that the app has finished a transaction, be it known already or not.
    mutating func finish(_ transactionID: UInt64) { finished.insert(transactionID) }

    /// Adds all that another record of the same purchase holds.
    mutating func merge(_ other: PurchaseChain) {
        for transaction in other.transactionsByID.values { _ = add(transaction) }
        if let renewalInfo = other.renewalInfo { _ = add(renewalInfo) }
        finished.formUnion(other.finished)
    }

    // MARK: - Asking

    /// The transactions, the latest first.
    public var transactions: [Transaction] { transactionsByID.values.sorted { $0.follows($1) } }

    /// Whether the app has finished a transaction.
    public func isFinished(_ transaction: Transaction) -> Bool { finished.contains(transaction.id) }

    /// The latest transaction at an instant; `nil` if there was none yet.
    public func latest(at instant: Date) -> Transaction? {
        transactionsByID.values.filter { $0.purchaseDate <= instant }.max { $1.follows($0) }
    }

    /// Whether a transaction had been upgraded at an instant. Payloads do not say when: it is when the next
    /// transaction was bought, if that was before this one's end, and else it is as good as always.
    func isUpgraded(_ transaction: Transaction, at instant: Date) -> Bool {
        guard transaction.isUpgraded else { return false }
        let next = transactionsByID.values.map(\.purchaseDate).filter { $0 > instant }.min()
        guard let next, let end = transaction.expirationDate else { return true }
        return next >= end
    }

    /// The renewal information, as far as it may say something of an instant: not where it was signed after a
    /// transaction that was yet to come.
    public func renewalInfo(at instant: Date) -> Product.SubscriptionInfo.RenewalInfo? {
        guard let renewalInfo else { return nil }
        let isLater = transactionsByID.values.contains {
            $0.purchaseDate > instant && $0.purchaseDate <= renewalInfo.signedDate
        }
        return isLater ? nil : renewalInfo
    }

    /// The token by which the app names its customer: the one in the transaction that was signed last among
    /// those that have one, for it may be set, and changed, after a purchase.
    public var appAccountToken: UUID? {
        transactionsByID.values.filter { $0.appAccountToken != nil }.max { $1.isLater(than: $0) }?
            .appAccountToken
    }

    /// The identifier of the app's download.
    public var appTransactionID: String? {
        transactionsByID.values.filter { !$0.appTransactionID.isEmpty }.max { $1.isLater(than: $0) }?
            .appTransactionID
    }
}

extension Transaction {
    /// The purchase that it belongs to.
    public var chainID: PurchaseChain.ID {
        PurchaseChain.ID(originalTransactionID: originalID, environment: environment)
    }

    /// Whether it took place after another; where both did at the same time, the identifiers decide.
    func follows(_ other: Transaction) -> Bool {
        (purchaseDate, id) > (other.purchaseDate, other.id)
    }
}

extension Product.SubscriptionInfo.RenewalInfo {
    /// The purchase that it is about.
    public var chainID: PurchaseChain.ID {
        PurchaseChain.ID(originalTransactionID: originalTransactionID, environment: environment)
    }
}

extension DeviceSignedValue {
    /// Whether it was signed after another; where both were at the same time, the bytes decide, so that the
    /// order in which they come never does.
    func isLater(than other: Self) -> Bool {
        guard signedDate == other.signedDate else { return signedDate > other.signedDate }
        return other.jsonRepresentation.lexicographicallyPrecedes(jsonRepresentation)
    }
}
