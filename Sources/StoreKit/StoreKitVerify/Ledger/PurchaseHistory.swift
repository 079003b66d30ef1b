public import Essentials

/// Purchases, and the entitlements that follow from them. A store gives the history of one customer.
///
/// Verified payloads may be added in any order and any number of times: the history is the same.
public struct PurchaseHistory: Hashable, Sendable {
    private var records: [UInt64: PurchaseRecord] = [:]
    private var downloads = Downloads()
    /// The seats of other customers' subscriptions that the customer was given.
    public private(set) var claimedSeats: Set<ClaimedSeat> = []

    /// Makes an empty history.
    public init() {}

    /// Makes a history of these purchases and app transactions.
    public init(
        _ chains: some Sequence<PurchaseChain>, _ appTransactions: [AppTransaction] = [],
        claimedSeats: Set<ClaimedSeat> = []
    ) {
        self.claimedSeats = claimedSeats
        for chain in chains { record(chain.id.originalTransactionID) { $0.merge(chain) } }
        for appTransaction in appTransactions { _ = downloads.add(appTransaction) }
    }

    // MARK: - Adding

    /// Adds a transaction, in constant time.
    ///
    /// - Returns: whether the payload brought anything new. The same transaction, signed again, does not.
    /// - Throws: the reason why the transaction is unverified. It is then not added.
    @discardableResult
    public mutating func add(
        _ transaction: VerificationResult<Transaction>
    ) throws(VerificationResult<Transaction>.VerificationError) -> Bool {
        let transaction = try transaction.payloadValue
        return record(transaction.originalID) { $0.add(transaction) }
    }

    /// Adds renewal information, in constant time. It takes effect when the history has a transaction of the
    /// same purchase.
    ///
    /// - Returns: whether the payload brought anything new.
    /// - Throws: the reason why the information is unverified. It is then not added.
    @discardableResult
    public mutating func add(
        _ renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>
    ) throws(VerificationResult<Product.SubscriptionInfo.RenewalInfo>.VerificationError) -> Bool {
        let renewalInfo = try renewalInfo.payloadValue
        return record(renewalInfo.originalTransactionID) { $0.add(renewalInfo) }
    }

    /// Adds an app transaction, in constant time.
    ///
    /// - Returns: whether the payload brought anything new.
    /// - Throws: the reason why it is unverified. It is then not added.
    @discardableResult
    public mutating func add(
        _ appTransaction: VerificationResult<AppTransaction>
    ) throws(VerificationResult<AppTransaction>.VerificationError) -> Bool {
        downloads.add(try appTransaction.payloadValue)
    }

    /// Adds a notification's word that a subscription is in a grace period, in constant time. It takes effect when the
    /// history has the transaction of the period before.
    ///
    /// - Returns: whether it brought anything new.
    @discardableResult
    public mutating func add(_ grace: AnnouncedGrace) -> Bool {
        record(grace.purchase.originalTransactionID) { $0.add(grace) }
    }

    /// Adds a seat of another customer's subscription.
    package mutating func add(_ seat: ClaimedSeat) { claimedSeats.insert(seat) }

    /// Records that the app has finished a transaction.
    public mutating func finish(_ transaction: Transaction) {
        finish(transaction.id, of: transaction.chainID)
    }

    /// Records that the app has finished a transaction of a purchase.
    package mutating func finish(_ transactionID: UInt64, of id: PurchaseChain.ID) {
        record(id.originalTransactionID) { $0.finish(transactionID, of: id) }
    }

    /// Takes out all that is known of a purchase, because some of it cannot be read.
    package mutating func remove(purchase original: UInt64) { records[original] = nil }

    /// Takes out the app transactions of a download.
    package mutating func remove(download identifier: String) { downloads.remove(identifier) }

    /// Changes a record in place. A copy of it would make adding quadratic.
    private mutating func record<Success>(
        _ id: UInt64, _ change: (inout PurchaseRecord) -> Success
    ) -> Success { change(&records[id, default: PurchaseRecord(id)]) }

    // MARK: - Asking

    /// The purchases that moved to another one of this history.
    package var movedPurchases: Set<PurchaseChain.ID> {
        let purchases = purchases
        let moves = PurchaseMoves(purchases)
        guard !moves.isEmpty else { return [] }
        let known = Set(purchases.map(\.id))
        return known.filter { moves.concern($0) && !moves.following($0).isDisjoint(with: known) }
    }

    /// The purchases. Those that have a transaction in common are one, under the original transaction that was signed last. The
    /// time is linear in the number of transactions.
    public var purchases: [PurchaseChain] {
        records.values.flatMap(\.chains).joiningShared { records[$0] != nil }.namingMoved()
    }

    /// The app transactions, earliest first: they tell which app the customer got first, and when.
    public var appTransactions: [AppTransaction] { downloads.all }

