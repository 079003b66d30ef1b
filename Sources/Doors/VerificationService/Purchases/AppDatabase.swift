#if Service
    package import Foundation
    internal import HTTPTypes
    internal import Logging
    internal import PayloadOutput
    package import PurchaseDatabase
    internal import StoreKitVerify

    /// An app's notifications and its customers' purchases, in a SQLite file.
    ///
    /// The parts share the file, and the verifier of its store.
    package struct AppDatabase: Sendable {
        let store: SQLiteTransactionStore
        let inbox: NotificationInbox
        private let secret: ForwardingSecret?
        private let forwardsMeaning: Bool
        /// How long notifications' bodies are kept; `nil` for ever.
        let keepsBodies: Duration?
        /// `nil` if the file is not compared with the App Store.
        let reconciliation: ReconciliationPlan?

        /// - Parameters:
        ///   - store: the file. Its verifier decides which payloads are the app's.
        ///   - addresses: where notifications are forwarded to.
        ///   - secret: signs forwarded notifications; `nil` leaves the signature out.
        ///   - forwardsMeaning: whether addresses get a notification's meaning, in place of the App Store's body.
        ///   - keepsBodies: how long notifications' bodies are kept; `nil` for ever.
        ///   - reconciliation: when the file is compared with the App Store; `nil` for never.
        package init(
            _ store: SQLiteTransactionStore, forwardingTo addresses: [URL] = [],
            secret: ForwardingSecret? = nil, forwardsMeaning: Bool = false, keepsBodies: Duration? = nil,
            reconciliation: ReconciliationPlan? = nil
        ) {
            self.store = store
            (self.secret, self.forwardsMeaning) = (secret, forwardsMeaning)
            (self.keepsBodies, self.reconciliation) = (keepsBodies, reconciliation)
            inbox = NotificationInbox(store, forwardingTo: addresses)
        }

        /// - Parameter monitor: gets the outcomes of the deliveries.
        func forwarder(_ monitor: DeliveryMonitor) -> NotificationForwarder {
            let meaning: @Sendable (ServerNotification) -> [UInt8] = { NotificationEvent($0).webhook }
            return NotificationForwarder(
                store, to: inbox.addresses, secret: secret, body: forwardsMeaning ? meaning : nil,
                tell: { monitor.tell($0) })
        }

        /// The sizes of the file and of SQLite's log beside it, in bytes.
        var sizes: (file: Int, log: Int) {
            func bytes(_ path: String) -> Int {
                let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
                return size ?? 0
            }
            return (bytes(store.file.path), bytes(store.file.path + "-wal"))
        }
    }

    extension ServedApps {
        /// The database of the app that a request names.
        ///
        /// - Throws: a `Problem` with the status 404, if the app has no file.
        func database(for request: RouteRequest) throws(Problem) -> AppDatabase {
            guard let database = try app(for: request).database else {
                throw Problem(
                    .notFound,
                    "This service keeps nothing for the app; start it with --database FILE, or with \"database\" in the configuration."
                )
            }
            return database
        }
    }

    extension RouteRequest {
        /// An answer of the database. Its failure becomes a `Problem`, and a line of the log.
        func answer<Value>(
            _ body: () async throws(SQLiteStoreError) -> Value
        ) async throws(Problem) -> Value {
            do throws(SQLiteStoreError) { return try await body() } catch { throw Problem(error, logger) }
        }
    }

    extension Problem {
        /// A failure of the file. It says nothing about the request, so the same one may succeed later. The log
        /// gets the reason, for the operator.
        init(_ error: SQLiteStoreError, _ logger: Logger) {
            // The client has gone, or the service ends: the file is not at fault.
            if error.code != .cancelled {
                logger.error("the database failed", metadata: ["reason": .string(error.description)])
            }
            let detail =
                switch error.code {
                case .cancelled: "The request was cancelled before the database's answer. Try again."
                case .full: "The disk of the service is full; nothing was kept. Try again later."
                case .busy: "Another process has locked the service's database; nothing was kept. Try again."
                case .unverified:
                    "A payload in the service's database is not verified; its log says which. It gives no answer from it."
                default: "The service's database failed, and its log says how. Try again later."
                }
            self.init(.serviceUnavailable, detail, headers: [.retryAfter: "10"])
        }
    }
#endif
