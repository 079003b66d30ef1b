internal import WireFormats

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The payloads of one purchase: its transactions, which share an original transaction, and a subscription's
/// renewal information.
///
/// Of two payloads about the same transaction, the one that was signed later counts.
public struct PurchaseChain: Hashable, Sendable {
    /// Identifies a purchase.
    public struct ID: Hashable, Sendable {
        /// The identifier of the purchase's first transaction.
        public let originalTransactionID: UInt64
        /// The environment. Each environment has its own identifiers.
        public let environment: AppStore.Environment
        /// The app's bundle identifier.
        public let appBundleID: String

        /// - Parameters:
        ///   - originalTransactionID: the identifier of the purchase's first transaction.
        ///   - environment: its environment.
        ///   - appBundleID: the app's bundle identifier.
        public init(originalTransactionID: UInt64, environment: AppStore.Environment, appBundleID: String) {
            self.originalTransactionID = originalTransactionID
            self.environment = environment
            self.appBundleID = appBundleID
        }
    }

    /// The identifier of the purchase.
    public private(set) var id: ID
    private var transactionsByID: [UInt64: Transaction] = [:]
    /// The renewal information that was signed last.
    public private(set) var renewalInfo: Product.SubscriptionInfo.RenewalInfo?
    /// The transactions that the app has finished.
    private var finished: Set<UInt64> = []
    /// The customer's names in all payloads, also in those that others have replaced.
    private(set) var names = PurchaseNames()

    /// Makes a purchase without any payload.
    init(id: ID) { self.id = id }

    // MARK: - Adding

    /// Adds a transaction of this purchase.
    ///
    /// - Returns: whether the payload brought anything new.
    mutating func add(_ transaction: Transaction) -> Bool {
        names.note(transaction.appAccountToken, transaction.appTransactionID, signed: transaction.signedDate)
        let known = transactionsByID[transaction.id]
        guard known.map({ transaction.isLater(than: $0) }) ?? true else { return false }
        transactionsByID[transaction.id] = transaction
        return known.map { transaction.brings(news: $0) } ?? true
    }

    /// Records that the app has finished a transaction. The transaction itself may be added later.
    mutating func finish(_ transactionID: UInt64) { finished.insert(transactionID) }

    /// Adds the transactions of another record of the same purchase.
    mutating func merge(_ other: PurchaseChain) {
        for transaction in other.transactionsByID.values { _ = add(transaction) }
        names.merge(other.names)
        finished.formUnion(other.finished)
    }

    /// The same purchase under another identifier.
    func renamed(_ id: ID) -> PurchaseChain {
        var chain = self
        chain.id = id
        return chain
    }

    /// Adds renewal information, and takes over the customer's names in it.
    mutating func attach(_ renewalInfo: Product.SubscriptionInfo.RenewalInfo, _ names: PurchaseNames) {
        if self.renewalInfo.map({ renewalInfo.isLater(than: $0) }) ?? true { self.renewalInfo = renewalInfo }
        self.names.merge(names)
    }

    /// The purchase with its latest transactions alone, and with those whose refund covers what was restored later. From the earliest of the latest on, `status(at:)` is the same.
    package func keeping(latest: some Sequence<Transaction>) -> PurchaseChain {
        var chain = self
        chain.transactionsByID = Dictionary(latest.map { ($0.id, $0) }) { first, _ in first }
        for (id, transaction) in transactionsByID
        where id == self.id.originalTransactionID || transaction.revocationDate != nil {
            chain.transactionsByID[id] = transaction
        }
        return chain
    }

    // MARK: - Asking

    /// Whether there is no transaction.
    var isEmpty: Bool { transactionsByID.isEmpty }

    /// The transactions, latest first.
    public var transactions: [Transaction] { transactionsByID.values.sorted { $0.follows($1) } }

    /// The number of transactions.
    package var transactionCount: Int { transactionsByID.count }

    /// The transaction with an identifier.
    public subscript(transactionID: UInt64) -> Transaction? { transactionsByID[transactionID] }

    /// Whether the app has finished a transaction.
    public func isFinished(_ transaction: Transaction) -> Bool { finished.contains(transaction.id) }

    /// All names of the purchase's customer.
    public var customers: [Customer.Name] {
        Customer.names(id.originalTransactionID, names.appAccountToken, names.appTransactionID)
    }

    /// The token that the app gave to identify the customer. The app can set or change it after a purchase.
    /// So it comes from the latest signed payload that has one.
    public var appAccountToken: UUID? { names.appAccountToken }

    /// The identifier of the app's download, from the latest signed payload that has one.
    public var appTransactionID: String? { names.appTransactionID }
}

extension PurchaseChain {
    /// How much later than a given instant a purchase may be and still count, in seconds. The App Store's clock
    /// and the server's differ, and a customer who has just paid must not wait for the difference.
    private static let clockTolerance: TimeInterval = 60

    /// The latest transaction at an instant; `nil` if there was none at that time.
    ///
    /// A purchase up to a minute later counts too, unless an earlier transaction still covers the instant.
    public func latest(at instant: Date) -> Transaction? {
        let past = latest { $0.purchaseDate <= instant }
        if let past, covers(past, instant) { return past }
        return latest { $0.purchaseDate <= instant + Self.clockTolerance } ?? past
    }