    /// The purchase that a transaction belongs to; `nil` if the history does not have it.
    public func purchase(of transaction: Transaction) -> PurchaseChain? {
        func isIn(_ chain: PurchaseChain) -> Bool {
            chain.id.appBundleID == transaction.appBundleID && chain[transaction.id] != nil
                && (transaction.environment.rawValue.isEmpty
                    || chain.id.environment == transaction.environment)
        }
        // As a rule it is found at once. It may be known under another original transaction.
        return records[transaction.originalID]?.chains.first(where: isIn) ?? purchases.first(where: isIn)
    }

    /// The original transactions that the payloads of a purchase name as former ones.
    package func formerOriginals(of original: UInt64) -> Set<UInt64> {
        (records[original]?.chains ?? []).reduce(into: []) { $0.formUnion($1.otherOriginals) }
    }

    /// Whether there is a transaction of a purchase.
    package func hasPurchase(_ original: UInt64) -> Bool { !(records[original]?.chains.isEmpty ?? true) }

    /// The purchases of an app in an environment.
    ///
    /// - Throws: `SeveralAppsError` if the selection means the only app, and there are several.
    public func purchases(of selection: AppSelection) throws(SeveralAppsError) -> PurchaseHistory {
        let chains = purchases.filter { selection.includes($0.id.appBundleID, $0.id.environment) }
        let appTransactions = appTransactions.filter { selection.includes($0.bundleID, $0.environment) }
        let seats = claimedSeats.filter {
            selection.includes($0.purchase.id.appBundleID, $0.purchase.id.environment)
        }
        let apps = Set(chains.map(\.id.appBundleID)).union(appTransactions.map(\.bundleID))
            .union(seats.map(\.purchase.id.appBundleID))
        guard !selection.isOneApp || apps.count <= 1 else {
            throw SeveralAppsError(bundleIDs: apps.sorted())
        }
        return PurchaseHistory(chains, appTransactions, claimedSeats: seats)
    }

    /// The purchases as they were known at an instant: they give the answers of a server at that time.
    ///
    /// Renewal information and announcements that were signed later do not count. Transactions count from their
    /// purchase date on, also if they are known in a later signing alone: a refund has its own date. So ask about
    /// the same instant.
    public func known(at instant: Date) -> PurchaseHistory {
        PurchaseHistory(
            purchases.compactMap { $0.known(at: instant) },
            appTransactions.filter { $0.signedDate <= instant },
            claimedSeats: Set(
                claimedSeats.compactMap { seat in
                    seat.purchase.known(at: instant).map { ClaimedSeat(seat.claim, of: $0) }
                }))
    }

    /// All transactions, latest first.
    ///
    /// As on a device (StoreKit's `Transaction.all`), these are left out: consumables that the app has finished,
    /// unless they were refunded or revoked, non-renewing subscriptions that the app has finished, and
    /// non-consumables that were bought again or restored. The first purchase stands for those. `purchases` has
    /// every transaction.
    ///
    /// - Parameter includingFinishedConsumables: whether to include all consumables that the app has finished.
    public func all(includingFinishedConsumables: Bool = false) -> [Transaction] {
        transactions { chain, transaction in
            switch transaction.productType {
            case .consumable:
                includingFinishedConsumables || !chain.isFinished(transaction)
                    || transaction.revocationDate != nil
            case .nonRenewable: !chain.isFinished(transaction)
            case .nonConsumable: transaction == chain.first
            default: true
            }
        }
    }

    /// The transactions that the app has not finished, latest first.
    public var unfinished: [Transaction] { transactions { !$0.isFinished($1) } }

    /// The latest transaction of a product; `nil` if there is none.
    public func latest(for productID: String) -> Transaction? {
        transactions { $1.productID == productID }.first
    }

    /// The transactions that entitle the customer to a product at an instant, latest first.
    ///
    /// The rules are those of Apple's page on `currentEntitlements`; <doc:WhenIsACustomerEntitled> has them all.
    /// The result has the latest transaction of each product, and of each way to own it:
    ///
    /// - non-consumables;
    /// - auto-renewable subscriptions that are subscribed or in a grace period;
    /// - non-renewing subscriptions, finished or not: only the app knows how long such a subscription lasts.
    ///
    /// Refunded, revoked and upgraded transactions are left out, and so are consumables, and subscriptions that
    /// became part of another one (`previousOriginalTransactionID`) to which the customer is entitled too. A seat
    /// of another customer's subscription gives that customer's transaction.
    ///
    /// The answer about an instant in the past uses all that is known today. `known(at:)` gives the purchases as
    /// they were known then.
    public func currentEntitlements(at instant: Date) -> [Transaction] {
        entitlements(at: instant).map(\.transaction)
    }

