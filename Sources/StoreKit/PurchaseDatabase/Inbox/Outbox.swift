#if SQLite
    internal import Foundation
    internal import GRDB
    internal import StoreKitVerify

    /// The inbox in one transaction: the notifications that came, with their bodies and deliveries.
    struct Outbox {
        private let db: Database

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
            /// These find the notification again.
            let facts: NotificationFacts
            let addresses: [String]
        }

        /// Keeps a notification, and queues its deliveries.
        ///
        /// - Returns: whether the file did not have it before.
        func keep(_ arrival: Arrival) throws -> Bool {
            let packed = try arrival.packed.map { packed in
                packed.bytes(try packed.headers.map { try HeaderRows(db).id(of: $0) })
            }
            let notification = try ReceivedRows(db).add(
                arrival.uuid, at: arrival.milliseconds, packed ?? arrival.body)
            guard let notification else { return false }
            try EventRows(db).note(arrival.facts, of: notification, at: arrival.milliseconds)
            try DeliveryRows(db).add(
                notification, to: arrival.addresses.map { try AddressRows(db).id(of: $0) },
                due: arrival.milliseconds)
            return true
        }

        // MARK: - Replaying

        /// How many are queued in one transaction. Others write between two.
        private static let replayed = 2_000

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
            let address = try AddressRows(db).id(of: address)
            let chosen = try EventRows(db).notifications(range, after: last ?? .min, limit: Self.replayed)
            last = chosen.count < Self.replayed ? nil : chosen.last
            return try DeliveryRows(db).queue(chosen, to: address, due: milliseconds)
        }

        // MARK: - Dropping

        /// How many bodies are dropped in one transaction.
        private static let dropped = 500

        /// Drops some bodies, except those that still wait for a delivery.
        ///
        /// - Parameter last: the notification up to which this was done.
        /// - Returns: the notifications, in their order.
        func dropBodies(before milliseconds: Double, after last: Int64) throws -> [Int64] {
            let old = try EventRows(db).ended(before: milliseconds, after: last, limit: Self.dropped)
            for notification in old { _ = try dropBody(of: notification) }
            return old
        }

        /// Drops a body, and the rows that say its subject. SQLite overwrites it with zeros.
        ///
        /// - Returns: the number of its deliveries.
        private func dropBody(of notification: Int64) throws -> Int {
            try EventRows(db).delete(notification)
            let deliveries = try DeliveryRows(db).delete(notification)
            try ReceivedRows(db).emptyBody(of: notification)
            return deliveries
        }

        /// Drops the bodies and deliveries of a customer's notifications.
        ///
        /// - Returns: the numbers of both.
        func forget(_ erasure: inout CustomerErasure) throws -> (bodies: Int, deliveries: Int) {
            var all: [Int64] = []
            for subject in erasure.subjects {
                let bodies = try ReceivedRows(db).bodies(about: subject)
                while let body = try bodies.next() {
                    all.append(body.id)
                    erasure.addSignature(ofStoredBody: body.stored)
                }
            }
            for purchase in erasure.keptPurchases {
                let bodies = try ReceivedRows(db).bodies(about: Int64(bitPattern: purchase).databaseValue)
                while let body = try bodies.next() {
                    let whole = try PackedBody.body(of: body.stored) { try HeaderRows(db).text($0) }
                    guard erasure.isNamed(inBody: whole ?? Data()) else { continue }
                    all.append(body.id)
                    erasure.addSignature(ofStoredBody: body.stored)
                }
            }
            let deliveries = try all.reduce(0) { try $0 + dropBody(of: $1) }
            return (all.count, deliveries)
        }
    }
#endif
