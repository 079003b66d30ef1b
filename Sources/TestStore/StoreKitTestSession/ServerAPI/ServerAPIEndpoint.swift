internal import StoreKitVerify
internal import WireFormats

/// A path of the App Store Server API, and what answers there.
///
/// The limits are those of Apple's page "Identifying rate limits". The Sandbox allows a tenth of them.
struct ServerAPIEndpoint: Sendable {
    /// An answer, or Apple's error. HTTP itself is the caller's.
    typealias Answer = @Sendable (ServerAPICall) throws(ServerAPIError) -> ServerAPIResponse

    let method: String
    /// The path. A segment in braces is a parameter.
    let path: String
    /// The limit in production.
    let requestsPerSecond: Int
    /// Makes the answer, after the token and the limit were checked.
    let answer: Answer

    /// - Parameter perSecond: Apple's limit in production for this path.
    init(
        _ method: String, _ path: String, perSecond: Int,
        _ answer: @escaping @Sendable (ServerAPICall) -> () throws(ServerAPIError) -> ServerAPIResponse
    ) {
        self.init(method, path, perSecond: perSecond) { (call) throws(ServerAPIError) in try answer(call)() }
    }

    /// An endpoint of which several share an answer.
    init(_ method: String, _ path: String, perSecond: Int, _ answer: @escaping Answer) {
        self.method = method
        self.path = path
        requestsPerSecond = perSecond
        self.answer = answer
    }

    /// What requests are counted by.
    var name: String { "\(method) \(path)" }

    /// Every path that is answered.
    static let all =
        purchases + subscriptionsAndRefunds + notifications + retentionMessaging + groupsAndSeats
        + advancedCommerce + externalPurchases

    /// The parameters of a path, by their names; `nil` if it is another endpoint's path.
    ///
    /// A segment is compared as it was sent. Only parameters are decoded, so an encoded slash stays within
    /// one.
    func parameters(of segments: [Substring]) -> [Substring: String]? {
        let own = path.split(separator: "/", omittingEmptySubsequences: false)
        guard own.count == segments.count else { return nil }
        var parameters: [Substring: String] = [:]
        for (own, segment) in zip(own, segments) {
            if own.hasPrefix("{") {
                guard let value = PercentEncoding.decoded(segment), !value.isEmpty else { return nil }
                parameters[own.dropFirst().dropLast()] = value
            } else if own != segment {
                return nil
            }
        }
        return parameters
    }

    private static let purchases = [
        ServerAPIEndpoint("GET", "/inApps/v2/history/{id}", perSecond: 50) {
            (call) throws(ServerAPIError) in try call.history(version: 2)
        },
        ServerAPIEndpoint("GET", "/inApps/v1/history/{id}", perSecond: 50) {
            (call) throws(ServerAPIError) in try call.history(version: 1)
        },
        ServerAPIEndpoint(
            "GET", "/inApps/v1/transactions/{id}", perSecond: 50, ServerAPICall.transactionInfo),
        ServerAPIEndpoint(
            "GET", "/inApps/v1/transactions/appTransactions/{id}", perSecond: 50,
            ServerAPICall.appTransactionInfo),
        ServerAPIEndpoint(
            "PUT", "/inApps/v1/transactions/{id}/appAccountToken", perSecond: 20,
            ServerAPICall.setAppAccountToken),
        ServerAPIEndpoint("POST", "/inApps/v1/transactions/{id}/finish", perSecond: 50, ServerAPICall.finish),
        ServerAPIEndpoint("GET", "/inApps/v1/lookup/{order}", perSecond: 10, ServerAPICall.lookUpOrder),
        ServerAPIEndpoint(
            "PUT", "/inApps/v2/transactions/consumption/{id}", perSecond: 50, ServerAPICall.takeConsumption),
        ServerAPIEndpoint(
            "PUT", "/inApps/v1/transactions/consumption/{id}", perSecond: 50,
            ServerAPICall.takeFormerConsumption),
    ]

    private static let subscriptionsAndRefunds = [
        ServerAPIEndpoint(
            "GET", "/inApps/v1/subscriptions/{id}", perSecond: 50, ServerAPICall.subscriptionStatuses),
        ServerAPIEndpoint(
            "PUT", "/inApps/v1/subscriptions/extend/{id}", perSecond: 20, ServerAPICall.extendOne),
        ServerAPIEndpoint(
            "POST", "/inApps/v1/subscriptions/extend/mass", perSecond: 1, ServerAPICall.extendMany),
        ServerAPIEndpoint(
            "GET", "/inApps/v1/subscriptions/extend/mass/{product}/{request}", perSecond: 1,
            ServerAPICall.massExtensionStatus),
        ServerAPIEndpoint("GET", "/inApps/v2/refund/lookup/{id}", perSecond: 10, ServerAPICall.refundHistory),
        ServerAPIEndpoint(
            "GET", "/inApps/v1/refund/lookup/{id}", perSecond: 10, ServerAPICall.formerRefundHistory),
    ]

    private static let notifications = [
        ServerAPIEndpoint(
            "POST", "/inApps/v1/notifications/history", perSecond: 50, ServerAPICall.notificationHistory),
        ServerAPIEndpoint(
            "POST", "/inApps/v1/notifications/test", perSecond: 1, ServerAPICall.requestTestNotification),
        ServerAPIEndpoint(
            "GET", "/inApps/v1/notifications/test/{token}", perSecond: 1, ServerAPICall.testNotificationStatus
        ),
    ]
}