    /// The current entitlements, each with the state of the subscription and with its renewal information.
    public func entitlements(at instant: Date) -> [PurchaseStatus] {
        var latest: [Ownership: PurchaseStatus] = [:]
        let own = purchaseStatuses(at: instant)
        let seats = claimedSeats.compactMap { seat in
            seat.status(at: instant).map { (id: seat.purchase.id, status: $0) }
        }
        for (id, status) in own + seats {
            guard status.isEntitled else { continue }
            let ownership = Ownership(
                productID: status.transaction.productID, type: status.transaction.ownershipType,
                isSeat: status.seatClaim != nil, appBundleID: id.appBundleID, environment: id.environment)
            if let known = latest[ownership], known.transaction.follows(status.transaction) { continue }
            latest[ownership] = status
        }
        return latest.values.ordered { $0.transaction.follows($1.transaction) }
    }

    /// The statuses of the purchases, without those that moved to another one which gives access. What is left of them counts
    /// again when that one has ended, unless a payload took it back.
    package func purchaseStatuses(at instant: Date) -> [(id: PurchaseChain.ID, status: PurchaseStatus)] {
        let purchases = purchases
        let moves = PurchaseMoves(purchases)
        let all = purchases.compactMap { chain in
            chain.statusNow(at: instant).map { (id: chain.id, status: $0) }
        }
        guard !moves.isEmpty else { return all }
        let entitled = Dictionary(all.filter(\.status.isEntitled).map { ($0.id, $0.status) }) { one, _ in one
        }
        return all.filter { id, status in
            !moves.following(id).contains { entitled[$0]?.transaction.follows(status.transaction) ?? false }
        }
    }

    /// A product, and how a customer owns it.
    private struct Ownership: Hashable {
        let productID: String
        let type: Transaction.OwnershipType
        let isSeat: Bool
        let appBundleID: String
        let environment: AppStore.Environment
    }

    /// The transactions that entitle the customer to one product at an instant, latest first. There may be
    /// several, for instance one that the customer bought and one that the family shares.
    public func currentEntitlements(for productID: String, at instant: Date) -> [Transaction] {
        currentEntitlements(at: instant).filter { $0.productID == productID }
    }

    /// The statuses of the auto-renewable subscriptions, latest purchase first.
    ///
    /// A subscription that became part of another one (`previousOriginalTransactionID`) has that one's status, as long as it
    /// gives access.
    ///
    /// StoreKit's `Status` has renewal information. If the history has none for a subscription, the status has
    /// an unverified value there, which repeats the transaction's identifiers, and the state follows from the
    /// transaction alone.
    ///
    /// - Parameters:
    ///   - groupID: the subscription group; `nil` for all.
    ///   - instant: the time of the statuses.
    public func statuses(
        for groupID: String? = nil, at instant: Date
    ) -> [Product.SubscriptionInfo.Status] {
        purchaseStatuses(at: instant).map(\.status)
            .filter { groupID == nil || $0.transaction.subscriptionGroupID == groupID }
            .ordered { $0.transaction.follows($1.transaction) }
            .compactMap(Product.SubscriptionInfo.Status.init)
    }

    /// Whether the customer may use an introductory offer in a subscription group at an instant, as far as these
    /// purchases tell.
    ///
    /// An Apple Account may use one in each group, and an existing subscriber of the group may not begin one. A
    /// subscription whose bill is open is an existing one: the App Store may still renew it. What the family shares, or
    /// an organization or a group has assigned, is not the customer's own purchase.
    ///
    /// - Parameters:
    ///   - groupID: the subscription group.
    ///   - instant: the time of the question. An offer that was used later counts as used all the same.
    public func isEligibleForIntroOffer(for groupID: String, at instant: Date) -> Bool {
        let used = transactions { $1.offer?.type == .introductory && $1.isOwn(in: groupID) }
        return used.isEmpty && !isSubscriber(of: groupID, at: instant)
    }

    /// Whether the customer has a subscription of their own in a group, which may renew.
    private func isSubscriber(of groupID: String, at instant: Date) -> Bool {
        purchaseStatuses(at: instant).map(\.status).contains { status in
            status.transaction.isOwn(in: groupID)
                && (status.isEntitled || status.state == .inBillingRetryPeriod)
        }
    }

    private func transactions(where isWanted: (PurchaseChain, Transaction) -> Bool) -> [Transaction] {
        purchases.flatMap { chain in chain.transactions.filter { isWanted(chain, $0) } }
            .ordered { $0.follows($1) }
    }
}

extension Transaction {
    /// Whether the customer bought this subscription of a group: it is neither shared nor assigned.
    fileprivate func isOwn(in groupID: String) -> Bool {
        subscriptionGroupID == groupID && isOwners
    }
}
