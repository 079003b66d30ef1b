#if SQLite
    import Foundation
    import GRDB
    import SignedPayloads
    import StoreKitFixtures
    import StoreKitVerify
    import StoreKitVerifySQLite

    /// A folder with a store's file.
    final class DatabaseFolder: Sendable {
        let url: URL
        /// The store's file.
        let path: String

        init() throws {
            url = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            path = url.appending(path: "purchases.db").path
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        func open(isReadOnly: Bool = false) throws -> SQLiteTransactionStore {
            try SQLiteTransactionStore(
                path: path, verifier: Signed.verifier().payloadVerifier, isReadOnly: isReadOnly)
        }

        /// Looks into the file, or changes it, as any program could.
        func inspect<Success>(_ body: (Database) throws -> Success) throws -> Success {
            var configuration = Configuration()
            configuration.foreignKeysEnabled = false
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.write(body)
        }

        /// The number of a table's rows.
        func count(_ table: String) throws -> Int {
            try inspect { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 }
        }
    }
#endif
