#if SQLite
    package import Foundation
    package import GRDB
    internal import Minting
    package import PurchaseDatabase
    internal import SignedPayloads
    internal import StoreKitFixtures
    internal import StoreKitVerify

    /// A folder with a store's file.
    package final class DatabaseFolder: Sendable {
        package let url: URL
        /// The store's file.
        package let path: String

        package init() throws {
            url = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            path = url.appending(path: "purchases.db").path
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        package func open(isReadOnly: Bool = false) throws -> SQLiteTransactionStore {
            try SQLiteTransactionStore(
                path: path, verifier: Signed.verifier().payloads, isReadOnly: isReadOnly)
        }

        /// Looks into the file, or changes it, as any program could.
        package func inspect<Success>(_ body: (Database) throws -> Success) throws -> Success {
            var configuration = Configuration()
            configuration.foreignKeysEnabled = false
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.write(body)
        }

        /// The number of a table's rows.
        package func count(_ table: String) throws -> Int {
            try inspect { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 }
        }
    }

    extension DatabaseFolder {
        /// Writes the root of the payloads' chains for a process.
        package func writeRoot() throws -> URL {
            let root = url.appending(path: "root.der")
            try Data(TestPKI.p256().root.der()).write(to: root)
            return root
        }

        /// The process that tests kill, with a mode and what follows the database and the root.
        package func process(_ mode: String, _ arguments: [String]) throws -> Process {
            let process = Process()
            process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appending(path: "apply-lines")
            process.arguments = [mode, path, try writeRoot().path] + arguments
            return process
        }
    }
#endif
