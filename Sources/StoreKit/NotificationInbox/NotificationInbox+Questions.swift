#if SQLite
    public import Foundation
    internal import GRDB
    internal import SignedPayloads
    internal import StoreKitVerify
    public import StoreKitVerifySQLite

    /// What an inbox knows.
    extension NotificationInbox {
        /// A notification that came; `nil` if the file has none of this identifier. What `importPayloads` or `apply` took in
        /// has no body, and is not here.
        ///
        /// - Throws: `SQLiteStoreError` if the file cannot be read, or the body in it is not verified.
        public func notification(
            _ notificationUUID: UUID
        ) async throws(SQLiteStoreError) -> ReceivedNotification? {
            let uuid = SeenNotification.key(notificationUUID)
            let found: ReceivedNotification? = try await store.file.read { db in
                let outbox = Outbox(db)
                guard let received = try outbox.received(uuid) else { return nil }
                return ReceivedNotification(
                    notificationUUID: notificationUUID,
                    date: Date(timeIntervalSince1970: received.milliseconds / 1000), body: received.body,
                    deliveries: try outbox.deliveries(of: received.id))
            }
            if let found { try await store.check(found.body, of: uuid) }
            return found
        }

        /// What is not delivered: first what was given up, then what waits; each beginning with the oldest. The time is
        /// linear in the number of all that is not delivered.
        ///
        /// - Parameter limit: the maximum number of deliveries to return.
        /// - Throws: `SQLiteStoreError` if the file cannot be read.
        public func undelivered(limit: Int = 1000) async throws(SQLiteStoreError) -> [NotificationDelivery] {
            try await store.file.read { db in try Outbox(db).undelivered(limit: max(0, limit)) }
        }

        /// Queues again what was given up.
        ///
        /// - Parameters:
        ///   - address: the address; `nil` for all.
        ///   - instant: when the first attempt is due.
        /// - Returns: the number of deliveries.
        /// - Throws: `SQLiteStoreError` if the file cannot be written.
        public func deliverAgain(
            to address: URL? = nil, at instant: Date
        ) async throws(SQLiteStoreError) -> Int {
            let milliseconds = instant.timeIntervalSince1970 * 1000
            let url = address?.absoluteString
            let count = try await store.commits.write { db in
                try Outbox(db).queueAgain(url, at: milliseconds)
            }
            store.deliveries.wake()
            return count
        }
    }

    extension SQLiteTransactionStore {
        /// Verifies the body of a notification that the file has: what the file says is a claim.
        ///
        /// - Parameter uuid: the `notificationUUID` under which the file has it, in lower case.
        func check(_ body: Data, of uuid: String) async throws(SQLiteStoreError) {
            let found: String
            do throws(PayloadError) {
                let token = try StoreKitVerifier.token(inBody: Array(body))
                let payload = try accepted.verify([token])[0].get()
                let notification: ServerNotification = try StoreKitVerifier(verifier).value(of: payload)
                found = SeenNotification.key(notification.notificationUUID)
            } catch {
                throw SQLiteStoreError(
                    .unverified, "the notification \(uuid) in the file is not verified: \(error.message)",
                    error)
            }
            guard found == uuid else {
                throw SQLiteStoreError(
                    .unverified, "the notification \(uuid) in the file is another one, \(found)")
            }
        }
    }
#endif
