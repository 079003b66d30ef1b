#if SQLite
    internal import GRDB

    /// The tables `address` and `lease`: where notifications are forwarded to, and which forwarder does it.
    struct AddressRows {
        private let db: Database

        init(_ db: Database) { self.db = db }

        /// The number of an address, which gets one if it has none.
        func id(of address: String) throws -> Int64 {
            let find = try db.cachedStatement(sql: "SELECT id FROM address WHERE url = ?")
            if let id = try Int64.fetchOne(find, arguments: [address]) { return id }
            try db.execute(sql: "INSERT INTO address (url) VALUES (?)", arguments: [address])
            return db.lastInsertedRowID
        }

        // MARK: - Leases

        /// A forwarder's right to deliver to an address alone, until a time in milliseconds since 1970.
        struct Lease: Sendable {
            let owner: LeaseOwner
            let until: Double
        }

        /// The lease of an address; `nil` if no forwarder has one.
        func lease(_ address: Int64) throws -> Lease? {
            let find = try db.cachedStatement(sql: "SELECT owner, until FROM lease WHERE address = ?")
            return try Row.fetchOne(find, arguments: [address]).map { row in
                Lease(
                    owner: LeaseOwner(text: try row.decode(atIndex: 0)),
                    until: try row.decode(Double.self, atIndex: 1))
            }
        }

        /// Takes or renews a lease, unless another forwarder has it at an instant.
        ///
        /// - Parameter former: an owner whose process has ended.
        /// - Returns: whether the owner has it now.
        func take(
            _ lease: Lease, of address: Int64, from former: LeaseOwner?, at now: Double
        ) throws -> Bool {
            let take = try db.cachedStatement(
                sql: """
                    INSERT INTO lease VALUES (?1, ?2, ?4) ON CONFLICT (address) DO UPDATE
                    SET owner = ?2, until = ?4 WHERE lease.owner IN (?2, ?5) OR lease.until <= ?3
                    """)
            try take.execute(arguments: [address, lease.owner.text, now, lease.until, former?.text])
            return db.changesCount > 0
        }

        /// Gives the leases of a forwarder back, so that another one need not wait for their end.
        func endLeases(of owner: LeaseOwner) throws {
            try db.execute(sql: "DELETE FROM lease WHERE owner = ?", arguments: [owner.text])
        }
    }
#endif
