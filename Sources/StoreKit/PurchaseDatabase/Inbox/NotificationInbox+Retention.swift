#if SQLite
    public import Foundation
    internal import GRDB

    /// What an inbox does not keep for ever.
    extension NotificationInbox {
        /// Drops the bodies of older notifications, with the results of their deliveries. Their identifiers stay, so
        /// that a repetition is recognised. The purchases stay, which are what customers own.
        ///
        /// A notification that still waits for a delivery is kept until that has ended. The file does not become
        /// smaller: new bodies take the room. Others may write between two transactions of some hundred notifications.
        ///
        /// - Parameter instant: bodies that came before it are dropped.
        /// - Returns: the number of bodies.
        /// - Throws: `SQLiteStoreError` if the file cannot be written.
        public func dropBodies(before instant: Date) async throws(SQLiteStoreError) -> Int {
            let milliseconds = instant.timeIntervalSince1970 * 1000
            var (count, last) = (0, Int64.min)
            while !Task.isCancelled {
                let dropped = try await store.commits.write { [last] db in
                    try Outbox(db).dropBodies(before: milliseconds, after: last)
                }
                count += dropped.count
                guard let end = dropped.last else { break }
                last = end
            }
            return count
        }
    }

    extension Outbox {
        /// How many bodies are dropped in one transaction.
        private static let dropped = 500

        /// Drops some bodies.
        ///
        /// - Parameter last: the notification up to which this was done.
        /// - Returns: the notifications, in their order.
        fileprivate func dropBodies(before milliseconds: Double, after last: Int64) throws -> [Int64] {
            let old = try Int64.fetchAll(
                db,
                sql: """
                    SELECT notification FROM event WHERE notification > ? AND at < ? AND NOT EXISTS (
                        SELECT * FROM delivery WHERE delivery.notification = event.notification AND state = 0)
                    ORDER BY notification LIMIT \(Self.dropped)
                    """,
                arguments: [last, milliseconds])
            for notification in old { try dropBody(of: notification) }
            return old
        }

        /// Drops a body, and all that says what it was about. SQLite overwrites it with zeros.
        ///
        /// - Returns: the number of its deliveries.
        @discardableResult
        func dropBody(of notification: Int64) throws -> Int {
            for table in ["event", "attempt"] {
                try db.cachedStatement(sql: "DELETE FROM \(table) WHERE notification = ?")
                    .execute(arguments: [notification])
            }
            try db.cachedStatement(sql: "DELETE FROM delivery WHERE notification = ?")
                .execute(arguments: [notification])
            let deliveries = db.changesCount
            try emptyBody(of: notification)
            return deliveries
        }

        /// Takes the row out and writes it again without its body. SQLite puts pages together when a row goes, and not when
        /// one becomes shorter: the room of bodies that are only emptied would never be used again.
        private func emptyBody(of notification: Int64) throws {
            let find = try db.cachedStatement(sql: "SELECT uuid, at FROM received WHERE id = ?")
            guard let row = try Row.fetchOne(find, arguments: [notification]) else { return }
            try db.cachedStatement(sql: "DELETE FROM received WHERE id = ?").execute(arguments: [notification]
            )
            try db.cachedStatement(sql: "INSERT INTO received (id, uuid, at, body) VALUES (?, ?, ?, x'')")
                .execute(
                    arguments: [
                        notification, try row.decode(String.self, atIndex: 0),
                        try row.decode(Double.self, atIndex: 1),
                    ])
        }
    }
#endif
