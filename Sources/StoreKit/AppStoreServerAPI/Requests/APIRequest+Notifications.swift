#if ServerAPI
    internal import AppStoreTables
    public import StoreKitVerify
    internal import WireFormats
    public import Essentials

    /// Which notifications are asked for (Apple's `NotificationHistoryRequest`).
    public struct NotificationFilter: Hashable, Sendable {
        /// From this time on, at most 180 days ago.
        public var startDate: Date
        /// Up to this time, which may be in the future.
        public var endDate: Date
        /// Only this type. Not together with ``transactionID``.
        public var notificationType: ServerNotification.NotificationType?
        /// Only this subtype of the type.
        public var subtype: ServerNotification.Subtype?
        /// Only notifications that did not arrive.
        public var onlyFailures = false
        /// Only notifications of this transaction's customer. Not together with ``notificationType``.
        public var transactionID: String?

        /// - Parameters:
        ///   - startDate: from this time on, at most 180 days ago.
        ///   - endDate: up to this time.
        public init(from startDate: Date, to endDate: Date) {
            (self.startDate, self.endDate) = (startDate, endDate)
        }

        var json: ObjectText {
            var body = ObjectText()
            body.add("startDate", startDate.wholeMilliseconds)
            body.add("endDate", endDate.wholeMilliseconds)
            body.add("notificationType", notificationType?.rawValue)
            body.add("notificationSubtype", subtype?.rawValue)
            if onlyFailures { body.add("onlyFailures", true) }
            body.add("transactionId", transactionID)
            return body
        }
    }

    extension APIRequest where Answer == NotificationPage {
        /// Get Notification History. ``AppStoreServerAPIClient/notificationHistory(_:after:from:)`` asks for all pages.
        ///
        /// - Parameters:
        ///   - filter: which notifications.
        ///   - paginationToken: of the page before, which had the same filter.
        public static func notificationHistory(
            _ filter: NotificationFilter, paginationToken: String? = nil
        ) -> Self {
            APIRequest(
                .notificationHistory, query: page("paginationToken", paginationToken),
                body: .json(filter.json.utf8), read: NotificationPage.init)
        }
    }

    extension APIRequest where Answer == RequestedTestNotification {
        /// Request a Test Notification. The answer has the token for `testNotificationStatus(_:)`.
        public static var requestTestNotification: Self {
            APIRequest(.requestTestNotification, read: RequestedTestNotification.init)
        }
    }

    extension APIRequest where Answer == NotificationRecord {
        /// Get Test Notification Status.
        ///
        /// - Parameter token: of the request.
        public static func testNotificationStatus(_ token: String) -> Self {
            APIRequest(.testNotificationStatus, [token], read: NotificationRecord.init)
        }
    }
#endif
