#if ServerAPI
    /// An endpoint of the App Store Server API and of the APIs beside it: what is asked, how often, and whether a request may
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
            /// Deletes.
            case delete = "DELETE"
        }

        /// The API that an endpoint belongs to. Error codes have their names there.
        public enum Family: Sendable {
            /// The App Store Server API, retention messaging, groups and seats.
            case server
            /// The Advanced Commerce API.
            case advancedCommerce
            /// The External Purchase Server API.
            case externalPurchase
        }

        /// The method.
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
            sendFormerConsumption, finishTransaction, lookUpOrder, refundHistory,
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
    }

    extension APIEndpoint {
        /// The endpoints of subscriptions.
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
        /// The endpoints of notifications.
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

    extension APIEndpoint {
        /// The endpoints of retention messages. A repeated upload is an error, and so is a repeated deletion.
        static let messaging = [
            imageList, uploadImage, deleteImage, messageList, uploadMessage, deleteMessage, defaultMessage,
            setDefaultMessage, deleteDefaultMessage, realtimeURL, setRealtimeURL, deleteRealtimeURL,
            startPerformanceTest, performanceTestResult,
        ]

        private static let folder = "/inApps/v1/messaging"

        static let imageList = APIEndpoint(.get, folder + "/image/list", perSecond: 1, "get-image-list")
        static let uploadImage = APIEndpoint(.put, folder + "/image/{}", perSecond: 1, "upload-image")
        static let deleteImage = APIEndpoint(.delete, folder + "/image/{}", perSecond: 1, "delete-image")
        static let messageList = APIEndpoint(.get, folder + "/message/list", perSecond: 1, "get-message-list")
        static let uploadMessage = APIEndpoint(.put, folder + "/message/{}", perSecond: 1, "upload-message")
        static let deleteMessage = APIEndpoint(
            .delete, folder + "/message/{}", perSecond: 1, "delete-message")
        static let defaultMessage = APIEndpoint(
            .get, folder + "/default/{}/{}", perSecond: 1, "get-default-message")
        static let setDefaultMessage = APIEndpoint(
            .put, folder + "/default/{}/{}", perSecond: 10, isIdempotent: true, "configure-default-message")
        static let deleteDefaultMessage = APIEndpoint(
            .delete, folder + "/default/{}/{}", perSecond: 1, "delete-default-message")
        static let realtimeURL = APIEndpoint(.get, folder + "/realtime/url", perSecond: 1, "get-realtime-url")
        static let setRealtimeURL = APIEndpoint(
            .put, folder + "/realtime/url", perSecond: 1, isIdempotent: true, "configure-realtime-url")
        static let deleteRealtimeURL = APIEndpoint(
            .delete, folder + "/realtime/url", perSecond: 1, "delete-realtime-url")
        static let startPerformanceTest = APIEndpoint(
            .post, folder + "/performanceTest", perSecond: 1, "initiate-performance-test")
        static let performanceTestResult = APIEndpoint(
            .get, folder + "/performanceTest/result/{}", perSecond: 1, "get-performance-test-results")
    }

    extension APIEndpoint {
        /// The endpoints of groups and seats. Apple publishes no limits for them; 50 is assumed.
        static let groupsAndSeats = [
            customerGroups, groupMembers, claimSeat, seatInfo, unclaimSeat, associateSeat,
        ]

        private static let seats = "/groups/v1/transactions/{}/seats"

        static let customerGroups = APIEndpoint(
            .get, "/groups/v1/currentGroups/{}", perSecond: 50, "get-customer-groups")
        static let groupMembers = APIEndpoint(.get, "/groups/v1/group/{}", perSecond: 50, "get-group-members")
        /// A repeated identifier gives the same claim.
        static let claimSeat = APIEndpoint(.post, seats, perSecond: 50, isIdempotent: true, "claim-seat")
        static let seatInfo = APIEndpoint(.get, seats, perSecond: 50, "get-seat-info")
        static let unclaimSeat = APIEndpoint(.delete, seats + "/{}", perSecond: 50, "unclaim-seat")
        static let associateSeat = APIEndpoint(
            .post, seats + "/{}/associate", perSecond: 50, "associate-seat")
    }

    extension APIEndpoint {
        /// The endpoints of Advanced Commerce. A repeated reference is an error, unless the first request timed out.
        static let advancedCommerce = [
            cancelSubscription, changeMetadata, changePrice, migrateSubscription, revokeSubscription,
            requestRefund,
        ]

        private static func subscription(_ verb: String, perSecond: Int, _ page: String) -> APIEndpoint {
            APIEndpoint(
                .post, "/advancedCommerce/v1/subscription/" + verb + "/{}", perSecond: perSecond, page)
        }

        static let cancelSubscription = subscription("cancel", perSecond: 5, "cancel-a-subscription")
        static let changeMetadata = subscription(
            "changeMetadata", perSecond: 50, "change-subscription-metadata")
        static let changePrice = subscription("changePrice", perSecond: 50, "change-subscription-price")
        static let migrateSubscription = subscription("migrate", perSecond: 50, "migrate-a-subscription")
        static let revokeSubscription = subscription("revoke", perSecond: 5, "revoke-subscription")
        static let requestRefund = APIEndpoint(
            .post, "/advancedCommerce/v1/transaction/requestRefund/{}", perSecond: 5,
            "request-transaction-refund")
    }

    extension APIEndpoint {
        /// The endpoints of external purchases. Apple publishes no limits for them; 10 is assumed.
        static let externalPurchases = [sendExternalPurchaseReport, externalPurchaseReport]

        static let sendExternalPurchaseReport = APIEndpoint(
            .put, "/externalPurchase/v1/reports", perSecond: 10, "send-external-purchase-report")
        static let externalPurchaseReport = APIEndpoint(
            .get, "/externalPurchase/v1/reports/{}", perSecond: 10, "retrieve-external-purchase-report")
    }
#endif
