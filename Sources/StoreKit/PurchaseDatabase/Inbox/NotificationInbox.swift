#if SQLite
    public import Foundation
    internal import GRDB
    public import SignedPayloads
    internal import StoreKitVerify

    /// Receives the App Store's notifications, durably, for a server behind the address that it gave to Apple.
    ///
    /// A notification is verified, its purchases are applied to the store, its body is kept, and a delivery to each
    /// address is queued. All of it is on the disk when `receive(_:at:)` returns, in one transaction of SQLite, or
    /// none of it. Concurrent calls share transactions, so that one wait for the disk serves many of them.
    ///
    /// A `NotificationForwarder` sends the deliveries. Make one inbox and share it between tasks.
    public struct NotificationInbox: Sendable {
        /// The result for a request's body.
        public enum Outcome: Hashable, Sendable {
            /// The notification is new, and kept. The value is its `notificationUUID`.
            case accepted(UUID)
            /// The notification was kept before: the App Store repeats it until a server answers.
            case duplicate(UUID)
            /// The notification is not verified, and nothing of it is kept.
            case refused(PayloadError)

            /// Whether the same body may be accepted later, so that the App Store should repeat it. This is so if it is
            /// unknown whether a certificate was revoked.
            public var mayPassLater: Bool {
                if case .refused(let error) = self { error.isRetryable } else { false }
            }
        }

        /// The store that keeps the notifications.
        public let store: SQLiteTransactionStore
        /// The addresses to which each notification is forwarded.
        public let addresses: [URL]
        private let verifier: BatchVerifier
        /// Whether the verifier is another one than the store's.
        private let hasOwnVerifier: Bool

        /// - Parameters:
        ///   - store: keeps the notifications. Several inboxes may share one.
        ///   - addresses: where each notification is forwarded to, beginning with those that come from now on. They are
        ///     kept in the file as they are written, with the secrets in them.
        ///   - verifier: verifies a notification before the store's verifier does, for instance with the policy of one app;
        ///     `nil` leaves it to the store's.
        public init(
            _ store: SQLiteTransactionStore, forwardingTo addresses: [URL] = [],
            verifier: BatchVerifier? = nil
        ) {
            self.store = store
            self.addresses = addresses
            self.verifier = verifier ?? store.batch
            hasOwnVerifier = verifier != nil
        }

        /// The room for the text around the token in a body, in bytes: `{"signedPayload":"…"}`, and some white space.
        private static let envelopeBytes = 1024

        /// Takes the body of the App Store's request.
        ///
        /// Answer with the status 200 if it is accepted or a duplicate. Answer with 503 if `mayPassLater`, or if an
        /// error is thrown. Otherwise it is refused for good: answer with a status of 4xx.
        ///
        /// - Parameters:
        ///   - body: `{"signedPayload":"…"}`, or the token alone. It is forwarded as it is.
        ///   - instant: when it came.
        /// - Throws: `SQLiteStoreError` if the file does not keep it, for instance because the disk is full or the file
        ///   is locked. That says nothing about the notification: the App Store should repeat it.
        public func receive(
            _ body: some Sequence<UInt8>, at instant: Date
        ) async throws(SQLiteStoreError) -> Outcome {
            let body = [UInt8](body)
            let notification: ServerNotification
            let ready: ReadyPayload
            do {
                notification = try await verified(body)
                ready = try ReadyPayload(notification)
                if hasOwnVerifier { try await store.check(ready) }
            } catch let error as PayloadError {
                return .refused(error)
            } catch {
                throw SQLiteStoreError(error, store.file.path)
            }
            let arrival = Outbox.Arrival(
                uuid: SeenNotification.key(notification.notificationUUID),
                // Whole, so that the date that a list shows finds it again.
                milliseconds: instant.milliseconds.rounded(.down), body: Data(body),
                packed: PackedBody(body, headers: Self.headers(notification, ready)),
                facts: NotificationFacts(notification), addresses: addresses.map(\.absoluteString))
            let isNew = try await store.commits.write { [store] db in
                guard try Outbox(db).keep(arrival) else { return false }
                try store.write(ready, db)
                return true
            }
            guard isNew else { return .duplicate(notification.notificationUUID) }
            if !addresses.isEmpty { store.deliveries.wake() }
            return .accepted(notification.notificationUUID)
        }

        /// The headers of a notification's token and of those inside, in base64url.
        private static func headers(_ notification: ServerNotification, _ ready: ReadyPayload) -> Set<String>
        {
            let own = notification.signedContent.jwsRepresentation.prefix { $0 != "." }
            return Set(ready.stored.map(\.token.header) + [String(own)])
        }

        private func verified(
            _ body: [UInt8]
        ) async throws(PayloadError) -> ServerNotification {
            let limit = max(0, verifier.payloads.policy.maximumTokenBytes) + Self.envelopeBytes
            // Members beside the token are kept and forwarded, and no other check limits their length.
            guard body.count <= limit else { throw .tooLarge(bytes: body.count, limit: limit) }
            return try await verifier.verifiedNotification(body: body)
        }
    }
#endif
