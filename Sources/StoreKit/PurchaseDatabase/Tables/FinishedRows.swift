#if SQLite
    internal import GRDB
    internal import StoreKitVerify

    /// The table `finished`: the transactions that an app has finished.
    ///
    /// These rows have no signature: a changed file can only repeat or hide a delivery by them.
    struct FinishedRows {
        private let db: Database

        init(_ db: Database) { self.db = db }

        /// Records that an app has finished a transaction. Repeating it changes nothing.
        ///
        /// - Parameter app: its number in the file.
        func add(_ transaction: UInt64, of original: UInt64, app: Int64) throws {
            try db.cachedStatement(sql: "INSERT INTO finished VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
                .execute(
                    arguments: [Int64(bitPattern: original), Int64(bitPattern: transaction), app])
        }

        /// Adds the finished transactions to a history: of one purchase, or of all (`nil`).
        func add(_ subject: DatabaseValue?, to history: inout PurchaseHistory) throws {
            let find = try db.cachedStatement(
                sql: """
                    SELECT finished.subject, finished.item, app.bundleID, app.environment
                    FROM finished JOIN app ON app.id = finished.app
                    """ + (subject == nil ? "" : " WHERE finished.subject = ?"))
            let rows = try Row.fetchCursor(find, arguments: subject.map { [$0] } ?? [])
            while let row = try rows.next() {
                history.finish(
                    UInt64(bitPattern: try row.decode(Int64.self, atIndex: 1)),
                    of: PurchaseChain.ID(
                        originalTransactionID: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 0)),
                        environment: AppStore.Environment(rawValue: try row.decode(String.self, atIndex: 3)),
                        appBundleID: try row.decode(String.self, atIndex: 2)))
            }
        }
    }
#endif
