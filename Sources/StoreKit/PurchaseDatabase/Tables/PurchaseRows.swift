#if SQLite
    internal import GRDB

    /// The table `purchase`: how many payloads were written of each purchase and download.
    ///
    /// A reader that finds another number says so: of a damaged index or table, a refund may be missing.
    struct PurchaseRows {
        private let db: Database

        init(_ db: Database) { self.db = db }

        // MARK: - Writing

        /// Counts payloads that subjects have got or lost, in the order of the index.
        func add(_ changes: [StoredPayload.Subject: Int]) throws {
            let add = try db.cachedStatement(
                sql: """
                    INSERT INTO purchase (subject, payloads) VALUES (?1, ?2)
                    ON CONFLICT (subject) DO UPDATE SET payloads = purchase.payloads + ?2
                    """)
            for (subject, change) in changes.sorted(by: { $0.key < $1.key }) where change != 0 {
                add.setUncheckedArguments([subject.databaseValue, change])
                try add.execute()
            }
        }

        /// Takes out a subject: its count, its payloads, and the rows about it in the tables beside them. The claims
        /// of its seats stay.
        func delete(_ subject: DatabaseValue) throws {
            for table in ["payload", "purchase", "customer", "finished"] {
                let delete = try db.cachedStatement(sql: "DELETE FROM \(table) WHERE subject = ?")
                try delete.execute(arguments: [subject])
            }
        }

        // MARK: - Reading

        /// How many payloads were written of a subject.
        func payloads(of subject: DatabaseValue) throws -> Int? {
            let find = try db.cachedStatement(sql: "SELECT payloads FROM purchase WHERE subject = ?")
            return try Int.fetchOne(find, arguments: [subject])
        }

        /// How many payloads were written of each subject.
        func payloads() throws -> [DatabaseValue: Int] {
            let rows = try Row.fetchCursor(db, sql: "SELECT subject, payloads FROM purchase")
            var written: [DatabaseValue: Int] = [:]
            while let row = try rows.next() { written[row[0]] = try row.decode(Int.self, atIndex: 1) }
            return written
        }

        /// Subjects with payloads, and those that should have some: of a damaged table, nothing goes unsaid.
        ///
        /// - Parameter areNumbers: whether the subjects are purchases, or downloads.
        func subjects(areNumbers: Bool) throws -> some Cursor<DatabaseValue> {
            let kind = (areNumbers ? "" : "NOT ") + Dialect.isNumber("subject")
            return try DatabaseValue.fetchCursor(
                db,
                sql: """
                    SELECT subject FROM purchase WHERE \(kind)
                    UNION ALL
                    SELECT DISTINCT subject FROM payload WHERE \(kind)
                        AND NOT EXISTS (SELECT * FROM purchase WHERE purchase.subject = payload.subject)
                    """)
        }

        /// The next purchases with payloads, and those that should have some, in their order.
        ///
        /// - Parameter first: the lowest one that may be among them.
        func purchases(from first: Int64, atMost limit: Int) throws -> [Int64] {
            let numbers = "subject >= ?1 AND \(Dialect.isBeforeTexts("subject")) ORDER BY subject LIMIT ?2"
            let find = try db.cachedStatement(
                sql: """
                    SELECT subject FROM (
                        SELECT * FROM (SELECT subject FROM purchase WHERE \(numbers))
                        UNION
                        SELECT * FROM (SELECT DISTINCT subject FROM payload WHERE \(numbers))
                    ) ORDER BY subject LIMIT ?2
                    """)
            return try Int64.fetchAll(find, arguments: [first, Int64(limit)])
        }
    }
#endif
