#if SQLite
    internal import Foundation
    internal import GRDB
    internal import StoreKitVerify

    /// Writes payloads in one transaction of SQLite.
    ///
    /// Of the payloads about one transaction, the file keeps what a `PurchaseHistory` would: the one that was signed
    /// last, and for each kind of the customer's names the last one that gives it. So the same payloads leave the same
    /// file, in whatever order they come, and an app that sends the same transaction at every start does not make it
    /// grow.
    struct PayloadWriting {
        /// The connection inside its transaction. Every failure undoes all that was written here.
        private let db: Database
        private let find: Statement
        private let insert: Statement
        private let delete: Statement
        private let insertName: Statement
        /// The header of the last payload, which is that of most payloads.
        private var header: (text: String, id: Int64)?
        /// Numbers of rows, kept for this transaction: an import has few apps.
        private var apps: [StoredPayload.App: Int64] = [:]
        /// The customers' names that payloads gave, until they are written too.
        private var names: Set<CustomerName> = []

        init(_ db: Database) throws {
            self.db = db
            find = try db.cachedStatement(
                sql: """
                    SELECT id, app, signed, nameKinds, json FROM payload WHERE subject = ? AND kind = ? AND item = ?
                    """)
            insert = try db.cachedStatement(
                sql: """
                    INSERT INTO payload (subject, kind, item, app, signed, nameKinds, header, json, signature)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            delete = try db.cachedStatement(sql: "DELETE FROM payload WHERE id = ?")
            insertName = try db.cachedStatement(sql: "INSERT OR IGNORE INTO customer VALUES (?, ?)")
        }

        /// A customer's name, and a purchase that it leads to.
        private struct CustomerName: Hashable, Comparable {
            let name: String
            let purchase: UInt64

            static func < (one: Self, other: Self) -> Bool {
                (one.name, one.purchase) < (other.name, other.purchase)
            }
        }

        /// A payload of the file.
        private struct Known {
            let id: Int64
            let signed: Double
            let nameKinds: Int64
            let json: String
        }

        /// Keeps payloads, except for those that the file has already, or that a payload in the file makes needless.
        ///
        /// - Returns: of each payload whether the file keeps it and did not before.
        mutating func keep(_ payloads: [StoredPayload]) throws -> [Bool] {
            // In the order of the indexes, so that each of their pages is looked up and changed once.
            var isNew = [Bool](repeating: false, count: payloads.count)
            for place in payloads.indices.sorted(by: { payloads[$0].isBefore(payloads[$1]) }) {
                isNew[place] = try keep(payloads[place])
            }
            for name in names.sorted() {
                insertName.setUncheckedArguments([name.name, Int64(bitPattern: name.purchase)])
                try insertName.execute()
            }
            names.removeAll()
            return isNew
        }

        private mutating func keep(_ payload: StoredPayload) throws -> Bool {
            let app = try id(of: payload.app)
            let known = try known(payload, app)
            guard !known.contains(where: { $0.json == payload.token.json }) else { return false }
            guard !known.isEmpty else {
                try add(payload, app)
                return true
            }
            // Latest first, as `DeviceSignedValue.isLater` orders payloads. 0 is the new one.
            let new = Known(
                id: 0, signed: payload.signed, nameKinds: payload.nameKinds, json: payload.token.json)
            let ordered = (known + [new]).sorted { Self.isLater($0, than: $1) }
            var isKept = false
            for (place, candidate) in ordered.enumerated() {
                // Of two names of one instant, the order of their texts decides: both payloads stay.
                let named = ordered[..<place].reduce(0) {
                    $1.signed > candidate.signed ? $0 | $1.nameKinds : $0
                }
                let isNeeded = place == 0 || candidate.nameKinds & ~named != 0
                if candidate.id == 0 {
                    isKept = isNeeded
                } else if !isNeeded {
                    try delete.execute(arguments: [candidate.id])
                }
            }
            if isKept { try add(payload, app) }
            return isKept
        }

        private static func isLater(_ one: Known, than other: Known) -> Bool {
            guard one.signed == other.signed else { return one.signed > other.signed }
            return other.json.utf8.lexicographicallyPrecedes(one.json.utf8)
        }

        /// The payloads about the same transaction, or of the same kind about the same subject.
        private func known(_ payload: StoredPayload, _ app: Int64) throws -> [Known] {
            find.setUncheckedArguments([
                payload.subject.databaseValue, payload.kind.rawValue, Int64(bitPattern: payload.item),
            ])
            let rows = try Row.fetchCursor(find)
            var known: [Known] = []
            while let row = try rows.next() {
                guard try row.decode(Int64.self, atIndex: 1) == app else { continue }
                known.append(
                    Known(
                        id: try row.decode(Int64.self, atIndex: 0),
                        signed: try row.decode(Double.self, atIndex: 2),
                        nameKinds: try row.decode(Int64.self, atIndex: 3),
                        json: try row.decode(String.self, atIndex: 4)))
            }
            return known
        }

        private mutating func add(_ payload: StoredPayload, _ app: Int64) throws {
            insert.setUncheckedArguments([
                payload.subject.databaseValue, payload.kind.rawValue, Int64(bitPattern: payload.item), app,
                payload.signed, payload.nameKinds, try id(ofHeader: payload.token.header), payload.token.json,
                payload.token.signature,
            ])
            try insert.execute()
            guard case .purchase(let original) = payload.subject else { return }
            for name in payload.names {
                names.insert(CustomerName(name: name.description, purchase: original))
            }
        }

        /// Records that an app has finished a transaction.
        ///
        /// Repeating it changes nothing.
        mutating func finish(_ transaction: UInt64, of original: UInt64, _ app: StoredPayload.App) throws {
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO finished VALUES (?, ?, ?)").execute(
                arguments: [Int64(bitPattern: original), Int64(bitPattern: transaction), try id(of: app)])
        }

        /// Records that an app has finished a payload's transaction, if it is one.
        mutating func finish(_ payload: StoredPayload) throws {
            guard payload.kind == .transaction, case .purchase(let original) = payload.subject else { return }
            try finish(payload.item, of: original, payload.app)
        }

        /// Records that a notification has come.
        func note(_ notification: SeenNotification) throws {
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO notification VALUES (?, ?)").execute(
                arguments: [notification.uuid, notification.signed])
        }

        private mutating func id(of app: StoredPayload.App) throws -> Int64 {
            if let id = apps[app] { return id }
            let id = try id(
                found: "SELECT id FROM app WHERE bundleID = ? AND environment = ?",
                inserted: "INSERT INTO app (bundleID, environment) VALUES (?, ?)",
                [app.bundleID, app.environment])
            apps[app] = id
            return id
        }

        private mutating func id(ofHeader text: String) throws -> Int64 {
            if let header, header.text == text { return header.id }
            let id = try id(
                found: "SELECT id FROM header WHERE text = ?",
                inserted: "INSERT INTO header (text) VALUES (?)", [text])
            header = (text, id)
            return id
        }

        /// The number of a row, which is inserted if it is not there. Parsing these statements anew for each payload would
        /// take half of the time of a short write.
        private func id(found: String, inserted: String, _ arguments: StatementArguments) throws -> Int64 {
            if let id = try Int64.fetchOne(db.cachedStatement(sql: found), arguments: arguments) { return id }
            try db.cachedStatement(sql: inserted).execute(arguments: arguments)
            return db.lastInsertedRowID
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
