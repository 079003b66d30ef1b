#if SQLite
    public import Foundation
    internal import GRDB
    internal import SignedPayloads
    internal import StoreKitVerify

    /// The questions that an inbox answers, and the commands of its operator.
    extension NotificationInbox {
        /// A notification that came; `nil` if the file has none of this identifier. A notification that
        /// `importPayloads` or `apply` took in has no body, and is not here.
        ///
        /// - Throws: `SQLiteStoreError` if the file cannot be read, or the body in it is not verified.
        public func notification(
            _ notificationUUID: UUID
        ) async throws(SQLiteStoreError) -> ReceivedNotification? {
            let uuid = SeenNotification.key(notificationUUID)
            let found: ReceivedNotification? = try await store.file.read { db in
                guard let received = try ReceivedRows(db).notification(uuid) else { return nil }
                let rows = DeliveryRows(db)
                return ReceivedNotification(
                    notificationUUID: notificationUUID,
                    date: Date(milliseconds: received.milliseconds), body: received.body,
                    deliveries: try rows.deliveries(of: received.id),
                    failures: try rows.failures(of: received.id))
            }
            if let body = found?.body { try store.check(body, of: uuid) }
            return found
        }

        // MARK: - Deliveries

        /// The deliveries that have not succeeded: first those that were given up, then those that wait; each
        /// beginning with the oldest notification. The time is linear in their number.
        ///
        /// - Parameter limit: the maximum number of deliveries to return.
        /// - Throws: `SQLiteStoreError` if the file cannot be read.
        public func undelivered(limit: Int = 1000) async throws(SQLiteStoreError) -> [NotificationDelivery] {
            try await deliveries(DeliverySelection(), limit: limit).deliveries
        }

        /// A page of deliveries. The time is linear in the number of deliveries that have not succeeded; for
        /// `.delivered`, in the number of all.
        ///
        /// - Parameters:
        ///   - selection: which deliveries.
        ///   - cursor: where the page begins; `nil` for the first.
        ///   - limit: the maximum number of deliveries to return.
        /// - Throws: `SQLiteStoreError` if the file cannot be read.
        public func deliveries(
            _ selection: DeliverySelection, after cursor: DeliveryPage.Cursor? = nil, limit: Int = 1000
        ) async throws(SQLiteStoreError) -> DeliveryPage {
            let limit = min(max(0, limit), Int(Int32.max))
            return try await store.file.read { db in
                try DeliveryRows(db).page(selection, after: cursor, limit: limit)
            }
        }

        /// How many deliveries of each address wait and were given up. The time is linear in their number.
        ///
        /// - Throws: `SQLiteStoreError` if the file cannot be read.
        public func deliveryCounts() async throws(SQLiteStoreError) -> [DeliveryCount] {
            try await store.file.read { db in try DeliveryRows(db).counts() }
        }

        /// Queues again the deliveries that were given up.
        ///
        /// - Parameters:
        ///   - address: the address; `nil` for all.
        ///   - instant: when the first attempt is due.
        /// - Returns: the number of deliveries.
        /// - Throws: `SQLiteStoreError` if the file cannot be written.
        public func deliverAgain(
            to address: URL? = nil, at instant: Date
        ) async throws(SQLiteStoreError) -> Int {
            try await change(at: instant) { [url = address?.absoluteString] deliveries, now in
                try deliveries.queueAgain(url, at: now)
            }
        }

        /// Sends the deliveries that wait as soon as possible, also to addresses that are left alone for a while.
        ///
        /// - Parameters:
        ///   - address: the address; `nil` for all.
        ///   - instant: now.
        /// - Returns: the number of deliveries that would have been due later.
        /// - Throws: `SQLiteStoreError` if the file cannot be written.
        public func deliverWaiting(
            to address: URL? = nil, at instant: Date
        ) async throws(SQLiteStoreError) -> Int {
            try await change(at: instant) { [url = address?.absoluteString] deliveries, now in
                try deliveries.hasten(url, to: now)
            }
        }

        /// Drops deliveries, for instance all that wait for an address that is no more. Their notifications stay.
        ///
        /// - Parameter selection: which deliveries.
        /// - Returns: the number of deliveries.
        /// - Throws: `SQLiteStoreError` if the file cannot be written.
        public func dropDeliveries(_ selection: DeliverySelection) async throws(SQLiteStoreError) -> Int {
            try await store.commits.write { db in try DeliveryRows(db).drop(selection) }
        }

        /// Queues the notifications of a range of time for one address, also those that it accepted before. It may be
        /// an address to which they were never forwarded.
        ///
        /// - Parameters:
        ///   - range: when the notifications came. Those whose bodies are no longer kept are left out.
        ///   - address: one of `addresses`, or the deliveries wait until it is.
        ///   - instant: when the first attempt is due.
        /// - Returns: the number of deliveries that were queued. Those that waited already are not counted.
        /// - Throws: `SQLiteStoreError` if the file cannot be written. Some thousand may be queued already then;
        ///   the same call queues the others.
        public func replay(
            _ range: Range<Date>, to address: URL, at instant: Date
        ) async throws(SQLiteStoreError) -> Int {
            let url = address.absoluteString
            let times = range.lowerBound.milliseconds..<range.upperBound.milliseconds
            var (count, last): (Int, Int64?) = (0, nil)
            repeat {
                let (queued, next) = try await store.commits.write { [last] db in
                    var last = last
                    let queued = try Outbox(db).replay(url, times, after: &last, at: instant.milliseconds)
                    return (queued, last)
                }
                (count, last) = (count + queued, next)
                store.deliveries.hasten()
            } while last != nil
            return count
        }

        /// Changes deliveries, and wakes the forwarders.
        private func change(
            at instant: Date, _ body: @Sendable @escaping (DeliveryRows, _ now: Double) throws -> Int
        ) async throws(SQLiteStoreError) -> Int {
            let now = instant.milliseconds
            let count = try await store.commits.write { db in try body(DeliveryRows(db), now) }
            store.deliveries.hasten()
            return count
        }
    }

    extension SQLiteTransactionStore {
        /// Verifies the body of a notification that the file has: the file's rows are claims.
        ///
        /// - Parameter uuid: the `notificationUUID` under which the file has it, in lower case.
        @discardableResult
        func check(_ body: Data, of uuid: String) throws(SQLiteStoreError) -> ServerNotification {
            let notification: ServerNotification
            do throws(PayloadError) {
                notification = try self.notification(in: body)
            } catch {
                throw SQLiteStoreError(
                    .unverified, "the notification \(uuid) in the file is not verified: \(error.message)",
                    error)
            }
            let found = SeenNotification.key(notification.notificationUUID)
            guard found == uuid else {
                throw SQLiteStoreError(
                    .unverified, "the notification \(uuid) in the file is another one, \(found)")
            }
            return notification
        }

        /// The notification in a body that the file has.
        ///
        /// - Throws: `PayloadError` if it is not verified.
        func notification(in body: Data) throws(PayloadError) -> ServerNotification {
            let token = try StoreKitVerifier.token(inBody: Array(body))
            return try StoreKitVerifier(verifier).value(of: try accepted.verify([token])[0].get())
        }
    }
#endif
