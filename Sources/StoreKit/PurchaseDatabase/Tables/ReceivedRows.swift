#if SQLite
    internal import Foundation
    internal import GRDB
    internal import SignedPayloads
    internal import StoreKitVerify

    /// The notifications, found by what they are about.
    extension Outbox {
        /// A notification that is found.
        struct Event: Sendable {
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
        func events(
            _ selection: NotificationSelection, about purchases: Set<UInt64>?, before cursor: Int64?,
            limit: Int
        ) throws -> [Event] {
            var (conditions, arguments) = (["event.notification < ?"], StatementArguments([cursor ?? .max]))
            func add(_ condition: String, _ values: [any DatabaseValueConvertible]) {
                conditions.append(condition)
                arguments += StatementArguments(values)
            }
            if let type = selection.type { add("event.type = ?", [type.rawValue]) }
            if let subtype = selection.subtype { add("event.subtype = ?", [subtype.rawValue]) }
            if let range = selection.range {
                add(
                    "event.at >= ? AND event.at < ?",
                    [
                        range.lowerBound.timeIntervalSince1970 * 1000,
                        range.upperBound.timeIntervalSince1970 * 1000,
                    ])
            }
            if let purchases {
                let list = purchases.map { String(Int64(bitPattern: $0)) }.joined(separator: ",")
                add("event.subject IN (SELECT value FROM json_each(?))", ["[\(list)]"])
            }
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT received.id, uuid, received.at, body FROM event
                    JOIN received ON received.id = event.notification
                    WHERE \(conditions.joined(separator: " AND ")) ORDER BY event.notification DESC LIMIT ?
                    """,
                arguments: arguments + [limit])
            var events: [Event] = []
            while let row = try rows.next() {
                events.append(
                    Event(
                        id: try row.decode(Int64.self, atIndex: 0),
                        uuid: try row.decode(String.self, atIndex: 1),
                        milliseconds: try row.decode(Double.self, atIndex: 2),
                        body: try readableBody(row, 3)))
            }
            return events
        }
    }
#endif
