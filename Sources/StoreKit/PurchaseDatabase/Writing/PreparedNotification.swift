#if SQLite
    package import GRDB
    package import StoreKitVerify

    /// A verified notification, as the file keeps it. An inbox writes it in one transaction with its own tables.
    package struct PreparedNotification: Sendable {
        /// Its `notificationUUID`, as the file has it.
        package var uuid: String { seen.uuid }
        /// What finds it again.
        package let facts: NotificationFacts
        /// The headers of its token and of those inside, in base64url.
        package let headers: Set<String>
        fileprivate let seen: SeenNotification
        fileprivate let purchases: [SQLiteTransactionStore.KeptPurchase]
    }

    extension SQLiteTransactionStore {
        /// Prepares a notification, so that writing it takes little time.
        ///
        /// - Parameter verifyingAgain: whether another verifier than the store's let it pass.
        /// - Throws: the reason why a payload inside it is unverified, or has no value; `SQLiteStoreError` if one has no
        ///   token.
        package func prepare(
            _ notification: ServerNotification, verifyingAgain: Bool
        ) async throws -> PreparedNotification {
            let purchases = try Self.purchases(in: notification).map {
                KeptPurchase(value: $0, payload: try StoredPayload($0))
            }
            if verifyingAgain { try await check(purchases) }
            let header = notification.signedContent.jwsRepresentation.prefix { $0 != "." }
            return PreparedNotification(
                facts: NotificationFacts(notification),
                headers: Set(purchases.map(\.payload.token.header) + [String(header)]),
                seen: SeenNotification(notification), purchases: purchases)
        }

        /// Writes a notification, and has the listeners told as soon as it is on the disk.
        package func write(_ notification: PreparedNotification, _ db: Database) throws {
            try write(notification.purchases, notification.seen, db)
        }
    }
#endif
