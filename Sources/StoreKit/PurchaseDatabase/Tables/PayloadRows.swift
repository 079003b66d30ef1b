#if SQLite
    internal import Foundation
    internal import GRDB
    internal import SignedPayloads
    internal import StoreKitVerify

    /// The table `payload`, for readers: signed payloads about purchases and downloads, with the texts of their
    /// headers.
    struct PayloadRows {
        private let db: Database

        init(_ db: Database) { self.db = db }

        /// A payload, as the file has it. It is a claim, until a verifier lets its token pass.
        struct Claim {
            let subject: DatabaseValue
            let token: TokenParts
        }

        /// The payloads about a subject; of the whole file (`nil`).
        func claims(about subject: DatabaseValue?) throws -> some Cursor<Claim> {
            let find = try db.cachedStatement(
                sql: """
                    SELECT payload.subject, header.text, payload.json, payload.signature
                    FROM payload JOIN header ON header.id = payload.header
                    """ + (subject == nil ? "" : " WHERE payload.subject = ?"))
            return try Row.fetchCursor(find, arguments: subject.map { [$0] } ?? []).map { row in
                Claim(subject: row[0], token: try TokenParts(row, from: 1))
            }
        }

        /// Whether the file has a payload about a subject.
        func has(_ subject: DatabaseValue) throws -> Bool {
            let find = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM payload WHERE subject = ?)")
            return try Bool.fetchOne(find, arguments: [subject]) ?? false
        }

        /// The JSON of the payloads about a subject.
        func texts(about subject: DatabaseValue) throws -> some Cursor<String> {
            try String.fetchCursor(
                db.cachedStatement(sql: "SELECT json FROM payload WHERE subject = ?"), arguments: [subject])
        }

        /// A payload's row, its JSON and its signature.
        struct Signed: Sendable {
            let id: Int64
            let kind: Int64
            let json: String
            let signature: Data

            /// The kind of a payload that is a value by itself; `nil` for others.
            var valueKind: SignedPayloadKind? {
                switch StoredPayload.Kind(rawValue: kind) {
                case .transaction: .transaction
                case .renewalInfo: .renewalInfo
                case .appTransaction: .appTransaction
                case .announcedGrace, .envelope, nil: nil
                }
            }
        }

        /// The payloads about a subject.
        func signed(about subject: DatabaseValue) throws -> some Cursor<Signed> {
            let find = try db.cachedStatement(
                sql: "SELECT id, kind, json, signature FROM payload WHERE subject = ?")
            return try Row.fetchCursor(find, arguments: [subject]).map { row in
                Signed(
                    id: try row.decode(Int64.self, atIndex: 0), kind: try row.decode(Int64.self, atIndex: 1),
                    json: try row.decode(String.self, atIndex: 2),
                    signature: try row.decode(Data.self, atIndex: 3))
            }
        }

        /// The purchases whose original transaction, or a transaction of which, has an identifier.
        func purchases(withTransaction identifier: Int64, atMost limit: Int) throws -> [Int64] {
            let find = try db.cachedStatement(
                sql: """
                    SELECT subject FROM payload WHERE subject = ?1
                    UNION SELECT subject FROM payload
                    WHERE kind = ?2 AND item = ?1 AND \(Dialect.isNumber("subject")) LIMIT ?3
                    """)
            return try Int64.fetchAll(
                find, arguments: [identifier, StoredPayload.Kind.transaction.rawValue, limit])
        }

        /// The subject of each payload, the latest first, and whether a text stands in its JSON.
        func latest(containing text: String) throws -> some Cursor<(subject: DatabaseValue, isFound: Bool)> {
            let find = try db.cachedStatement(
                sql: "SELECT subject, \(Dialect.contains("json")) FROM payload ORDER BY id DESC")
            return try Row.fetchCursor(find, arguments: [text]).map { row in
                (subject: row[0], isFound: try row.decode(Bool.self, atIndex: 1))
            }
        }
    }

    /// The table `payload`, for a writer. It prepares its statements once, because an import runs them a million times.
    struct PayloadChanges {
        private let find: Statement
        private let insert: Statement
        private let delete: Statement

        init(_ db: Database) throws {
            find = try db.cachedStatement(
                sql: """
                    SELECT payload.id, header.text, payload.json, payload.signature
                    FROM payload JOIN header ON header.id = payload.header
                    WHERE subject = ? AND kind = ? AND item = ?
                    """)
            insert = try db.cachedStatement(
                sql: """
                    INSERT INTO payload (subject, kind, item, app, signed, nameKinds, header, json, signature)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            delete = try db.cachedStatement(sql: "DELETE FROM payload WHERE id = ?")
        }

        /// The payloads about the same transaction, or of the same kind about the same subject, by their rows.
        func payloads(with key: StoredPayload.Key) throws -> [(id: Int64, token: TokenParts)] {
            find.setUncheckedArguments([
                key.subject.databaseValue, key.kind.rawValue, Int64(bitPattern: key.item),
            ])
            let rows = try Row.fetchCursor(find)
            var found: [(id: Int64, token: TokenParts)] = []
            while let row = try rows.next() {
                found.append((try row.decode(Int64.self, atIndex: 0), try TokenParts(row, from: 1)))
            }
            return found
        }

        /// Adds a payload.
        ///
        /// - Parameters:
        ///   - app: the number of its app in the file.
        ///   - header: the number of its token's header.
        func add(_ payload: StoredPayload, app: Int64, header: Int64) throws {
            let key = payload.key
            insert.setUncheckedArguments([
                key.subject.databaseValue, key.kind.rawValue, Int64(bitPattern: key.item), app,
                payload.facts.signed, payload.facts.nameKinds, header, payload.token.json,
                payload.token.signature,
            ])
            try insert.execute()
        }

        /// Takes out a payload.
        func remove(_ id: Int64) throws { try delete.execute(arguments: [id]) }
    }

    /// The table `payload`, for an import that finds most of an archive there already.
    struct KnownTexts {
        private let find: Statement

        init(_ db: Database) throws {
            find = try db.cachedStatement(
                sql: "SELECT 1 FROM payload WHERE subject = ? AND kind = ? AND item = ? AND json = ?")
        }

        /// Whether the file has a payload with the same JSON.
        func has(_ key: StoredPayload.Key, _ json: [UInt8]) throws -> Bool {
            find.setUncheckedArguments([
                key.subject.databaseValue, key.kind.rawValue, Int64(bitPattern: key.item),
                String(decoding: json, as: UTF8.self),
            ])
            return try Bool.fetchOne(find) ?? false
        }
    }

    extension StoredPayload.Subject {
        /// As the file holds it.
        var databaseValue: DatabaseValue {
            switch self {
            case .purchase(let id): Int64(bitPattern: id).databaseValue
            case .download(let id): id.databaseValue
            }
        }
    }
#endif
