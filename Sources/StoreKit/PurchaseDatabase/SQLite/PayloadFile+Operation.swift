#if SQLite
    internal import Foundation
    internal import GRDB

    /// Maintenance, which keeps a file in order for years.
    extension PayloadFile {
        /// Moves all pages of SQLite's log into the file, and empties the log.
        ///
        /// - Throws: `SQLiteStoreError.Code.busy` if another process reads from it for too long.
        func emptyLog() throws(SQLiteStoreError) {
            try attempt {
                try writer().writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
            }
        }

        /// Writes the file anew, without the parts that are not in use.
        func rewrite() throws(SQLiteStoreError) {
            try attempt { try writer().vacuum() }
            try emptyLog()
        }

        /// Writes a copy of one state of the file. Others may read and write meanwhile.
        ///
        /// - Parameter copy: a name that no file has yet.
        /// - Throws: `SQLiteStoreError` if there is such a file, or it cannot be written.
        func backUp(to copy: String) throws(SQLiteStoreError) {
            do {
                guard !FileManager.default.fileExists(atPath: copy) else {
                    throw SQLiteStoreError(
                        .cannotOpen, "\(copy): there is such a file already: give another name")
                }
                // SQLite takes an empty file, with its mode: it will name customers.
                guard
                    FileManager.default.createFile(
                        atPath: copy, contents: nil, attributes: [.posixPermissions: 0o600])
                else {
                    throw SQLiteStoreError(.cannotOpen, "\(copy): it cannot be made: is there such a folder?")
                }
                try pool.unsafeRead { db in
                    try db.execute(sql: "VACUUM INTO ?", arguments: [Self.absolute(copy)])
                }
                // SQLite leaves it to the system when the copy is on the disk.
                let file = try FileHandle(forUpdating: URL(filePath: copy))
                try file.synchronize()
                try file.close()
            } catch let error as SQLiteStoreError {
                throw error
            } catch {
                try? FileManager.default.removeItem(atPath: copy)
                throw SQLiteStoreError(error, copy)
            }
        }
    }

    extension SQLiteTransactionStore {
        /// Writes a copy of the file, as it is at one instant, while others read and write. The copy is a whole file
        /// without SQLite's log, and without the parts that are not in use.
        ///
        /// - Parameter path: a name that no file has yet.
        /// - Throws: `SQLiteStoreError` if there is such a file, or the copy cannot be written. Nothing of it is
        ///   left then.
        public func backUp(to path: String) throws(SQLiteStoreError) { try file.backUp(to: path) }
    }
#endif
