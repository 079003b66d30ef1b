#if SQLite
    public import Foundation
    internal import GRDB
    public import SignedPayloads
    public import StoreKitVerify

    /// Which notifications are meant.
    public struct NotificationSelection: Sendable {
        /// The `notificationType`; `nil` for all.
        public var type: ServerNotification.NotificationType?
        /// The `subtype`; `nil` for all, also for notifications without one.
        public var subtype: ServerNotification.Subtype?
        /// Whose purchases they are about; `nil` for all, and for those that are about no purchase.
        public var customer: Customer?
        /// When they came, from the first instant to before the last; `nil` for any time.
        public var range: Range<Date>?

        /// All notifications.
        public init() {}
    }

    /// Some notifications, the latest first, and where earlier ones begin.
    public struct NotificationPage: Sendable {
        /// A notification that the file has.
        public struct Item: Sendable {
            /// Its `notificationUUID`, in lower case.
            public let identifier: String
            /// When it came.
            public let date: Date
            /// The notification; or why its body in the file is not verified.
            public let notification: Result<ServerNotification, PayloadError>
        }

        /// The notifications.
        public let items: [Item]
        /// Where the next page begins, which is a number; `nil` on the last one.
        public let next: Int64?
    }

    extension NotificationInbox {
        /// The latest notifications whose bodies are kept. Each is verified again.
        ///
        /// The file's columns find them: a file that another program changed may lack some. Those that are there
        /// were signed by the App Store, and are about the customer that was asked for.
        ///
        /// - Parameters:
        ///   - selection: which notifications.
        ///   - cursor: where the page begins; `nil` for the latest.
        ///   - limit: the maximum number of notifications to return. Each takes some 20 kB of memory.
        /// - Throws: `SQLiteStoreError` if the file cannot be read.
        public func notifications(
            _ selection: NotificationSelection, before cursor: Int64? = nil, limit: Int = 100
        ) async throws(SQLiteStoreError) -> NotificationPage {
            var purchases: Set<UInt64>?
            if let customer = selection.customer, customer != .everyone {
                // By the names that were signed.
                let history = try await store.widerHistory(of: customer)
                purchases = Set(
                    history.purchases(of: customer).purchases.map(
                        \.id.originalTransactionID))
            }
            let limit = min(max(1, limit), Int(Int32.max))
            let rows = try await store.file.read { [purchases] db in
                try ReceivedRows(db).latest(selection, about: purchases, before: cursor, limit: limit + 1)
            }
            let shown = Array(rows.prefix(limit))
            let items = shown.map { row in
                NotificationPage.Item(
                    identifier: row.uuid, date: Date(milliseconds: row.milliseconds),
                    notification: Result { () throws(PayloadError) in try store.notification(in: row.body) })
            }
            return NotificationPage(
                items: items.filter { $0.isAbout(purchases) }, next: rows.count > limit ? shown.last?.id : nil
            )
        }
    }

    extension NotificationPage.Item {
        /// Whether a verified one is about one of the purchases; `nil` for all.
        fileprivate func isAbout(_ purchases: Set<UInt64>?) -> Bool {
            guard let purchases, case .success(let notification) = notification else { return true }
            return notification.originalID.map(purchases.contains) ?? false
        }
    }

    extension ServerNotification {
        /// The original transaction of the purchase that it is about.
        var originalID: UInt64? {
            data?.transaction?.unsafePayloadValue.originalID
                ?? data?.renewalInfo?.unsafePayloadValue.originalTransactionID
        }
    }
#endif
