#if SQLite
    internal import Foundation
    internal import GRDB
    internal import StoreKitVerify

    /// The table `received`: the bodies of the notifications that came to an inbox, in the order of their arrival.
    struct ReceivedRows {
        private let db: Database

        init(_ db: Database) { self.db = db }

        // MARK: - Writing

        /// Keeps a body.
        ///
        /// - Parameters:
        ///   - uuid: the `notificationUUID`, in lower case.
        ///   - milliseconds: when it came, in milliseconds since 1970.
        ///   - body: the body, or the packed one.
        /// - Returns: the number of its row; `nil` if the file has the notification already.
        func add(_ uuid: String, at milliseconds: Double, _ body: Data) throws -> Int64? {
            try db.cachedStatement(
                sql: "INSERT INTO received (uuid, at, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            ).execute(arguments: [uuid, milliseconds, body])
            return db.changesCount > 0 ? db.lastInsertedRowID : nil
        }

        /// Takes the row out and writes it again without its body. SQLite puts pages together when a row goes, and
        /// not when one becomes shorter: the room of bodies that are only emptied would never be used again.
        func emptyBody(of notification: Int64) throws {
            let find = try db.cachedStatement(sql: "SELECT uuid, at FROM received WHERE id = ?")
            guard let row = try Row.fetchOne(find, arguments: [notification]) else { return }
            try db.cachedStatement(sql: "DELETE FROM received WHERE id = ?").execute(arguments: [notification]
            )
            try db.cachedStatement(
                sql: "INSERT INTO received (id, uuid, at, body) VALUES (?, ?, ?, \(Dialect.noBytes))"
            ).execute(
                arguments: [
                    notification, try row.decode(String.self, atIndex: 0),
                    try row.decode(Double.self, atIndex: 1),
                ])
        }

        // MARK: - Reading

        /// A notification's identifier and body; an empty one if the file has none that can be read.
        func content(of notification: Int64) throws -> (uuid: String, body: Data)? {
            let find = try db.cachedStatement(sql: "SELECT uuid, body FROM received WHERE id = ?")
            return try Row.fetchOne(find, arguments: [notification]).map { row in
                (try row.decode(String.self, atIndex: 0), try body(row, 1))
            }
        }

        /// A notification, when it came, and its body; `nil` if its time is over.
        func notification(_ uuid: String) throws -> (id: Int64, milliseconds: Double, body: Data?)? {
            let find = try db.cachedStatement(
                sql: """
                    SELECT id, at, body, body = \(Dialect.noBytes) AND NOT EXISTS (
                        SELECT * FROM event WHERE notification = received.id)
                    FROM received WHERE uuid = ?
                    """)
            return try Row.fetchOne(find, arguments: [uuid]).map { row in
                let isOver = try row.decode(Bool.self, atIndex: 3)
                return (
                    try row.decode(Int64.self, atIndex: 0), try row.decode(Double.self, atIndex: 1),
                    isOver ? nil : try body(row, 2)
                )
            }
        }

        /// The rows and bodies of the notifications about a subject, as the file keeps them.
        func bodies(about subject: DatabaseValue) throws -> some Cursor<(id: Int64, stored: Data)> {
            let find = try db.cachedStatement(
                sql: """
                    SELECT event.notification, body FROM event JOIN received ON received.id = event.notification
                    WHERE event.subject = ?
                    """)
            return try Row.fetchCursor(find, arguments: [subject]).map { row in
                (id: try row.decode(Int64.self, atIndex: 0), stored: try row.decode(Data.self, atIndex: 1))
            }
        }

        /// A notification that is found.
        struct Found: Sendable {
            let id: Int64
            let uuid: String
            /// When it came, in milliseconds since 1970.
            let milliseconds: Double
            /// Empty if the file's bytes stand for no body.
            let body: Data
        }

        /// Notifications whose bodies are kept, the latest first.
        ///
        /// - Parameters:
        ///   - purchases: by their original transactions; `nil` for all.
        ///   - cursor: those before; `nil` for the latest.
        func latest(
            _ selection: NotificationSelection, about purchases: Set<UInt64>?, before cursor: Int64?,
            limit: Int
        ) throws -> [Found] {
            var (conditions, arguments) = (["event.notification < ?"], StatementArguments([cursor ?? .max]))
            func add(_ condition: String, _ values: [any DatabaseValueConvertible]) {
                conditions.append(condition)
                arguments += StatementArguments(values)
            }
            if let type = selection.type { add("event.type = ?", [type.rawValue]) }
            if let subtype = selection.subtype { add("event.subtype = ?", [subtype.rawValue]) }
            if let range = selection.range {
                let bounds = [range.lowerBound.milliseconds, range.upperBound.milliseconds]
                add("event.at >= ? AND event.at < ?", bounds)
            }
            if let purchases {
                let list = purchases.map { String(Int64(bitPattern: $0)) }.joined(separator: ",")
                add("event.subject IN \(Dialect.list)", ["[\(list)]"])
            }
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT received.id, uuid, received.at, body FROM event
                    JOIN received ON received.id = event.notification
                    WHERE \(conditions.joined(separator: " AND ")) ORDER BY event.notification DESC LIMIT ?
                    """,
                arguments: arguments + [limit])
            let found = rows.map { row in
                Found(
                    id: try row.decode(Int64.self, atIndex: 0), uuid: try row.decode(String.self, atIndex: 1),
                    milliseconds: try row.decode(Double.self, atIndex: 2), body: try body(row, 3))
            }
            return try Array(found)
        }

        /// The body that a row has; empty if its bytes stand for no body, so that no check lets it pass.
        private func body(_ row: Row, _ column: Int) throws -> Data {
            let stored = try row.decode(Data.self, atIndex: column)
            return try PackedBody.body(of: stored) { try HeaderRows(db).text($0) } ?? Data()
        }
    }
#endif
