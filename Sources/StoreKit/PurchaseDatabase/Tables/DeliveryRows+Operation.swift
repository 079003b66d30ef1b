#if SQLite
    internal import Foundation
    internal import GRDB

    /// The questions and commands of an operator about deliveries.
    extension DeliveryRows {
        /// The part of a statement that selects deliveries. `delivery.state <> 1` lets SQLite use the index of those
        /// that have not ended, which stays short.
        private struct Condition {
            var text: String
            var arguments: StatementArguments

            init(_ selection: DeliverySelection) {
                text = selection.state == .delivered ? "delivery.state = 1" : "delivery.state <> 1"
                arguments = []
                if let state = selection.state, state != .delivered {
                    add("delivery.state = ?", state.rawValue)
                }
                if let address = selection.address {
                    add("delivery.address = (SELECT id FROM address WHERE url = ?)", address)
                }
                if let since = selection.since {
                    let condition = "delivery.notification IN (SELECT id FROM received WHERE at >= ?)"
                    add(condition, since.milliseconds)
                }
            }

            mutating func add(_ condition: String, _ argument: some DatabaseValueConvertible) {
                text += " AND " + condition
                arguments += [argument]
            }
        }

        /// A page of deliveries: first those that were given up, then those that wait; each beginning with the oldest
        /// notification.
        func page(
            _ selection: DeliverySelection, after cursor: DeliveryPage.Cursor?, limit: Int
        ) throws -> DeliveryPage {
            var condition = Condition(selection)
            if let cursor {
                condition.text += """
                     AND (delivery.state < ? OR delivery.state = ? AND (delivery.notification, delivery.address) > (?, ?))
                    """
                condition.arguments += [
                    cursor.state, cursor.state, cursor.key.notification, cursor.key.address,
                ]
            }
            condition.text += """
                 ORDER BY delivery.state DESC, delivery.notification, delivery.address LIMIT ?
                """
            condition.arguments += [limit + 1]
            let found = try deliveries(condition.text, condition.arguments)
            let shown = found.prefix(limit)
            let next = found.count > limit ? shown.last : nil
            return DeliveryPage(
                deliveries: shown.map(\.delivery),
                next: next.map { DeliveryPage.Cursor(state: $0.delivery.state.rawValue, key: $0.key) })
        }

        /// How many deliveries of each address have not ended.
        func counts() throws -> [DeliveryCount] {
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT url, waiting, givenUp, (SELECT at FROM received WHERE id = oldest) FROM address JOIN (
                        SELECT address, count(*) FILTER (WHERE state = 0) AS waiting,
                            count(*) FILTER (WHERE state = 2) AS givenUp, min(notification) FILTER (WHERE state = 0) AS oldest
                        FROM delivery WHERE state <> 1 GROUP BY address) ON address = address.id
                    ORDER BY url
                    """)
            return try Array(rows.map { try DeliveryCount($0) })
        }

        /// Queues again the deliveries that were given up.
        ///
        /// - Returns: the number of deliveries.
        func queueAgain(_ address: String?, at milliseconds: Double) throws -> Int {
            try db.execute(
                sql: """
                    UPDATE delivery SET state = 0, attempts = 0, due = ?1 WHERE state <> 1 AND state = 2
                    AND (?2 IS NULL OR address = (SELECT id FROM address WHERE url = ?2))
                    """,
                arguments: [milliseconds, address])
            return db.changesCount
        }

        /// Makes the waiting deliveries due at an instant, if they would be due later.
        ///
        /// - Returns: the number of deliveries.
        func hasten(_ address: String?, to milliseconds: Double) throws -> Int {
            try db.execute(
                sql: """
                    UPDATE delivery SET due = ?1 WHERE state <> 1 AND state = 0 AND due > ?1
                    AND (?2 IS NULL OR address = (SELECT id FROM address WHERE url = ?2))
                    """,
                arguments: [milliseconds, address])
            return db.changesCount
        }

        /// Takes out the deliveries of a selection.
        ///
        /// - Returns: their number.
        func drop(_ selection: DeliverySelection) throws -> Int {
            let condition = Condition(selection)
            try db.execute(
                sql: "DELETE FROM delivery WHERE \(condition.text)", arguments: condition.arguments)
            return db.changesCount
        }

        /// Queues notifications for an address, those that were delivered or given up too.
        ///
        /// - Parameter milliseconds: when they are due.
        /// - Returns: the number of deliveries that did not wait already.
        func queue(_ notifications: [Int64], to address: Int64, due milliseconds: Double) throws -> Int {
            let queue = try db.cachedStatement(
                sql: """
                    INSERT INTO delivery VALUES (?1, ?2, 0, 0, ?3, NULL) ON CONFLICT (notification, address)
                    DO UPDATE SET state = 0, attempts = 0, due = ?3 WHERE delivery.state <> 0
                    """)
            var count = 0
            for notification in notifications {
                try queue.execute(arguments: [notification, address, milliseconds])
                count += db.changesCount
            }
            return count
        }
    }

    extension DeliveryCount {
        /// Reads a row: the columns url, waiting, givenUp and the time of the oldest.
        fileprivate init(_ row: Row) throws {
            self.init(
                address: try row.decode(String.self, atIndex: 0),
                waiting: try row.decode(Int.self, atIndex: 1),
                givenUp: try row.decode(Int.self, atIndex: 2),
                oldestWaiting: try row.decode(Double?.self, atIndex: 3).map(Date.init(milliseconds:)))
        }
    }
#endif
