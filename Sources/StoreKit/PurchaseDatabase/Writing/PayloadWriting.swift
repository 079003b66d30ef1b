#if SQLite
    internal import Foundation
    internal import GRDB
    internal import StoreKitVerify

    /// Writes payloads in one transaction of SQLite.
    ///
    /// Of the payloads about one transaction, the file keeps what a `PurchaseHistory` would: the one that was signed
    /// last; for each kind of the customer's names, the last one that gives it; and of renewal information, the first one
    /// that tells of a renewal that failed. So the same payloads leave the same
    /// file, in whatever order they come, and an app that sends the same transaction at every start does not make it
    /// grow.
    struct PayloadWriting {
        /// The connection inside its transaction. Every failure undoes all that was written here.
        private let db: Database
        private let accepted: AcceptedVerifier
        private let find: Statement
        private let insert: Statement
        private let delete: Statement
        private let insertName: Statement
        private let count: Statement
        /// The header of the last payload, which is that of most payloads.
        private var header: (text: String, id: Int64)?
        /// Numbers of rows, kept for this transaction: an import has few apps.
        private var apps: [StoredPayload.App: Int64] = [:]
        /// The customers' names that payloads gave, until they are written too.
        private var names: Set<CustomerName> = []
        /// How many payloads each subject has got or lost, until that is written too.
        private var changes: [StoredPayload.Subject: Int] = [:]

        init(_ db: Database, _ accepted: AcceptedVerifier) throws {
            self.db = db
            self.accepted = accepted
            find = try db.cachedStatement(
                sql: """
                    SELECT payload.id, header.text, payload.json, payload.signature
                    FROM payload JOIN header ON header.id = payload.header
                    WHERE subject = ? AND kind = ? AND item = ?
                    """)
            count = try db.cachedStatement(
                sql: """
                    INSERT INTO purchase VALUES (?1, ?2)
                    ON CONFLICT (subject) DO UPDATE SET payloads = payloads + ?2
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

        /// A payload of the file, or a new one. What decides is read from the JSON, which is signed, and not from the
        /// columns beside it.
        private struct Known {
            /// The row; `nil` for a new payload.
            let id: Int64?
            let token: TokenParts
            let facts: StoredPayload.Facts
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
            for (subject, change) in changes.sorted(by: { $0.key < $1.key }) where change != 0 {
                count.setUncheckedArguments([subject.databaseValue, change])
                try count.execute()
            }
            changes.removeAll()
            return isNew
        }

        private mutating func keep(_ payload: StoredPayload) throws -> Bool {
            var known = try known(payload)
            if let same = known.firstIndex(where: { $0.token.json == payload.token.json }) {
                guard known[same].token != payload.token, !isVerified(known[same]) else { return false }
                // The row is damaged, and this payload is what it was.
                try remove(known.remove(at: same), of: payload.subject)
            }
            // Latest first, as `DeviceSignedValue.isLater` orders payloads.
            let new = Known(id: nil, token: payload.token, facts: payload.facts)
            let ordered = (known + [new]).sorted { Self.isLater($0, than: $1) }
            var isKept = false
            for (place, candidate) in ordered.enumerated() {
                // Of two names of one instant, the order of their texts decides: both payloads stay.
                let named = ordered[..<place].reduce(0) {
                    $1.facts.signed > candidate.facts.signed ? $0 | $1.facts.nameKinds : $0
                }
                let isFirstOfTrouble =
                    candidate.facts.trouble != nil
                    && !ordered[(place + 1)...].contains { $0.facts.trouble == candidate.facts.trouble }
                let isNeeded = place == 0 || candidate.facts.nameKinds & ~named != 0 || isFirstOfTrouble
                if candidate.id == nil {
                    isKept = isNeeded
                    // A payload that was changed in the file must not keep a refund out.
                    guard isNeeded || known.allSatisfy(isVerified) else {
                        throw SQLiteStoreError(
                            .damaged,
                            "the file has a payload of \(payload.subject.databaseValue) that is not verified, and that "
                                + "would keep this one out: restore the file from a copy")
                    }
                } else if !isNeeded {
                    try remove(candidate, of: payload.subject)
                }
            }
            if isKept { try add(payload, try id(of: payload.app)) }
            return isKept
        }

        private func isVerified(_ known: Known) -> Bool {
            accepted.verify([known.token.token]).allSatisfy { (try? $0.get()) != nil }
        }

        private static func isLater(_ one: Known, than other: Known) -> Bool {
            guard one.facts.signed == other.facts.signed else { return one.facts.signed > other.facts.signed }
            // A refund may be signed in the same millisecond.
            guard one.facts.isRevoked == other.facts.isRevoked else { return one.facts.isRevoked }
            return other.token.json.utf8.lexicographicallyPrecedes(one.token.json.utf8)
        }

        private mutating func remove(_ known: Known, of subject: StoredPayload.Subject) throws {
            guard let id = known.id else { return }
            try delete.execute(arguments: [id])
            changes[subject, default: 0] -= 1
        }

        /// The payloads about the same transaction, or of the same kind about the same subject.
        private func known(_ payload: StoredPayload) throws -> [Known] {
            find.setUncheckedArguments([
                payload.subject.databaseValue, payload.kind.rawValue, Int64(bitPattern: payload.item),
            ])
            let rows = try Row.fetchCursor(find)
            var known: [Known] = []
            while let row = try rows.next() {
                let token = try TokenParts(row, from: 1)
                // A text that is no payload any more displaces nothing. Reading finds it.
                guard let facts = StoredPayload.Facts(payload.kind, Array(token.json.utf8)),
                    facts.app == payload.app
                else { continue }
                known.append(Known(id: try row.decode(Int64.self, atIndex: 0), token: token, facts: facts))
            }
            return known
        }

        private mutating func add(_ payload: StoredPayload, _ app: Int64) throws {
            insert.setUncheckedArguments([
                payload.subject.databaseValue, payload.kind.rawValue, Int64(bitPattern: payload.item), app,
                payload.facts.signed, payload.facts.nameKinds, try id(ofHeader: payload.token.header),
                payload.token.json,
                payload.token.signature,
            ])
            try insert.execute()
            changes[payload.subject, default: 0] += 1
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

        /// Records that the server gave a seat to a member.
        mutating func add(_ claim: SeatClaim) throws {
            let app = StoredPayload.App(
                bundleID: claim.purchase.appBundleID, environment: claim.purchase.environment.rawValue)
            try SeatClaimRows(db).add(claim, app: try id(of: app))
        }

        /// Records that a notification has come, and the end of the claims that it ends.
        ///
        /// - Returns: whether it had not come before.
        @discardableResult
        func note(_ notification: SeenNotification) throws -> Bool {
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO notification VALUES (?, ?)").execute(
                arguments: [notification.uuid, notification.signed])
            let isNew = db.changesCount > 0
            try SeatClaimRows(db).end(notification.endedClaims, at: notification.signed)
            return isNew
        }

        private mutating func id(of app: StoredPayload.App) throws -> Int64 {
            if let id = apps[app] { return id }
            let (name, environment) = (app.bundleID, app.environment)
            let find = try db.cachedStatement(
                sql: "SELECT id FROM app WHERE bundleID = ? AND environment = ?")
            let found = try Int64.fetchOne(find, arguments: [name, environment])
            if found == nil {
                try db.cachedStatement(sql: "INSERT INTO app (bundleID, environment) VALUES (?, ?)").execute(
                    arguments: [name, environment])
            }
            let id = found ?? db.lastInsertedRowID
            apps[app] = id
            return id
        }

        private mutating func id(ofHeader text: String) throws -> Int64 {
            if let header, header.text == text { return header.id }
            let id = try TokenHeaders.id(of: text, db)
            header = (text, id)
            return id
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
