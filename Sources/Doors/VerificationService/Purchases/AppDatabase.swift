#if Service
    package import Foundation
    internal import HTTPTypes
    internal import Logging
    package import NotificationInbox
    package import StoreKitVerifySQLite

    /// What an app keeps: its notifications and its customers' purchases, in a SQLite file.
    ///
    /// The parts share the file, and the verifier of its store.
    package struct AppDatabase: Sendable {
        let store: SQLiteTransactionStore
        let inbox: NotificationInbox
        let forwarder: NotificationForwarder

        /// - Parameters:
        ///   - store: the file. Its verifier decides what the service takes for the app's.
        ///   - addresses: where notifications are forwarded to.
        ///   - secret: signs what is forwarded; `nil` leaves the signature out.
        package init(
            _ store: SQLiteTransactionStore, forwardingTo addresses: [URL] = [],
            secret: ForwardingSecret? = nil
        ) {
            self.store = store
            inbox = NotificationInbox(store, forwardingTo: addresses)
            forwarder = NotificationForwarder(store, to: addresses, secret: secret)
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

    extension Problem {
        /// A failure of the file. It says nothing about what was sent, so the same request may succeed later. The log
        /// gets what is for the operator.
        init(_ error: SQLiteStoreError, _ logger: Logger) {
            logger.error("the database failed", metadata: ["reason": .string(error.description)])
            let detail =
                switch error.code {
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