    private func latest(where isWanted: (Transaction) -> Bool) -> Transaction? {
        transactionsByID.values.lazy.filter(isWanted).max { $1.follows($0) }
    }

    /// Whether a transaction's own time, and nothing else, gives access at an instant.
    private func covers(_ transaction: Transaction, _ instant: Date) -> Bool {
        !isRevoked(transaction, at: instant) && !isSuperseded(transaction, at: instant)
            && transaction.expirationDate.map { instant < $0 } ?? true
    }

    /// Whether a transaction was already upgraded at an instant.
    ///
    /// Payloads do not give the time of the upgrade. It is the purchase date of the next transaction, if that
    /// is before this transaction's end. Without such a transaction, this one counts as upgraded at every
    /// instant.
    func isSuperseded(_ transaction: Transaction, at instant: Date) -> Bool {
        guard transaction.isUpgraded else { return false }
        let next = transactionsByID.values.lazy.map(\.purchaseDate).filter { $0 > instant }.min()
        guard let next, let end = transaction.expirationDate else { return true }
        return next >= end
    }

    /// Whether the App Store had refunded or revoked a transaction at an instant.
    ///
    /// A refund of a non-consumable covers what was restored from it later, whether the first purchase says so or a copy
    /// that was restored before. The end of Family Sharing covers no copy: the family may share the product again.
    func isRevoked(_ transaction: Transaction, at instant: Date) -> Bool {
        if transaction.isRevoked(at: instant) { return true }
        guard transaction.productType == .nonConsumable else { return false }
        if transactionsByID[id.originalTransactionID]?.isRevoked(at: instant) ?? false { return true }
        return transactionsByID.values.contains { copy in
            copy.ownershipType != .familyShared && copy.purchaseDate <= transaction.purchaseDate
                && copy.isRevoked(at: instant)
        }
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
}

extension Transaction {
    /// The purchase that the payload names.
    var chainID: PurchaseChain.ID {
        PurchaseChain.ID(
            originalTransactionID: originalID, environment: environment, appBundleID: appBundleID)
    }

    /// Whether this transaction took place after another. If both have the same date, the identifiers decide, then
    /// the app and the environment, so that an order of transactions is always the same.
    package func follows(_ other: Transaction) -> Bool {
        (purchaseDate, id, originalID, appBundleID, environment.rawValue)
            > (other.purchaseDate, other.id, other.originalID, other.appBundleID, other.environment.rawValue)
    }

    /// Whether the App Store had refunded or revoked this transaction at an instant.
    func isRevoked(at instant: Date) -> Bool { revocationDate.map { $0 <= instant } ?? false }
}

extension DeviceSignedValue {
    /// Whether this value was signed after another. If both have the same date, one that takes the purchase back
    /// is later, and then their bytes decide. So the order in which payloads arrive never matters.
    func isLater(than other: Self) -> Bool {
        guard signedDate == other.signedDate else { return signedDate > other.signedDate }
        guard signedContent.isRevocation == other.signedContent.isRevocation else {
            return signedContent.isRevocation
        }
        return other.jsonRepresentation.lexicographicallyPrecedes(jsonRepresentation)
    }

    /// Whether this value says anything that another does not, beyond when and for which device it was signed.
    func brings(news other: Self) -> Bool { signedContent.statements != other.signedContent.statements }
}

extension SignedContent {
    private static let revocation = MemberNames(["revocationDate"])

    /// Whether the payload says that the App Store took the purchase back.
    fileprivate var isRevocation: Bool {
        (try? PayloadFields(Array(payloadData), names: Self.revocation))?.has("revocationDate") ?? false
    }

    /// The members that say something about the purchase, by name, each with its value's pieces. The signing
    /// has the others: its date, and the device that it is for.
    fileprivate var statements: [String: [String]] {
        let json = Array(payloadData)
        var reader = JSONReader(0..<json.count)
        var (members, name, depth): ([String: [String]], String, Int) = ([:], "", 0)
        while let event = try? reader.next(in: json.span) {
            switch event {
            case .beginObject, .beginArray: depth += 1
            case .endObject, .endArray: depth -= 1
            default: break
            }
            if depth == 1, case .name(let text) = event {
                name = text.value(in: json.span)
                members[name] = []
            } else {
                members[name]?.append(event.piece(of: json.span))
            }
        }
        for member in ["signedDate", "deviceVerification", "deviceVerificationNonce"] {
            members[member] = nil
        }
        return members
    }
}

extension JSONEvent {
    /// A text that other events do not have.
    fileprivate func piece(of json: Span<UInt8>) -> String {
        switch self {
        case .beginObject: "{"
        case .endObject: "}"
        case .beginArray: "["
        case .endArray: "]"
        case .name(let text): ":" + text.value(in: json)
        case .string(let text): "\"" + text.value(in: json)
        case .number(let range): JSONString(range: range, hasEscapes: false).value(in: json)
        case .true: "true"
        case .false: "false"
        case .null: "null"
        }
    }
}
