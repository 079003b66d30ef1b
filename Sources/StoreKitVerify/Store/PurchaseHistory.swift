#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A customer's purchases, and the entitlements that follow from them.
///
/// Verified payloads may be added in any order and any number of times: the history is the same.
public struct PurchaseHistory: Hashable, Sendable {
    private var chains: [PurchaseChain.ID: PurchaseChain] = [:]

    /// Makes an empty history.
    public init() {}

    /// Makes a history of these purchases.
    public init(_ chains: some Sequence<PurchaseChain>) {
        for chain in chains {
            self.chains[chain.id, default: PurchaseChain(id: chain.id)].merge(chain)
        }
    }

    // MARK: - Adding

    /// Adds a transaction.
    ///
    /// - Returns: whether the payload brought anything new.
    /// - Throws: the reason why the transaction is unverified. It is then not added.
    @discardableResult
    public mutating func add(
        _ transaction: VerificationResult<Transaction>
    ) throws(VerificationResult<Transaction>.VerificationError) -> Bool {
        let transaction = try transaction.payloadValue
        return self[transaction.chainID].add(transaction)
    }

    /// Adds renewal information. It takes effect when the history has a transaction of the same purchase.
    ///
    /// - Returns: whether the payload brought anything new.
    /// - Throws: the reason why the information is unverified. It is then not added.
    @discardableResult
    public mutating func add(
        _ renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>
    ) throws(VerificationResult<Product.SubscriptionInfo.RenewalInfo>.VerificationError) -> Bool {
        let renewalInfo = try renewalInfo.payloadValue
        return self[renewalInfo.chainID].add(renewalInfo)
    }

    /// Records that the app has finished a transaction.
    public mutating func finish(_ transaction: Transaction) {
        self[transaction.chainID].finish(transaction.id)
    }

    private subscript(id: PurchaseChain.ID) -> PurchaseChain {
        get { chains[id] ?? PurchaseChain(id: id) }
        set { chains[id] = newValue }
    }

    // MARK: - Asking

    /// The purchases.
    public var purchases: [PurchaseChain] { Array(chains.values) }

    /// All transactions, latest first.
    ///
    /// - Parameter includingFinishedConsumables: whether to include consumables that the app has finished.
    ///   StoreKit on a device leaves them out.
    public func all(includingFinishedConsumables: Bool = false) -> [Transaction] {
        transactions { transaction, isFinished in
            includingFinishedConsumables || transaction.productType != .consumable || !isFinished
        }
    }

    /// The transactions that the app has not finished, latest first.
    public var unfinished: [Transaction] { transactions { !$1 } }

    /// The latest transaction of a product; `nil` if there is none.
    public func latest(for productID: String) -> Transaction? {
        transactions { transaction, _ in transaction.productID == productID }.first
    }

    /// The transactions that entitle the customer to a product at an instant, latest first.
    ///
    /// The rules are those of Apple's page on `currentEntitlements`. The result has:
    ///
    /// - each non-consumable;
    /// - the latest transaction of each auto-renewable subscription that is subscribed or in a grace period;
    /// - the latest transaction of each non-renewing subscription, finished or not: only the app knows how
    ///   long the subscription lasts.
    ///
    /// Refunded, revoked and upgraded transactions are left out, and so are consumables.
    public func currentEntitlements(at instant: Date) -> [Transaction] {
        var entitling: [Transaction] = []
        var nonRenewing: [String: Transaction] = [:]
        for chain in chains.values {
            guard let latest = chain.latest(at: instant), !latest.isRevoked(at: instant),
                !chain.isUpgraded(latest, at: instant)
            else { continue }
            switch latest.productType {
            case .nonConsumable: entitling.append(latest)
            case .autoRenewable:
                let renewalInfo = chain.renewalInfo(at: instant)
                let state = Product.SubscriptionInfo.RenewalState(
                    of: latest, renewalInfo: renewalInfo, at: instant)
                if state.isEntitled { entitling.append(latest) }
            case .nonRenewable:
                // Each purchase of a non-renewing subscription is its own chain.
                let known = nonRenewing[latest.productID]
                if known.map({ latest.follows($0) }) ?? true { nonRenewing[latest.productID] = latest }
            default: break
            }
        }
        return (entitling + nonRenewing.values).sorted { $0.follows($1) }
    }

    /// The transactions that entitle the customer to one product at an instant, latest first. There may be
    /// several, for instance one that the customer bought and one that the family shares.
    public func currentEntitlements(for productID: String, at instant: Date) -> [Transaction] {
        currentEntitlements(at: instant).filter { $0.productID == productID }
    }

    /// The statuses of the auto-renewable subscriptions. Subscriptions without renewal information are left
    /// out.
    ///
    /// - Parameters:
    ///   - groupID: the subscription group; `nil` for all.
    ///   - instant: the time of the statuses.
    public func statuses(
        for groupID: String? = nil, at instant: Date
    ) -> [Product.SubscriptionInfo.Status] {
        let latest = chains.values.compactMap { chain in
            chain.latest(at: instant).map { (transaction: $0, renewalInfo: chain.renewalInfo(at: instant)) }
        }.sorted { $0.transaction.follows($1.transaction) }
        return latest.compactMap { transaction, renewalInfo in
            guard let renewalInfo, transaction.productType == .autoRenewable,
                groupID == nil || transaction.subscriptionGroupID == groupID
            else { return nil }
            return try? Product.SubscriptionInfo.Status(
                transaction: .verified(transaction), renewalInfo: .verified(renewalInfo), at: instant)
        }
    }

    private func transactions(where isWanted: (Transaction, _ isFinished: Bool) -> Bool) -> [Transaction] {
        chains.values.flatMap { chain in
            chain.transactions.filter { isWanted($0, chain.isFinished($0)) }
        }.sorted { $0.follows($1) }
    }
}

extension Transaction {
    /// Whether the App Store had refunded or revoked the transaction at an instant.
    func isRevoked(at instant: Date) -> Bool { revocationDate.map { $0 <= instant } ?? false }
}
