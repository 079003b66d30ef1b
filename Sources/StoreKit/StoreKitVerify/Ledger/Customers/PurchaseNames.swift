internal import Essentials

/// The names that payloads give to a purchase's customer: of each kind, the one in the payload that was signed last.
///
/// An app can set or change its token after the purchase (Set App Account Token).
struct PurchaseNames: Hashable, Sendable {
    private struct Named<Name: Hashable & Sendable>: Hashable, Sendable {
        let name: Name
        let signedDate: Date
    }

    private var token: Named<UUID>?
    private var download: Named<String>?

    /// No names.
    init() {}

    /// The names that a payload gives.
    init(_ token: UUID?, _ download: String, signed date: Date) {
        self.token = token.map { Named(name: $0, signedDate: date) }
        self.download = download.isEmpty ? nil : Named(name: download, signedDate: date)
    }

    init(_ transaction: Transaction) {
        self.init(
            transaction.appAccountToken, transaction.appTransactionID, signed: transaction.signedDate)
    }

    var appAccountToken: UUID? { token?.name }
    var appTransactionID: String? { download?.name }
    var isEmpty: Bool { token == nil && download == nil }
    var isComplete: Bool { token != nil && download != nil }

    /// Adds the names of other payloads about the same.
    mutating func merge(_ other: PurchaseNames) {
        Self.note(other.token, in: &token)
        Self.note(other.download, in: &download)
    }

    /// Of two names of the same date, the order of their texts decides: the order of arrival must not.
    private static func note<Name: CustomStringConvertible>(_ new: Named<Name>?, in known: inout Named<Name>?)
    {
        guard let new else { return }
        guard let old = known else { return known = new }
        let isLater =
            new.signedDate == old.signedDate
            ? new.name.description > old.name.description : new.signedDate > old.signedDate
        if isLater { known = new }
    }

    /// Takes the kinds of names that are missing here from payloads that decide less.
    mutating func complete(with other: PurchaseNames) {
        token = token ?? other.token
        download = download ?? other.download
    }

    /// Only the names of payloads that were signed at an instant or later.
    func signed(since instant: Date) -> PurchaseNames {
        var names = self
        if let token, token.signedDate < instant { names.token = nil }
        if let download, download.signedDate < instant { names.download = nil }
        return names
    }

    /// Only the kinds of names that another lacks.
    func lacking(in other: PurchaseNames) -> PurchaseNames {
        var names = self
        if other.token != nil { names.token = nil }
        if other.download != nil { names.download = nil }
        return names
    }
}

/// Whose a purchase is.
extension PurchaseChain {
    /// The names of the purchase's customer.
    ///
    /// Two accounts of an app may use one Apple Account, one after the other. So the payloads about the present period decide,
    /// whenever they were signed: those of its transactions, and of these the one that was signed last; then the renewal
    /// information that was signed in that period. An earlier period decides only on names that the present one lacks, as
    /// when a renewal has no token. An old transaction that is signed again changes nothing. Of a purchase that moved, the whole
    /// history has one customer.
    var names: PurchaseNames {
        if let historyNames { return historyNames.wrappedValue }
        guard let present = latest else { return infoNames }
        var names = self.names(of: present)
        if present.additionalTransactionReason != nil {
            for other in period(of: present, at: .distantFuture) { names.merge(self.names(of: other)) }
        }
        names.complete(with: infoNames.signed(since: present.purchaseDate))
        if !names.isComplete { completeFromEarlierPeriods(&names) }
        return names
    }

    private func completeFromEarlierPeriods(_ names: inout PurchaseNames) {
        let missing = names
        let named = transactionsByID.values.filter {
            !self.names(of: $0).lacking(in: missing).isEmpty
        }
        for transaction in named.ordered(by: { $0.follows($1) }) {
            names.complete(with: infoNames.signed(since: transaction.purchaseDate))
            names.complete(with: self.names(of: transaction))
        }
        names.complete(with: infoNames)
    }

    private func names(of transaction: Transaction) -> PurchaseNames {
        var names = PurchaseNames(transaction)
        if let former = formerNames[transaction.id] { names.complete(with: former) }
        return names
    }
}
