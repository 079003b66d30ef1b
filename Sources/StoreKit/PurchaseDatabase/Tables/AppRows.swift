#if SQLite
    internal import GRDB

    /// The table `app`: an app in an environment, as payloads name it.
    struct AppRows {
        private let db: Database

        init(_ db: Database) { self.db = db }

        /// The number of an app, which gets one if the file has not seen it.
        func id(of app: StoredPayload.App) throws -> Int64 {
            let find = try db.cachedStatement(
                sql: "SELECT id FROM app WHERE bundleID = ? AND environment = ?")
            if let id = try Int64.fetchOne(find, arguments: [app.bundleID, app.environment]) { return id }
            try db.cachedStatement(sql: "INSERT INTO app (bundleID, environment) VALUES (?, ?)").execute(
                arguments: [app.bundleID, app.environment])
            return db.lastInsertedRowID
        }
    }
#endif
