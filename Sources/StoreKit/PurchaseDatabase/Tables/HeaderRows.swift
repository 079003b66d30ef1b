#if SQLite
    internal import GRDB

    /// The table `header`: the headers of tokens, in base64url. A few serve all tokens of a signer, so the file has
    /// each of them once.
    struct HeaderRows {
        private let db: Database

        init(_ db: Database) { self.db = db }

        /// The number of a header, which gets one if the file has not seen it.
        func id(of text: String) throws -> Int64 {
            let find = try db.cachedStatement(sql: "SELECT id FROM header WHERE text = ?")
            if let id = try Int64.fetchOne(find, arguments: [text]) { return id }
            try db.cachedStatement(sql: "INSERT INTO header (text) VALUES (?)").execute(arguments: [text])
            return db.lastInsertedRowID
        }

        /// Writes some 16 pages and takes them out again, in the same transaction: as many as a notification takes.
        func tryWriting() throws {
            let text = String(repeating: " ", count: 30_000)
            try db.cachedStatement(sql: "INSERT INTO header (text) VALUES (?)").execute(arguments: [text])
            try db.cachedStatement(sql: "DELETE FROM header WHERE text = ?").execute(arguments: [text])
        }

        /// The text of a header; `nil` if the file has none of this number.
        func text(_ id: Int64) throws -> String? {
            let find = try db.cachedStatement(sql: "SELECT text FROM header WHERE id = ?")
            return try String.fetchOne(find, arguments: [id])
        }
    }
#endif
