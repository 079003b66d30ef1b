/// App transactions, by the identifier of the download: of each app and environment, the one that was signed last.
struct Downloads: Hashable, Sendable {
    private struct App: Hashable, Sendable {
        let bundleID: String
        let environment: AppStore.Environment
    }

    private var latest: [String: [App: AppTransaction]] = [:]

    /// Adds an app transaction. Returns whether it brought anything new.
    mutating func add(_ appTransaction: AppTransaction) -> Bool {
        let app = App(bundleID: appTransaction.bundleID, environment: appTransaction.environment)
        let known = latest[appTransaction.appTransactionID]?[app]
        guard known.map({ appTransaction.isLater(than: $0) }) ?? true else { return false }
        latest[appTransaction.appTransactionID, default: [:]][app] = appTransaction
        return known.map { appTransaction.brings(news: $0) } ?? true
    }

    /// Takes out a download.
    mutating func remove(_ identifier: String) { latest[identifier] = nil }

    /// The app transactions of some downloads, earliest first.
    func appTransactions(of identifiers: some Sequence<String>) -> [AppTransaction] {
        identifiers.flatMap { (latest[$0] ?? [:]).values }.ordered { $0.precedes($1) }
    }

    /// All app transactions, earliest first.
    var all: [AppTransaction] { appTransactions(of: latest.keys) }
}

extension AppTransaction {
    /// Whether the customer got the app earlier than another. If both have the same date, their names decide.
    fileprivate func precedes(_ other: AppTransaction) -> Bool {
        (originalPurchaseDate, appTransactionID, bundleID, environment.rawValue)
            < (other.originalPurchaseDate, other.appTransactionID, other.bundleID, other.environment.rawValue)
    }
}
