#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The payloads of one purchase: its transactions, which share an original transaction, and a subscription's
/// renewal information.
///
/// Payloads may be added in any order and any number of times. Of two payloads about the same transaction,
/// the one that was signed later counts.
public struct PurchaseChain: Hashable, Sendable {
    /// Identifies a purchase.
    public struct ID: Hashable, Sendable {
        /// The identifier of the purchase's first transaction.
        public let originalTransactionID: UInt64
        /// The environment. Each environment has its own identifiers.
        public let environment: AppStore.Environment

        /// - Parameters:
        ///   - originalTransactionID: the identifier of the purchase's first transaction.
        ///   - environment: its environment.
        public init(originalTransactionID: UInt64, environment: AppStore.Environment) {
            self.originalTransactionID = originalTransactionID
            self.environment = environment
        }
    }

    /// The identifier of the purchase.
    public let id: ID
    private var transactionsByID: [UInt64: Transaction] = [:]
    /// The renewal information that was signed last.
    public private(set) var renewalInfo: Product.SubscriptionInfo.RenewalInfo?
    /// The transactions that the app has finished.
    private var finished: Set<UInt64> = []

    /// Makes a purchase without any payload.
    public init(id: ID) { self.id = id }

    // MARK: - Adding

    /// Adds a transaction of this purchase.
    ///
    /// - Returns: whether the payload brought anything new.
    mutating func add(_ transaction: Transaction) -> Bool {
        if let known = transactionsByID[transaction.id], !transaction.isLater(than: known) { return false }
        transactionsByID[transaction.id] = transaction
        return true
    }

    /// Adds renewal information of this purchase.
    ///
    /// - Returns: whether the payload brought anything new.
    mutating func add(_ renewalInfo: Product.SubscriptionInfo.RenewalInfo) -> Bool {
        if let known = self.renewalInfo, !renewalInfo.isLater(than: known) { return false }
        self.renewalInfo = renewalInfo
        return true
    }

    /// Records that the app has finished a transaction. The transaction itself may be added later.
    mutating func finish(_ transactionID: UInt64) { finished.insert(transactionID) }

    /// Adds all payloads of another record of the same purchase.
    mutating func merge(_ other: PurchaseChain) {
        for transaction in other.transactionsByID.values { _ = add(transaction) }
        if let renewalInfo = other.renewalInfo { _ = add(renewalInfo) }
        finished.formUnion(other.finished)
    }

    // MARK: - Asking

    /// The transactions, latest first.
    public var transactions: [Transaction] { transactionsByID.values.sorted { $0.follows($1) } }

    /// Whether the app has finished a transaction.
    public func isFinished(_ transaction: Transaction) -> Bool { finished.contains(transaction.id) }

    /// The latest transaction at an instant; `nil` if there was none at that time.
    public func latest(at instant: Date) -> Transaction? {
        transactionsByID.values.filter { $0.purchaseDate <= instant }.max { $1.follows($0) }
    }

    /// Whether a transaction was already upgraded at an instant.
    ///
    /// Payloads do not give the time of the upgrade. It is the purchase date of the next transaction, if that
    /// is before this transaction's end. Without such a transaction, this one counts as upgraded at every
    /// instant.
    func isUpgraded(_ transaction: Transaction, at instant: Date) -> Bool {
        guard transaction.isUpgraded else { return false }
        let next = transactionsByID.values.map(\.purchaseDate).filter { $0 > instant }.min()
        guard let next, let end = transaction.expirationDate else { return true }
        return next >= end
    }

    /// The renewal information, if it applies to an instant. It does not apply if it was signed after a
    /// transaction that was still to come at that instant.
    public func renewalInfo(at instant: Date) -> Product.SubscriptionInfo.RenewalInfo? {
        guard let renewalInfo else { return nil }
        let isLater = transactionsByID.values.contains {
            $0.purchaseDate > instant && $0.purchaseDate <= renewalInfo.signedDate
        }
        return isLater ? nil : renewalInfo
    }

    /// The token that the app gave to identify the customer. The app can set or change it after a purchase.
    /// So it comes from the latest signed transaction that has one.
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
    /// The identifier of the transaction's purchase.
    public var chainID: PurchaseChain.ID {
        PurchaseChain.ID(originalTransactionID: originalID, environment: environment)
    }

    /// Whether this transaction took place after another. If both have the same date, the identifiers decide.
    func follows(_ other: Transaction) -> Bool {
        (purchaseDate, id) > (other.purchaseDate, other.id)
    }
}

extension Product.SubscriptionInfo.RenewalInfo {
    /// The identifier of the purchase that the information is about.
    public var chainID: PurchaseChain.ID {
        PurchaseChain.ID(originalTransactionID: originalTransactionID, environment: environment)
    }
}

extension DeviceSignedValue {
    /// Whether this value was signed after another. If both have the same date, their bytes decide. So the
    /// order in which payloads arrive never matters.
    func isLater(than other: Self) -> Bool {
        guard signedDate == other.signedDate else { return signedDate > other.signedDate }
        return other.jsonRepresentation.lexicographicallyPrecedes(jsonRepresentation)
    }
}
