internal import Essentials

/// The payloads that were received about one original transaction, of any app and environment.
///
/// Payloads may be added in any order and any number of times: the record is the same. Adding one takes
/// constant time, except for a payload that was known in another signing.
struct PurchaseRecord: Hashable, Sendable {
    private let originalTransactionID: UInt64
    /// The transactions of each app and environment, as the payloads give them.
    private var parts: [PurchaseChain.ID: PurchaseChain] = [:]
    /// The renewal information of each environment. It names no app.
    private var renewalInfos: [AppStore.Environment: RenewalInfos] = [:]
    /// The names that any renewal information gave.
    private var renewalNames: [AppStore.Environment: PurchaseNames] = [:]

    init(_ originalTransactionID: UInt64) { self.originalTransactionID = originalTransactionID }

    // MARK: - Adding

    /// Adds a transaction. Returns whether it brought anything new.
    mutating func add(_ transaction: Transaction) -> Bool {
        let id = transaction.chainID
        return parts[id, default: PurchaseChain(id: id)].add(transaction)
    }

    /// Adds renewal information. Returns whether it brought anything new.
    mutating func add(_ renewalInfo: Product.SubscriptionInfo.RenewalInfo) -> Bool {
        let environment = renewalInfo.environment
        renewalNames[environment, default: PurchaseNames()].merge(
            PurchaseNames(
                renewalInfo.appAccountToken, renewalInfo.appTransactionID, signed: renewalInfo.signedDate))
        return renewalInfos[environment, default: RenewalInfos()].add(renewalInfo)
    }

    /// Adds a notification's word that the subscription is in a grace period. Returns whether it brought anything new.
    mutating func add(_ grace: AnnouncedGrace) -> Bool {
        parts[grace.purchase, default: PurchaseChain(id: grace.purchase)].add(grace)
    }

    /// Records that the app has finished a transaction. The transaction itself may be added later.
    mutating func finish(_ transactionID: UInt64, of id: PurchaseChain.ID) {
        parts[id, default: PurchaseChain(id: id)].finish(transactionID)
    }

    /// Adds all payloads of a purchase.
    mutating func merge(_ chain: PurchaseChain) {
        parts[chain.id, default: PurchaseChain(id: chain.id)].merge(chain)
        for renewalInfo in chain.renewalInfos { _ = add(renewalInfo) }
    }

    // MARK: - Asking

    /// The purchases, one for each app and environment.
    ///
    /// Transactions of before 2022 give no environment. If all other payloads about the purchase give the same
    /// one, it is theirs too.
    var chains: [PurchaseChain] {
        let environments = Set(parts.lazy.filter { !$0.value.isEmpty }.map(\.key.environment))
            .union(renewalInfos.keys)
        var merged: [PurchaseChain.ID: PurchaseChain] = [:]
        for (given, part) in parts {
            let id = PurchaseChain.ID(
                originalTransactionID: originalTransactionID,
                environment: Self.environment(given.environment, among: environments),
                appBundleID: given.appBundleID)
            if merged.index(forKey: id) == nil {
                merged[id] = part.renamed(id)
            } else {
                merged[id]?.merge(part)
            }
        }
        for (given, infos) in renewalInfos {
            let environment = Self.environment(given, among: environments)
            for id in merged.keys where id.environment == environment {
                merged[id]?.attach(infos, renewalNames[given] ?? PurchaseNames())
            }
        }
        // A part without transactions has finished ones, or announces a grace period, of no known purchase.
        return merged.values.filter { !$0.isEmpty }
    }

    private static func environment(
        _ given: AppStore.Environment, among all: Set<AppStore.Environment>
    ) -> AppStore.Environment {
        let named = all.filter { !$0.rawValue.isEmpty }
        guard given.rawValue.isEmpty, named.count == 1 else { return given }
        return named.first ?? given
    }
}
