#if SQLite
    internal import GRDBSQLite

    /// The bytes of a database's file, read through SQLite.
    ///
    /// Nothing else of this process may open the file: when it closes it, the system ends the locks that SQLite has
    /// on it (fcntl(2)). Another process would then take the database for unused, and remove SQLite's log with all
    /// that was acknowledged (SQLite, "How To Corrupt An SQLite Database File", section 2.2). SQLite itself keeps a
    /// descriptor open as long as it has locks.
    @safe struct RawDatabaseFile: ~Copyable {
        private let connection: OpaquePointer
        private let file: UnsafeMutablePointer<sqlite3_file>

        /// - Parameter path: an absolute path.
        /// - Returns: `nil` if the system allows no access to the file.
        init?(path: String) {
            var connection: OpaquePointer?
            var file: UnsafeMutablePointer<sqlite3_file>?
            let isOpen = unsafe sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK
            let isFound =
                unsafe isOpen
                && sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK
            guard isFound, let connection = unsafe connection, let file = unsafe file else {
                unsafe sqlite3_close_v2(connection)
                return nil
            }
            unsafe (self.connection, self.file) = (connection, file)
        }

        deinit { unsafe sqlite3_close_v2(connection) }

        /// Reads bytes; `nil` if the system cannot read so many.
        func bytes(_ count: Int, at offset: Int) -> [UInt8]? {
            guard count > 0, let count32 = Int32(exactly: count) else { return [] }
            var code: Int32?
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
                code = unsafe file.pointee.pMethods?.pointee.xRead?(
                    file, output.baseAddress, count32, sqlite3_int64(offset))
                initialized = code == SQLITE_OK ? count : 0
            }
            return code == SQLITE_OK ? bytes : nil
        }
    }
#endif
