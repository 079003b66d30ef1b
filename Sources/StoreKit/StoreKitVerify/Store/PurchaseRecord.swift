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
        renewalNames[environment, default: PurchaseNames()].note(
            renewalInfo.appAccountToken, renewalInfo.appTransactionID, signed: renewalInfo.signedDate)
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
        // A part without transactions has finished ones, or announces a grace period of no known purchase.
        let parts = parts.filter { !$0.value.isEmpty }
        let environments = Set(parts.keys.map(\.environment)).union(renewalInfos.keys)
        var merged: [PurchaseChain.ID: PurchaseChain] = [:]
        for (given, part) in parts {
            let id = PurchaseChain.ID(
                originalTransactionID: originalTransactionID,
                environment: Self.environment(given.environment, among: environments),
                appBundleID: given.appBundleID)
            if merged[id] == nil { merged[id] = part.renamed(id) } else { merged[id]?.merge(part) }
        }
        for (given, infos) in renewalInfos {
            let environment = Self.environment(given, among: environments)
            for id in merged.keys where id.environment == environment {
                merged[id]?.attach(infos, renewalNames[given] ?? PurchaseNames())
            }
        }
        return Array(merged.values)
    }

    private static func environment(
        _ given: AppStore.Environment, among all: Set<AppStore.Environment>
    ) -> AppStore.Environment {
        let named = all.filter { !$0.rawValue.isEmpty }
        guard given.rawValue.isEmpty, named.count == 1 else { return given }
        return named.first ?? given
    }

    /// All names of the customers of these purchases. Several apps or environments may have one each.
    var names: Set<Customer.Name> {
        var names: Set<Customer.Name> = [.originalTransactionID(originalTransactionID)]
        for part in parts.values { part.names.insert(into: &names) }
        for renewal in renewalNames.values { renewal.insert(into: &names) }
        return names
    }
}

/// The names that payloads give to a purchase's customer: of each kind, the one in the payload that was signed
/// last. An app can set or change its token after the purchase.
struct PurchaseNames: Hashable, Sendable {
    private struct Named<Name: Hashable & Sendable>: Hashable, Sendable {
        let name: Name
        let signedDate: Date
    }

    private var token: Named<UUID>?
    private var download: Named<String>?

    var appAccountToken: UUID? { token?.name }
    var appTransactionID: String? { download?.name }

    mutating func note(_ token: UUID?, _ download: String, signed date: Date) {
        if let token { Self.note(Named(name: token, signedDate: date), in: &self.token) }
        if !download.isEmpty { Self.note(Named(name: download, signedDate: date), in: &self.download) }
    }

    mutating func merge(_ other: PurchaseNames) {
        if let token = other.token { Self.note(token, in: &self.token) }
        if let download = other.download { Self.note(download, in: &self.download) }
    }

    /// Of two names of the same date, the order of their texts decides: the order of arrival must not.
    private static func note<Name: CustomStringConvertible>(_ new: Named<Name>, in known: inout Named<Name>?)
    {
        guard let old = known, old != new else { return known = new }
        let isLater =
            new.signedDate == old.signedDate
            ? new.name.description > old.name.description : new.signedDate > old.signedDate
        if isLater { known = new }
    }

    func insert(into names: inout Set<Customer.Name>) {
        if let token = appAccountToken { names.insert(.appAccountToken(token)) }
        if let download = appTransactionID { names.insert(.appTransactionID(download)) }
    }
}
