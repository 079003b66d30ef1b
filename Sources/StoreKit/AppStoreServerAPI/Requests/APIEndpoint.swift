#if ServerAPI
    /// An endpoint of the App Store Server API and of the APIs beside it: its name, its limit, and whether a request may
    /// be repeated.
    ///
    /// The limits are those of Apple's page
    /// [Identifying rate limits](https://developer.apple.com/documentation/appstoreserverapi/identifying-rate-limits).
    public struct APIEndpoint: Hashable, Sendable {
        /// A method of HTTP.
        public enum Method: String, Sendable {
            /// Reads.
            case get = "GET"
            /// Sets a value, or uploads one.
            case put = "PUT"
            /// Asks with a body, or starts something.
            case post = "POST"
            /// Removes a value.
            case delete = "DELETE"
        }

        /// The API that an endpoint belongs to. Error codes have their names there.
        public enum Family: Sendable {
            /// The App Store Server API, retention messaging, groups and seats.
            case server
            /// Advanced Commerce, whose error codes have other names.
            case advancedCommerce
            /// The External Purchase Server API.
            case externalPurchase
        }

        /// The method of HTTP.
        public let method: Method
        /// The path. `{}` stands for a parameter.
        public let path: String
        /// How many requests an app may make within a second in production. The Sandbox allows a tenth.
        public let requestsPerSecond: Int
        /// Whether a request may be repeated when it is unknown if the App Store executed it. A repetition then has the same
        /// effect and the same answer.
        public let isIdempotent: Bool
        /// The last part of the address of Apple's page.
        public let page: String

        /// - Parameters:
        ///   - method: the method.
        ///   - path: the path. `{}` stands for a parameter.
        ///   - requestsPerSecond: the limit in production.
        ///   - isIdempotent: whether a repetition has the same effect and the same answer. `nil` says that of GET alone.
        ///   - page: the last part of the address of Apple's page.
        init(
            _ method: Method, _ path: String, perSecond requestsPerSecond: Int, isIdempotent: Bool? = nil,
            _ page: String
        ) {
            self.method = method
            self.path = path
            self.requestsPerSecond = requestsPerSecond
            self.isIdempotent = isIdempotent ?? (method == .get)
            self.page = page
        }

        /// The API that the endpoint belongs to.
        public var family: Family {
            if path.hasPrefix("/advancedCommerce") { return .advancedCommerce }
            return path.hasPrefix("/externalPurchase") ? .externalPurchase : .server
        }

        /// Every endpoint.
        public static let all =
            purchases + subscriptions + notifications + messaging + groupsAndSeats + advancedCommerce
            + externalPurchases
    }

    extension APIEndpoint {
        /// The endpoints of transactions.
        static let purchases = [
            transactionHistory, transactionInfo, appTransactionInfo, setAppAccountToken, sendConsumption,
            sendFormerConsumption, finishTransaction, lookUpOrder, refundHistory, formerTransactionHistory,
            formerRefundHistory,
        ]

        static let transactionHistory = APIEndpoint(
            .get, "/inApps/v2/history/{}", perSecond: 50, "get-transaction-history")
        static let transactionInfo = APIEndpoint(
            .get, "/inApps/v1/transactions/{}", perSecond: 50, "get-transaction-info")
        static let appTransactionInfo = APIEndpoint(
            .get, "/inApps/v1/transactions/appTransactions/{}", perSecond: 50, "get-app-transaction-info")
        /// The last token counts, so a repetition changes nothing.
        static let setAppAccountToken = APIEndpoint(
            .put, "/inApps/v1/transactions/{}/appAccountToken", perSecond: 20, isIdempotent: true,
            "set-app-account-token")
        static let sendConsumption = APIEndpoint(
            .put, "/inApps/v2/transactions/consumption/{}", perSecond: 50, isIdempotent: true,
            "send-consumption-information")
        static let sendFormerConsumption = APIEndpoint(
            .put, "/inApps/v1/transactions/consumption/{}", perSecond: 50, isIdempotent: true,
            "send-consumption-information-v1")
        static let finishTransaction = APIEndpoint(
            .post, "/inApps/v1/transactions/{}/finish", perSecond: 50, isIdempotent: true,
            "finish-transaction")
        static let lookUpOrder = APIEndpoint(.get, "/inApps/v1/lookup/{}", perSecond: 10, "look-up-order-id")
        static let refundHistory = APIEndpoint(
            .get, "/inApps/v2/refund/lookup/{}", perSecond: 10, "get-refund-history")
        static let formerTransactionHistory = APIEndpoint(
            .get, "/inApps/v1/history/{}", perSecond: 50, "get-transaction-history-v1")
        static let formerRefundHistory = APIEndpoint(
            .get, "/inApps/v1/refund/lookup/{}", perSecond: 10, "get-refund-history-v1")
    }

    extension APIEndpoint {
        /// Statuses and extensions of renewal dates.
        static let subscriptions = [
            subscriptionStatuses, extendRenewalDate, extendRenewalDates, renewalDatesExtension,
        ]

        static let subscriptionStatuses = APIEndpoint(
            .get, "/inApps/v1/subscriptions/{}", perSecond: 50, "get-all-subscription-statuses")
        /// Apple does not say that a repeated identifier extends only once.
        static let extendRenewalDate = APIEndpoint(
            .put, "/inApps/v1/subscriptions/extend/{}", perSecond: 20, "extend-a-subscription-renewal-date")
        /// A repeated identifier extends only once.
        static let extendRenewalDates = APIEndpoint(
            .post, "/inApps/v1/subscriptions/extend/mass", perSecond: 1, isIdempotent: true,
            "extend-subscription-renewal-dates-for-all-active-subscribers")
        static let renewalDatesExtension = APIEndpoint(
            .get, "/inApps/v1/subscriptions/extend/mass/{}/{}", perSecond: 1,
            "get-status-of-subscription-renewal-date-extensions")
    }

    extension APIEndpoint {
        /// The history, and the two endpoints of a test.
        static let notifications = [notificationHistory, requestTestNotification, testNotificationStatus]

        /// The method is POST, and yet the request only reads.
        static let notificationHistory = APIEndpoint(
            .post, "/inApps/v1/notifications/history", perSecond: 50, isIdempotent: true,
            "get-notification-history")
        static let requestTestNotification = APIEndpoint(
            .post, "/inApps/v1/notifications/test", perSecond: 1, "request-a-test-notification")
        static let testNotificationStatus = APIEndpoint(
            .get, "/inApps/v1/notifications/test/{}", perSecond: 1, "get-test-notification-status")
    }
#endif
