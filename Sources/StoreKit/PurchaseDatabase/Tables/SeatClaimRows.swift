#if SQLite
    internal import Foundation
    internal import GRDB
    internal import StoreKitVerify

    /// The tables `claim` and `member`: the claims of seats. They are the server's own records, and have no signature.
    ///
    /// A claim and its end share a row. A row that is lost gives no customer more access.
    struct SeatClaimRows {
        private let db: Database

        init(_ db: Database) { self.db = db }

        // MARK: - Writing

        /// Records a claim, or more names of its member. Of several dates, the earliest counts.
        func add(_ claim: SeatClaim, app: Int64) throws {
            try db.cachedStatement(
                sql: """
                    INSERT INTO claim (id, subject, app, since) VALUES (?1, ?2, ?3, ?4)
                    ON CONFLICT (id) DO UPDATE SET subject = coalesce(claim.subject, ?2),
                        app = coalesce(claim.app, ?3), since = \(Dialect.lower("coalesce(claim.since, ?4)", "?4"))
                    """
            ).execute(arguments: [
                Self.key(claim.id), Int64(bitPattern: claim.purchase.originalTransactionID), app,
                claim.date.milliseconds,
            ])
            let insert = try db.cachedStatement(
                sql: "INSERT INTO member VALUES (?, ?) ON CONFLICT DO NOTHING")
            for member in claim.members {
                try insert.execute(arguments: [member.description, Self.key(claim.id)])
            }
        }

        /// Records the end of claims, also of those that are not known yet. Of several dates, the earliest counts.
        func end(_ ids: some Sequence<UUID>, at milliseconds: Double) throws {
            let end = try db.cachedStatement(
                sql: """
                    INSERT INTO claim (id, until) VALUES (?1, ?2)
                    ON CONFLICT (id) DO UPDATE SET until = \(Dialect.lower("coalesce(claim.until, ?2)", "?2"))
                    """)
            for id in ids { try end.execute(arguments: [Self.key(id), milliseconds]) }
        }

        // MARK: - Reading

        private static let selection = """
            SELECT claim.id, claim.subject, app.bundleID, app.environment, claim.since, claim.until
            FROM claim JOIN app ON app.id = claim.app
            """

        /// A customer's claims; all of them for `.everyone`.
        func of(_ customer: Customer) throws -> [SeatClaim] {
            guard customer != .everyone else { return try claims(Self.selection, []) }
            var ids: Set<String> = []
            for name in customer.names { ids.formUnion(try claims(named: name.description)) }
            return try ids.sorted().flatMap { try claims(withKey: $0) }
        }

        func claim(_ id: UUID) throws -> SeatClaim? { try claims(withKey: Self.key(id)).first }

        private func claims(withKey key: String) throws -> [SeatClaim] {
            try claims(Self.selection + " WHERE claim.id = ?", [key])
        }

        /// The claims of a purchase's seats.
        func of(purchase original: Int64) throws -> [SeatClaim] {
            try claims(Self.selection + " WHERE claim.subject = ?", [original])
        }

        /// The purchases with a seat whose member has this name.
        func purchases(named name: String) throws -> [Int64] {
            let find = try db.cachedStatement(
                sql: """
                    SELECT DISTINCT claim.subject FROM member JOIN claim ON claim.id = member.claim
                    WHERE member.name = ? AND claim.subject IS NOT NULL
                    """)
            return try Int64.fetchAll(find, arguments: [name])
        }

        private func claims(named name: String) throws -> [String] {
            try String.fetchAll(
                db.cachedStatement(sql: "SELECT claim FROM member WHERE name = ?"), arguments: [name])
        }

        private func claims(_ sql: String, _ arguments: StatementArguments) throws -> [SeatClaim] {
            let rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
            let members = try db.cachedStatement(sql: "SELECT name FROM member WHERE claim = ?")
            return try rows.map { row in
                let key = try row.decode(String.self, atIndex: 0)
                let names = try String.fetchAll(members, arguments: [key]).map(Customer.Name.init)
                guard let id = UUID(uuidString: key), !names.contains(nil) else {
                    throw SQLiteStoreError(
                        .damaged, "the claim \(key) of a seat cannot be read: restore the file from a copy")
                }
                let purchase = PurchaseChain.ID(
                    originalTransactionID: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 1)),
                    environment: AppStore.Environment(rawValue: try row.decode(String.self, atIndex: 3)),
                    appBundleID: try row.decode(String.self, atIndex: 2))
                var claim = SeatClaim(
                    id: id, of: purchase, for: names.compactMap(\.self),
                    date: Date(milliseconds: try row.decode(Double.self, atIndex: 4)))
                claim.endDate = try row.decode(Double?.self, atIndex: 5).map(Date.init(milliseconds:))
                return claim
            }
        }

        // MARK: - Forgetting

        /// Takes out the claims of purchases, and the names of members. A claim without a name goes too.
        ///
        /// - Parameters:
        ///   - purchases: the original transactions.
        ///   - names: the names, as the file has them.
        /// - Returns: the identifiers of the claims that were taken out.
        func erase(purchases: [UInt64], names: Set<String>) throws -> [String] {
            let ofPurchase = try db.cachedStatement(sql: "SELECT id FROM claim WHERE subject = ?")
            var gone: Set<String> = []
            for original in purchases {
                gone.formUnion(try String.fetchAll(ofPurchase, arguments: [Int64(bitPattern: original)]))
            }
            for name in names {
                let named = try claims(named: name)
                try db.cachedStatement(sql: "DELETE FROM member WHERE name = ?").execute(arguments: [name])
                let others = try db.cachedStatement(sql: "SELECT 1 FROM member WHERE claim = ?")
                for id in named where try Int.fetchOne(others, arguments: [id]) == nil { gone.insert(id) }
            }
            for id in gone {
                try db.cachedStatement(sql: "DELETE FROM member WHERE claim = ?").execute(arguments: [id])
                try db.cachedStatement(sql: "DELETE FROM claim WHERE id = ?").execute(arguments: [id])
            }
            return gone.sorted()
        }

        // MARK: - Values

        private static func key(_ id: UUID) -> String { id.uuidString.lowercased() }
    }
#endif
