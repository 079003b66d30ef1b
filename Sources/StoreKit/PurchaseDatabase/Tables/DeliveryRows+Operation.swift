#if SQLite
    internal import Foundation
    internal import GRDB

    /// What an operator asks of the deliveries, and does with them.
    extension Outbox {
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
                    add(
                        "delivery.notification IN (SELECT id FROM received WHERE at >= ?)",
                        since.timeIntervalSince1970 * 1000)
                }
            }

            mutating func add(_ condition: String, _ argument: some DatabaseValueConvertible) {
                text += " AND " + condition
                arguments += [argument]
            }
        }

        /// A page of deliveries: first what was given up, then what waits; each beginning with the oldest notification.
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
                        SELECT address, sum(state = 0) AS waiting, sum(state = 2) AS givenUp,
                            min(notification) FILTER (WHERE state = 0) AS oldest
                        FROM delivery WHERE state <> 1 GROUP BY address) ON address = address.id
                    ORDER BY url
                    """)
            var counts: [DeliveryCount] = []
            while let row = try rows.next() { counts.append(try DeliveryCount(row)) }
            return counts
        }

        /// Queues again what was given up.
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

        /// Makes what waits due at an instant, if it would be due later.
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

        /// Forgets the deliveries to an address that have not succeeded.
        ///
        /// - Returns: their number.
        func drop(_ selection: DeliverySelection) throws -> Int {
            let condition = Condition(selection)
            try db.execute(
                sql: "DELETE FROM delivery WHERE \(condition.text)", arguments: condition.arguments)
            return db.changesCount
        }

        /// Queues notifications of a range of time for an address, those that were delivered or given up too.
        ///
        /// - Parameters:
        ///   - range: when they came, in milliseconds since 1970.
        ///   - last: the notification up to which this was done; it is moved on, and `nil` at the end.
        ///   - milliseconds: when they are due.
        /// - Returns: the number of deliveries that were queued.
        func replay(
            _ address: String, _ range: Range<Double>, after last: inout Int64?, at milliseconds: Double
        ) throws -> Int {
            let address = try id(of: address)
            let chosen = try Int64.fetchAll(
                db,
                sql: """
                    SELECT notification FROM event WHERE notification > ? AND at >= ? AND at < ?
                    ORDER BY notification LIMIT \(Self.replayed)
                    """,
                arguments: [last ?? .min, range.lowerBound, range.upperBound])
            let queue = try db.cachedStatement(
                sql: """
                    INSERT INTO delivery VALUES (?1, ?2, 0, 0, ?3, NULL) ON CONFLICT (notification, address)
                    DO UPDATE SET state = 0, attempts = 0, due = ?3 WHERE state <> 0
                    """)
            var count = 0
            for notification in chosen {
                try queue.execute(arguments: [notification, address, milliseconds])
                count += db.changesCount
            }
            last = chosen.count < Self.replayed ? nil : chosen.last
            return count
        }

        /// How many are queued in one transaction. Others write between two.
        private static let replayed = 2_000

        /// Why attempts to deliver a notification failed, in their order.
        func failures(of notification: Int64) throws -> [DeliveryFailure] {
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT url, at, failure FROM attempt JOIN address ON address.id = attempt.address
                    WHERE notification = ? ORDER BY attempt.id
                    """,
                arguments: [notification])
            var failures: [DeliveryFailure] = []
            while let row = try rows.next() { failures.append(try DeliveryFailure(row)) }
            return failures
        }
    }
#endif
