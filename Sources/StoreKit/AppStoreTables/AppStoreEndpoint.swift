/// An endpoint of the App Store Server API, or of an API beside it: the client sends requests to it, and the test store
/// answers there.
///
/// The limits are those of Apple's page
/// [Identifying rate limits](https://developer.apple.com/documentation/appstoreserverapi/identifying-rate-limits).
package enum AppStoreEndpoint: CaseIterable, Hashable, Sendable {
    // MARK: Transactions

    case transactionHistory, transactionInfo, appTransactionInfo, setAppAccountToken, sendConsumption,
        sendFormerConsumption, finishTransaction, lookUpOrder, refundHistory, formerTransactionHistory,
        formerRefundHistory

    // MARK: Subscriptions

    case subscriptionStatuses, extendRenewalDate, extendRenewalDates, renewalDatesExtension

    // MARK: Notifications

    case notificationHistory, requestTestNotification, testNotificationStatus

    // MARK: Retention messages

    case imageList, uploadImage, deleteImage, messageList, uploadMessage, deleteMessage, defaultMessage,
        setDefaultMessage, deleteDefaultMessage, realtimeURL, setRealtimeURL, deleteRealtimeURL,
        startPerformanceTest, performanceTestResult

    // MARK: Groups and seats

    case customerGroups, groupMembers, claimSeat, seatInfo, unclaimSeat, associateSeat

    // MARK: The Advanced Commerce API

    case cancelSubscription, changeMetadata, changePrice, migrateSubscription, revokeSubscription,
        requestRefund

    // MARK: The External Purchase Server API

    case sendExternalPurchaseReport, externalPurchaseReport

    /// A method of HTTP.
    package enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
    }

    /// The facts of Apple's pages about an endpoint.
    package struct Facts: Sendable {
        package let method: Method
        /// The path. A segment in braces is a parameter.
        package let path: String
        /// How many requests an app may make within a second in production.
        package let requestsPerSecond: Int
        /// Whether a request may be repeated when it is unknown if the App Store executed it. A repetition then has the
        /// same effect and the same answer.
        package let isIdempotent: Bool
        /// The last part of the address of Apple's page.
        package let page: String

        /// - Parameter isIdempotent: `nil` says that of GET alone.
        init(
            _ method: Method, _ path: String, perSecond requestsPerSecond: Int, isIdempotent: Bool? = nil,
            _ page: String
        ) {
            (self.method, self.path, self.page) = (method, path, page)
            self.requestsPerSecond = requestsPerSecond
            self.isIdempotent = isIdempotent ?? (method == .get)
        }
    }

    /// How many requests an app may make within a second. Outside of production, a tenth of the limits applies.
    package func limit(inProduction: Bool) -> Int {
        let limit = facts.requestsPerSecond
        return inProduction ? limit : max(1, limit / 10)
    }

    /// Whether production has the endpoint. Groups and seats are in the Sandbox alone.
    package var isInProduction: Bool { !facts.path.hasPrefix("/groups/") }
}
