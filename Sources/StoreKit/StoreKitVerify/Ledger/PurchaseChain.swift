public import Essentials
internal import WireFormats

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
    private(set) var transactionsByID = TransactionTable()
    /// Other original transactions under which transactions of the purchase were signed, or from which it moved.
    private(set) var otherOriginals: Set<UInt64> = []
    /// The identifier of the latest transaction; `nil` if there is none.
    private var latestID: UInt64?
    private(set) var infos = RenewalInfos()
    /// The grace periods that notifications alone announced, by the end of the period before.
    private(set) var announcedGrace: [Date: AnnouncedGrace] = [:]
    /// Of a purchase as it was known at an instant, the transactions that were replaced later.
    private(set) var notYetReplaced: Set<UInt64> = []
    /// The transactions that the app has finished.
    private var finished: Set<UInt64> = []
    /// Of transactions whose latest payload lacks a name, that name in the latest payload that has it.
    private(set) var formerNames: [UInt64: PurchaseNames] = [:]
    /// The customer's names in renewal information.
    private(set) var infoNames = PurchaseNames()
    /// The customer's names in the whole history of a purchase that moved; `nil` for others.
    private(set) var historyNames: Boxed<PurchaseNames>?

    /// Makes a purchase without any payload.
    init(id: ID) { self.id = id }

    // MARK: - Adding

    /// Adds a transaction of this purchase.
    ///
    /// - Returns: whether the payload brought anything new.
    mutating func add(_ transaction: Transaction) -> Bool {
        if let former = transaction.formerOriginalID { otherOriginals.insert(former) }
        guard let known = transactionsByID[transaction.id] else {
            transactionsByID[transaction.id] = transaction
            if latest.map({ transaction.follows($0) }) ?? true { latestID = transaction.id }
            return true
        }
        if let isNews = transactionsByID.addListed(transaction, known) {
            let counting = transactionsByID[transaction.id] ?? known
            for other in [known, transaction] { keepNames(PurchaseNames(other), of: counting) }
            if counting.purchaseDate != known.purchaseDate { findLatest() }
            return isNews
        }
        guard transaction.isLater(than: known) else {
            keepNames(PurchaseNames(transaction), of: known)
            return false
        }
        transactionsByID[transaction.id] = transaction
        // Payloads may contradict each other.
        if transaction.purchaseDate != known.purchaseDate { findLatest() }
        keepNames(PurchaseNames(known), of: transaction)
        return transaction.brings(news: known)
    }

    private mutating func findLatest() {
        latestID = transactionsByID.values.max { $1.follows($0) }?.id
    }

    /// Keeps names that former payloads of a transaction give, and the latest one does not.
    private mutating func keepNames(_ names: PurchaseNames, of latest: Transaction) {
        var names = names
        if let known = formerNames[latest.id] { names.merge(known) }
        names = names.lacking(in: PurchaseNames(latest))
        formerNames[latest.id] = names.isEmpty ? nil : names
    }

    /// Adds a notification's word that the subscription is in a grace period. Of two about one period, the later
    /// counts.
    ///
    /// - Returns: whether it brought anything new.
    mutating func add(_ grace: AnnouncedGrace) -> Bool {
        let isNews = announcedGrace[grace.periodEnd].map { grace.isLater(than: $0) } ?? true
        if isNews { announcedGrace[grace.periodEnd] = grace }
        return isNews
    }

    /// Records that the app has finished a transaction. The transaction itself may be added later.
    mutating func finish(_ transactionID: UInt64) { finished.insert(transactionID) }

    /// Adds the transactions of another record of the same purchase.
    mutating func merge(_ other: PurchaseChain) {
        for transaction in other.transactionsByID.signings { _ = add(transaction) }
        for grace in other.announcedGrace.values { _ = add(grace) }
        for (id, names) in other.formerNames {
            if let latest = transactionsByID[id] { keepNames(names, of: latest) }
        }
        infoNames.merge(other.infoNames)
        finished.formUnion(other.finished)
        notYetReplaced.formUnion(other.notYetReplaced)
        otherOriginals.formUnion(other.otherOriginals)
    }

    /// Adds a purchase that has a transaction in common with this one.
    mutating func join(_ other: PurchaseChain) {
        merge(other)
        infos.merge(other.infos)
        otherOriginals.insert(other.id.originalTransactionID)
    }

    /// Takes the names of a history of several purchases, of which this is one.
    mutating func takeNames(ofHistory names: PurchaseNames) { historyNames = Boxed(wrappedValue: names) }

    /// The same purchase under another identifier.
    func renamed(_ id: ID) -> PurchaseChain {
        var chain = self
        chain.id = id
        return chain
    }

    /// Adds renewal information, and takes over the customer's names in it.
    mutating func attach(_ infos: RenewalInfos, _ names: PurchaseNames) {
        self.infos.merge(infos)
        infoNames.merge(names)
    }

    /// The purchase with its latest transactions alone, and with those that decide about them: a refund of the
    /// first purchase or of a copy covers what was restored, and several transactions may stand for one period.
    /// From the earliest of the latest on, `status(at:)` is the same.
    package func keeping(latest: some Sequence<Transaction>) -> PurchaseChain {
        var chain = self
        let kept = Set(latest.map(\.id))
        let orders = Set(latest.compactMap(\.webOrderLineItemID))
        let ends = Set(latest.compactMap(\.expirationDate))
        chain.transactionsByID = transactionsByID.filter { transaction in
            kept.contains(transaction.id) || transaction.id == id.originalTransactionID
                || transaction.revocationDate != nil
                || transaction.webOrderLineItemID.map(orders.contains) ?? false
                || transaction.expirationDate.map(ends.contains) ?? false
        }
        chain.findLatest()
        return chain
    }

    /// The purchase as it was known at an instant; `nil` if there was none.
    func known(at instant: Date) -> PurchaseChain? {
        var chain = self
        chain.transactionsByID = transactionsByID.filter { $0.purchaseDate <= instant }
        // What replaced them is known here alone.
        chain.notYetReplaced = Set(
            transactionsByID.values.lazy.filter { $0.isUpgraded && !isSuperseded($0, at: instant) }.map(\.id))
        chain.findLatest()
        chain.announcedGrace = announcedGrace.filter { $0.value.signedDate <= instant }
        chain.infos = infos.known(at: instant)
        return chain.isEmpty ? nil : chain
    }

    // MARK: - Asking

    /// Whether there is no transaction.
    var isEmpty: Bool { transactionsByID.isEmpty }

    /// The latest transaction; `nil` if there is none.
    var latest: Transaction? { latestID.flatMap { transactionsByID[$0] } }

    /// The transactions, latest first.
    public var transactions: [Transaction] { transactionsByID.values.ordered { $0.follows($1) } }

    /// The renewal information that was signed last.
    public var renewalInfo: Product.SubscriptionInfo.RenewalInfo? { infos.latest }

    /// The renewal information that was signed last, and those that are kept of earlier periods, in no order.
    var renewalInfos: [Product.SubscriptionInfo.RenewalInfo] { infos.kept }

    /// The number of transactions.
    package var transactionCount: Int { transactionsByID.count }

    /// The transaction with an identifier.
    public subscript(transactionID: UInt64) -> Transaction? { transactionsByID[transactionID] }

    /// Whether the app has finished a transaction.
    public func isFinished(_ transaction: Transaction) -> Bool { finished.contains(transaction.id) }

    /// All names of the purchase's customer. The payloads about the present period decide, and earlier ones only on names that
    /// these lack.
    public var customers: [Customer.Name] {
        let names = names
        return Customer.names(id.originalTransactionID, names.appAccountToken, names.appTransactionID)
            + otherOriginals.sorted().map(Customer.Name.originalTransactionID)
    }

    /// The token that the app gave to identify the customer. The app can set or change it after a purchase.
    /// So it comes from the latest signed payload that has one.
    public var appAccountToken: UUID? { names.appAccountToken }

    /// The identifier of the app's download, from the latest signed payload that has one.
    public var appTransactionID: String? { names.appTransactionID }
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
    func brings(news other: Self) -> Bool {
        let statements = signedContent.statements
        return statements == nil || statements != other.signedContent.statements
    }
}

extension SignedContent {
    private static let revocation = MemberNames(["revocationDate"])

    /// Whether the payload says that the App Store took the purchase back.
    fileprivate var isRevocation: Bool {
        (try? PayloadFields(Array(payloadData), names: Self.revocation))?.has("revocationDate") ?? false
    }

    /// The members that say something about the purchase. The signing has the others: its date, and the device that
    /// it is for. `nil` if a name occurs twice in an object.
    fileprivate var statements: Set<JSONTree.Member>? {
        let json = Array(payloadData)
        guard let members = try? JSONTree(json.span).members else { return nil }
        let ofSigning = ["signedDate", "deviceVerification", "deviceVerificationNonce"]
        return Set(members.filter { !ofSigning.contains($0.name) })
    }
}
