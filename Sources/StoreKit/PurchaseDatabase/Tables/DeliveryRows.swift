#if SQLite
    internal import Foundation
    internal import GRDB

    /// The tables of the inbox, in a transaction: the notifications that came, and their deliveries.
    struct Outbox {
        let db: Database

        init(_ db: Database) { self.db = db }

        /// A notification to be kept.
        struct Arrival: Sendable {
            /// Its `notificationUUID`, in lower case.
            let uuid: String
            /// When it came, in milliseconds since 1970.
            let milliseconds: Double
            let body: Data
            /// The same in fewer bytes; `nil` if there is no such form.
            let packed: PackedBody?
            /// What finds the notification again.
            let facts: NotificationFacts
            let addresses: [String]
        }

        /// A delivery, by the numbers of its notification and address in the file.
        struct Key: Hashable, Sendable {
            let notification: Int64
            let address: Int64
        }

        /// A delivery whose time has come.
        struct Due: Sendable {
            let key: Key
            /// The number of attempts until now.
            let attempts: Int
        }

        /// What an attempt changes.
        struct Change: Sendable {
            let state: NotificationDelivery.State
            /// When to try next, or when it ended, in milliseconds since 1970.
            let due: Double
            /// Why the attempt failed; `nil` if it did not.
            let failure: String?
        }

        /// Keeps a notification, and queues its deliveries.
        ///
        /// - Returns: whether the file did not have it before.
        func keep(_ arrival: Arrival) throws -> Bool {
            let body = try arrival.packed.map { packed in
                packed.bytes(try packed.headers.map { try TokenHeaders.id(of: $0, db) })
            }
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO received (uuid, at, body) VALUES (?, ?, ?)")
                .execute(arguments: [arrival.uuid, arrival.milliseconds, body ?? arrival.body])
            guard db.changesCount > 0 else { return false }
            let notification = db.lastInsertedRowID
            try arrival.facts.note(db, notification: notification, at: arrival.milliseconds)
            let insert = try db.cachedStatement(
                sql: "INSERT OR IGNORE INTO delivery VALUES (?, ?, 0, 0, ?, NULL)")
            for address in arrival.addresses {
                let address = try id(of: address)
                try insert.execute(arguments: [notification, address, arrival.milliseconds])
            }
            return true
        }

        /// The number of an address, which gets one if it has none.
        func id(of address: String) throws -> Int64 {
            let find = try db.cachedStatement(sql: "SELECT id FROM address WHERE url = ?")
            if let id = try Int64.fetchOne(find, arguments: [address]) { return id }
            try db.execute(sql: "INSERT INTO address (url) VALUES (?)", arguments: [address])
            return db.lastInsertedRowID
        }

        // MARK: - Leases

        /// Which forwarder delivers to an address, and until when; `nil` if none does.
        func lease(_ address: Int64) throws -> (owner: LeaseOwner, until: Double)? {
            let find = try db.cachedStatement(sql: "SELECT owner, until FROM lease WHERE address = ?")
            return try Row.fetchOne(find, arguments: [address]).map { row in
                (LeaseOwner(text: try row.decode(atIndex: 0)), try row.decode(Double.self, atIndex: 1))
            }
        }

        /// Takes or renews a lease, unless another forwarder has it at an instant.
        ///
        /// - Parameter former: an owner whose process has ended.
        /// - Returns: whether the owner has it now.
        func takeLease(
            _ address: Int64, by owner: LeaseOwner, from former: LeaseOwner?, at now: Double,
            until end: Double
        ) throws -> Bool {
            let take = try db.cachedStatement(
                sql: """
                    INSERT INTO lease VALUES (?1, ?2, ?4) ON CONFLICT (address) DO UPDATE
                    SET owner = ?2, until = ?4 WHERE owner IN (?2, ?5) OR until <= ?3
                    """)
            try take.execute(arguments: [address, owner.text, now, end, former?.text])
            return db.changesCount > 0
        }

        /// Gives a lease back, so that another forwarder need not wait for its end.
        func endLease(by owner: LeaseOwner) throws {
            try db.execute(sql: "DELETE FROM lease WHERE owner = ?", arguments: [owner.text])
        }

        // MARK: - Delivering

        /// The deliveries to an address that are due at an instant, in the order in which they became due.
        func due(_ address: Int64, at milliseconds: Double, limit: Int) throws -> [Due] {
            let find = try db.cachedStatement(
                sql: """
                    SELECT notification, attempts FROM delivery
                    WHERE state <> 1 AND state = 0 AND address = ? AND due <= ?
                    ORDER BY due, notification LIMIT ?
                    """)
            let rows = try Row.fetchCursor(find, arguments: [address, milliseconds, limit])
            var due: [Due] = []
            while let row = try rows.next() {
                due.append(
                    Due(
                        key: Key(notification: try row.decode(Int64.self, atIndex: 0), address: address),
                        attempts: try row.decode(Int.self, atIndex: 1)))
            }
            return due
        }

        /// A notification's identifier and body; an empty one if the file has none that can be read.
        func content(of notification: Int64) throws -> (uuid: String, body: Data)? {
            let find = try db.cachedStatement(sql: "SELECT uuid, body FROM received WHERE id = ?")
            return try Row.fetchOne(find, arguments: [notification]).map { row in
                (try row.decode(String.self, atIndex: 0), try readableBody(row, 1))
            }
        }

        /// The body that a row has; empty if its bytes stand for none, so that no check lets it pass.
        func readableBody(_ row: Row, _ column: Int) throws -> Data {
            let stored = try row.decode(Data.self, atIndex: column)
            return try PackedBody.body(of: stored) { try TokenHeaders.text($0, db) } ?? Data()
        }

        /// Records an attempt.
        ///
        /// - Parameter milliseconds: when it ended, in milliseconds since 1970.
        func record(_ change: Change, of key: Key, at milliseconds: Double) throws {
            try db.cachedStatement(
                sql: """
                    UPDATE delivery SET state = ?, attempts = attempts + 1, due = ?, failure = coalesce(?, failure)
                    WHERE notification = ? AND address = ? AND state = 0
                    """
            ).execute(arguments: [
                change.state.rawValue, change.due, change.failure, key.notification, key.address,
            ])
            guard let failure = change.failure, db.changesCount > 0 else { return }
            try db.cachedStatement(
                sql: "INSERT INTO attempt (notification, address, at, failure) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [key.notification, key.address, milliseconds, failure])
        }

        // MARK: - Asking

        /// A notification, when it came, and its body; `nil` if its time is over.
        func received(_ uuid: String) throws -> (id: Int64, milliseconds: Double, body: Data?)? {
            let find = try db.cachedStatement(
                sql: """
                    SELECT id, at, body, body = x'' AND NOT EXISTS (
                        SELECT * FROM event WHERE notification = received.id)
                    FROM received WHERE uuid = ?
                    """)
            return try Row.fetchOne(find, arguments: [uuid]).map { row in
                let isOver = try row.decode(Bool.self, atIndex: 3)
                return (
                    try row.decode(Int64.self, atIndex: 0), try row.decode(Double.self, atIndex: 1),
                    isOver ? nil : try readableBody(row, 2)
                )
            }
        }

        /// The deliveries of a notification, in the order of their addresses.
        func deliveries(of notification: Int64) throws -> [NotificationDelivery] {
            try deliveries("delivery.notification = ? ORDER BY address.url", [notification]).map(\.delivery)
        }

        /// Deliveries, and the numbers of their rows.
        ///
        /// - Parameter condition: ends the statement; the arguments are for it.
        func deliveries(
            _ condition: String, _ arguments: StatementArguments
        ) throws -> [(key: Key, delivery: NotificationDelivery)] {
            let find = try db.cachedStatement(
                sql: """
                    SELECT received.uuid, address.url, state, attempts, due, failure, delivery.notification, address.id
                    FROM delivery JOIN received ON received.id = delivery.notification
                    JOIN address ON address.id = delivery.address WHERE \(condition)
                    """)
            let rows = try Row.fetchCursor(find, arguments: arguments)
            var deliveries: [(key: Key, delivery: NotificationDelivery)] = []
            while let row = try rows.next() {
                let key = Key(
                    notification: try row.decode(Int64.self, atIndex: 6),
                    address: try row.decode(Int64.self, atIndex: 7))
                deliveries.append((key, try NotificationDelivery(row)))
            }
            return deliveries
        }
    }
#endif
