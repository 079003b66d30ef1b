#if SQLite
    internal import Foundation
    internal import GRDB
    internal import WireFormats

    /// The tables `delivery` and `attempt`: which notification is to go to which address, and the attempts that failed.
    struct DeliveryRows {
        let db: Database

        init(_ db: Database) { self.db = db }

        /// A delivery, by the numbers of its notification and address in the file.
        struct Key: Hashable, Sendable {
            let notification: Int64
            let address: Int64
        }

        /// A delivery that waits for its first or next attempt.
        struct Waiting: Sendable {
            let key: Key
            /// The number of attempts until now.
            let attempts: Int
            /// When the next one is due, in milliseconds since 1970.
            let due: Double
        }

        /// The change that an attempt makes.
        struct Change: Sendable {
            let state: NotificationDelivery.State
            /// When to try next, or when it ended, in milliseconds since 1970.
            let due: Double
            /// Why the attempt failed; `nil` if it did not.
            let failure: String?
        }

        // MARK: - Delivering

        /// Queues deliveries of a notification, unless they are there.
        ///
        /// - Parameters:
        ///   - addresses: the numbers of the addresses.
        ///   - milliseconds: when they are due.
        func add(_ notification: Int64, to addresses: [Int64], due milliseconds: Double) throws {
            let insert = try db.cachedStatement(
                sql: "INSERT INTO delivery VALUES (?, ?, 0, 0, ?, NULL) ON CONFLICT DO NOTHING")
            for address in addresses { try insert.execute(arguments: [notification, address, milliseconds]) }
        }

        /// The first deliveries that wait for an address, in the order in which they become due.
        func waiting(_ address: Int64, limit: Int) throws -> [Waiting] {
            let find = try db.cachedStatement(
                sql: """
                    SELECT notification, attempts, due FROM delivery
                    WHERE state <> 1 AND state = 0 AND address = ?
                    ORDER BY due, notification LIMIT ?
                    """)
            let rows = try Row.fetchCursor(find, arguments: [address, limit]).map { row in
                Waiting(
                    key: Key(notification: try row.decode(Int64.self, atIndex: 0), address: address),
                    attempts: try row.decode(Int.self, atIndex: 1),
                    due: try row.decode(Double.self, atIndex: 2))
            }
            return try Array(rows)
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

        /// Takes out the deliveries of a notification, and the attempts.
        ///
        /// - Returns: the number of deliveries.
        func delete(_ notification: Int64) throws -> Int {
            try db.cachedStatement(sql: "DELETE FROM attempt WHERE notification = ?")
                .execute(arguments: [notification])
            try db.cachedStatement(sql: "DELETE FROM delivery WHERE notification = ?")
                .execute(arguments: [notification])
            return db.changesCount
        }

        // MARK: - Reading

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
            let rows = try Row.fetchCursor(find, arguments: arguments).map { row in
                let key = Key(
                    notification: try row.decode(Int64.self, atIndex: 6),
                    address: try row.decode(Int64.self, atIndex: 7))
                return (key: key, delivery: try NotificationDelivery(row))
            }
            return try Array(rows)
        }

        /// Why attempts to deliver a notification failed, in their order.
        func failures(of notification: Int64) throws -> [DeliveryFailure] {
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT url, at, failure FROM attempt JOIN address ON address.id = attempt.address
                    WHERE notification = ? ORDER BY attempt.id
                    """,
                arguments: [notification])
            return try Array(rows.map { try DeliveryFailure($0) })
        }
    }

    extension NotificationDelivery {
        /// Reads a row: the columns uuid, url, state, attempts, due and failure.
        fileprivate init(_ row: Row) throws {
            guard let uuid = UUID(canonicalForm: try row.decode(String.self, atIndex: 0)),
                let state = State(rawValue: try row.decode(Int.self, atIndex: 2))
            else { throw SQLiteStoreError(.damaged, "a delivery has an invalid UUID or state") }
            self.init(
                notificationUUID: uuid, address: try row.decode(String.self, atIndex: 1), state: state,
                attempts: try row.decode(Int.self, atIndex: 3),
                date: Date(milliseconds: try row.decode(Double.self, atIndex: 4)),
                lastFailure: try row.decode(String?.self, atIndex: 5))
        }
    }

    extension DeliveryFailure {
        /// Reads a row: the columns url, at and failure.
        fileprivate init(_ row: Row) throws {
            self.init(
                address: try row.decode(String.self, atIndex: 0),
                date: Date(milliseconds: try row.decode(Double.self, atIndex: 1)),
                reason: try row.decode(String.self, atIndex: 2))
        }
    }
#endif
