#if SQLite
    package import GRDB

    /// The headers of tokens, in base64url. A few serve all tokens of a signer, so the file has each of them once.
    package enum TokenHeaders {
        /// The number of a header, which gets one if the file has not seen it.
        package static func id(of text: String, _ db: Database) throws -> Int64 {
            let find = try db.cachedStatement(sql: "SELECT id FROM header WHERE text = ?")
            if let id = try Int64.fetchOne(find, arguments: [text]) { return id }
            try db.cachedStatement(sql: "INSERT INTO header (text) VALUES (?)").execute(arguments: [text])
            return db.lastInsertedRowID
        }

        /// The text of a header; `nil` if the file has none of this number.
        package static func text(_ id: Int64, _ db: Database) throws -> String? {
            let find = try db.cachedStatement(sql: "SELECT text FROM header WHERE id = ?")
            return try String.fetchOne(find, arguments: [id])
        }
    }
#endif
