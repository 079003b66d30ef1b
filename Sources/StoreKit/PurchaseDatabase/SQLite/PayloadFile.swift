#if SQLite
    internal import Foundation
    internal import GRDB
    internal import Platform
    internal import Synchronization

    /// The file: one writer, many readers, and every write of one call in one transaction of SQLite.
    package struct PayloadFile: Sendable {
        /// A pool of connections for writing; one connection for a file that is only read.
        let pool: any DatabaseReader & Sendable
        /// For messages.
        package let path: String
        /// The file that was opened: another one may stand under its name later.
        private let opened: OpenedFile?
        /// How many states of the file were read.
        private let reads = ReadCount()

        /// How long to wait for another process that is writing, in seconds. A large import commits several times a
        /// second.
        private static let patience: Double = 30

        /// Opens a file, or makes one.
        ///
        /// - Parameters:
        ///   - isReadOnly: whether the file is only read. It must exist then.
        ///   - isImport: whether payloads need not be on the disk until the file is closed.
        ///   - maximumPages: the size at which the file is full, for tests; 0 for SQLite's own limit.
        ///   - patience: how long to wait for another process that is writing, in seconds; `nil` for some time.
        init(
            path: String, isReadOnly: Bool, isImport: Bool, maximumPages: Int, patience: Double?
        ) throws(SQLiteStoreError) {
            self.path = path
            var configuration = Configuration()
            configuration.readonly = isReadOnly
            configuration.busyMode = .timeout(patience ?? Self.patience)
            configuration.prepareDatabase { db in
                if maximumPages > 0 { try db.execute(sql: "PRAGMA max_page_count = \(maximumPages)") }
                guard !isReadOnly else { return }
                // A call that returns has its payloads on the disk, also after a loss of power; an import has them
                // there when it is closed.
                try db.execute(sql: "PRAGMA synchronous = \(isImport ? "NORMAL" : "FULL")")
                // Deleted bytes are overwritten, so that nothing of a customer stays in free pages.
                try db.execute(sql: "PRAGMA secure_delete = ON")
                // In pages of 4 KiB: a page that changes again meanwhile is moved into the file once.
                try db.execute(sql: "PRAGMA wal_autocheckpoint = \(isImport ? 16_384 : 1_000)")
                // In kibibytes. The indexes of a million payloads fit.
                try db.execute(sql: "PRAGMA cache_size = -65536")
            }
            do {
                try Self.check(path, isReadOnly: isReadOnly)
                guard isReadOnly else {
                    if !FileManager.default.fileExists(atPath: path) {
                        // It names customers, and SQLite gives its other files the same mode.
                        _ = FileManager.default.createFile(
                            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
                    }
                    let writer = try DatabasePool(path: Self.absolute(path), configuration: configuration)
                    try writer.write { try Schema.claim($0) }
                    try Schema.migrator.migrate(writer)
                    pool = writer
                    opened = OpenedFile(path)
                    return
                }
                opened = nil
                pool = try DatabaseQueue(path: Self.location(of: path), configuration: configuration)
                guard try pool.read(Schema.migrator.hasCompletedMigrations) else {
                    throw SQLiteStoreError(
                        .notAStore,
                        "\(path): it has no payloads yet, or was made by an older version: open it for writing"
                    )
                }
            } catch {
                throw SQLiteStoreError(error, path)
            }
        }

        /// Refuses a file that is not ours, or of a newer version, before anything in it changes.
        private static func check(_ path: String, isReadOnly: Bool) throws {
            guard FileManager.default.fileExists(atPath: path) else {
                guard isReadOnly else { return }
                throw SQLiteStoreError(.cannotOpen, "\(path): it does not exist")
            }
            guard let file = RawDatabaseFile(path: absolute(path)), let length = FileName(path: path).length
            else {
                throw SQLiteStoreError(.cannotOpen, "\(path): the system allows no access to it")
            }
            guard length > 0 else { return }
            // SQLite takes a shorter file for an empty one.
            guard let beginning = file.bytes(OpenedFile.headerBytes, at: 0),
                beginning.starts(with: Array("SQLite format 3\0".utf8))
            else {
                throw SQLiteStoreError(
                    .notAStore, "\(path): it is not a SQLite database, or only the beginning of one")
            }
            // While SQLite's log has pages, the file may be shorter than its header says.
            let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? UInt64
            if (log ?? 0) == 0, let stated = OpenedFile.statedBytes(beginning), length < stated {
                throw SQLiteStoreError(
                    .damaged,
                    "\(path): it is cut off, at \(length) of \(stated) bytes: restore it from a copy")
            }
            do {
                try checkDatabase(path, isReadOnly: true)
            } catch let error as DatabaseError
                where !isReadOnly && error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
            {
                // A process was killed while it made the file, and its transaction must be undone.
                try checkDatabase(path, isReadOnly: false)
            }
        }

        private static func checkDatabase(_ path: String, isReadOnly: Bool) throws {
            var configuration = Configuration()
            configuration.readonly = isReadOnly
            configuration.busyMode = .timeout(patience)
            try DatabaseQueue(path: location(of: path), configuration: configuration).read { db in
                guard try Schema.isClaimed(db) || Schema.isEmpty(db) else {
                    throw SQLiteStoreError(.notAStore, "\(path): it is the database of another program")
                }
                guard try !Schema.migrator.hasBeenSuperseded(db) else {
                    throw SQLiteStoreError(
                        .newerVersion,
                        "\(path): it was made by a newer version of storekit-verify: update this one")
                }
                guard try Schema.isUnchanged(db) else {
                    throw SQLiteStoreError(
                        .notAStore,
                        "\(path): it has a table, an index, a view or a trigger that storekit-verify did not make: "
                            + "drop it, or restore the file from a copy")
                }
            }
        }

        /// Where to read the file. In a folder that allows no writing, SQLite cannot make the files that readers share.
        /// If they are not there, no other process has the file open, and it is read as one that does not change.
        private static func location(of path: String) -> String {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            let isAlone = ["-wal", "-shm"].allSatisfy { !FileManager.default.fileExists(atPath: path + $0) }
            guard isAlone, !FileManager.default.isWritableFile(atPath: folder) else { return absolute(path) }
            return URL(filePath: path).absoluteString + "?immutable=1"
        }

        /// The path as SQLite takes it: a relative one may begin with `file:`, which would be a URI, or be `:memory:`.
        static func absolute(_ path: String) -> String {
            path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        }

        /// Whether payloads can be written and read at the moment.
        ///
        /// - Throws: `SQLiteStoreError` that says why not.
        func checkReadiness() async throws(SQLiteStoreError) {
            try attempt {
                try opened?.check()
                try Self.check(path, isReadOnly: true)
            }
            // A full disk shows only at a write, and one with a little room only at a write of some length.
            try await write { db in try HeaderRows(db).tryWriting() }
        }

        /// Reads a state that no write changes meanwhile.
        func read<Success: Sendable>(
            _ body: @Sendable @escaping (Database) throws -> Success
        ) async throws(SQLiteStoreError) -> Success {
            reads.add()
            do {
                try opened?.check()
                return try await pool.read(body)
            } catch {
                throw SQLiteStoreError(error, path)
            }
        }

        /// How many states of the file were read until now, for tests.
        package var readCount: Int { reads.value }

        /// A number that is another one after each commit of other connections: of other processes, and of other
        /// stores.
        ///
        /// It is asked on the connection that writes, so that this store's own commits do not change it.
        func version() async throws(SQLiteStoreError) -> Int64 {
            do {
                try opened?.check()
                return try await writer().writeWithoutTransaction { db in
                    try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0
                }
            } catch {
                throw SQLiteStoreError(error, path)
            }
        }

        /// Writes in one transaction: all of it, or nothing.
        func write<Success: Sendable>(
            _ body: @Sendable @escaping (Database) throws -> Success
        ) async throws(SQLiteStoreError) -> Success {
            do {
                return try await writer().write { db in
                    let success = try body(db)
                    try opened?.check()
                    return success
                }
            } catch {
                throw SQLiteStoreError(error, path)
            }
        }

        /// Writes in one transaction, on the caller's thread.
        func writeNow<Success>(_ body: (Database) throws -> Success) throws(SQLiteStoreError)
            -> Success
        {
            try attempt {
                try writer().write { db in
                    let success = try body(db)
                    try opened?.check()
                    return success
                }
            }
        }

        /// Reads on the caller's thread.
        func readNow<Success>(_ body: (Database) throws -> Success) throws(SQLiteStoreError) -> Success {
            try attempt { try pool.read(body) }
        }

        /// Throws every failure as the library's own.
        func attempt<Success>(_ body: () throws -> Success) throws(SQLiteStoreError) -> Success {
            do {
                return try body()
            } catch {
                throw SQLiteStoreError(error, path)
            }
        }

        /// - Throws: `SQLiteStoreError.readOnly` for a file that was opened for reading.
        func writer() throws -> DatabasePool {
            guard let writer = pool as? DatabasePool else {
                throw SQLiteStoreError(.readOnly, "\(path): it was opened for reading only")
            }
            return writer
        }

        /// Moves SQLite's log into the file, which puts it on the disk. SQLite does not wait while another process
        /// does the same, so this does.
        private static func moveLog(_ db: Database) throws {
            for _ in 0..<Int(patience / movingPause) {
                do {
                    _ = try db.checkpoint(.passive)
                    return
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    Thread.sleep(forTimeInterval: movingPause)
                }
            }
            _ = try db.checkpoint(.passive)
        }

        /// The pause before the log is moved again, in seconds.
        private static let movingPause = 0.02

        /// Puts all that was written on the disk, and closes the file.
        func close() throws(SQLiteStoreError) {
            try attempt {
                if let writer = pool as? DatabasePool {
                    try writer.writeWithoutTransaction { db in try Self.moveLog(db) }
                    // The last connection to be closed removes SQLite's log. A connection for reading cannot.
                    writer.invalidateReadOnlyConnections()
                }
                try pool.close()
            }
        }
    }

    private final class ReadCount: Sendable {
        private let count = Atomic(0)

        func add() { count.add(1, ordering: .relaxed) }
        var value: Int { count.load(ordering: .relaxed) }
    }
#endif
