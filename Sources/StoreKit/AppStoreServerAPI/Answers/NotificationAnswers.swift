#if ServerAPI
    public import StoreKitVerify
    public import Essentials

    /// A notification, and how it was sent (Apple's `NotificationHistoryResponseItem` and `CheckTestNotificationResponse`).
    public struct NotificationRecord: Sendable {
        /// The notification that the App Store sent, verified or not (Apple's `signedPayload`).
        public let notification: VerificationResult<ServerNotification>
        /// The attempts to send it, six at most.
        public let sendAttempts: [SendAttempt]

        init(_ answer: AnswerObject) throws(AnswerError) {
            notification = try answer.signed("signedPayload")
            sendAttempts = try answer.objects("sendAttempts") { (attempt) throws(AnswerError) in
                SendAttempt(
                    date: try attempt.date("attemptDate"),
                    result: SendAttemptResult(rawValue: try attempt.text("sendAttemptResult")))
            }
        }
    }

    /// An attempt to send a notification (Apple's `SendAttemptItem`).
    public struct SendAttempt: Hashable, Sendable {
        /// When it was.
        public let date: Date
        /// Whether the server accepted the notification, or why it did not.
        public let result: SendAttemptResult
    }

    /// The result of an attempt to send a notification (Apple's `SendAttemptResult`).
    public struct SendAttemptResult: RawRepresentable, Hashable, Sendable {
        /// Apple's name.
        public let rawValue: String

        /// Makes a value from its raw form, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The server accepted the notification.
        public static let success = SendAttemptResult(rawValue: "SUCCESS")
        /// There was no answer in time.
        public static let timedOut = SendAttemptResult(rawValue: "TIMED_OUT")
        /// TLS failed: the certificate or the protocol.
        public static let tlsIssue = SendAttemptResult(rawValue: "TLS_ISSUE")
        /// The redirections led in a circle.
        public static let circularRedirect = SendAttemptResult(rawValue: "CIRCULAR_REDIRECT")
        /// There was no answer.
        public static let noResponse = SendAttemptResult(rawValue: "NO_RESPONSE")
        /// The connection failed.
        public static let socketIssue = SendAttemptResult(rawValue: "SOCKET_ISSUE")
        /// The answer's character set is unknown.
        public static let unsupportedCharset = SendAttemptResult(rawValue: "UNSUPPORTED_CHARSET")
        /// The answer could not be read.
        public static let invalidResponse = SendAttemptResult(rawValue: "INVALID_RESPONSE")
        /// The connection was closed too early.
        public static let prematureClose = SendAttemptResult(rawValue: "PREMATURE_CLOSE")
        /// The answer's status was not one of success.
        public static let unsuccessfulStatus = SendAttemptResult(rawValue: "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
        /// Another reason.
        public static let other = SendAttemptResult(rawValue: "OTHER")
    }

    /// A page of the history of notifications (Apple's `NotificationHistoryResponse`).
    public struct NotificationPage: APIPage {
        /// The notifications, in the order of the answer. Apple states no order.
        public let notifications: [NotificationRecord]
        /// The notifications that were refused.
        public let refusals: [RefusedPayload]
        /// The token of the next page.
        public let paginationToken: String?
        /// Whether there is another page.
        public let hasMore: Bool

        /// ``paginationToken``.
        public var continuation: String? { paginationToken }

        init(_ answer: AnswerObject) throws(AnswerError) {
            var refusals: [RefusedPayload] = []
            notifications = try answer.objects(
                "notificationHistory", signed: "signedPayload", refusals: &refusals, NotificationRecord.init)
            self.refusals = refusals
            paginationToken = try answer.optionalText("paginationToken")
            hasMore = try answer.optionalBool("hasMore") ?? false
        }
    }

    /// A request for a test notification (Apple's `SendTestNotificationResponse`).
    public struct RequestedTestNotification: Hashable, Sendable {
        /// The token for the question about its status. It is valid for six months.
        public let token: String

        init(_ answer: AnswerObject) throws(AnswerError) { token = try answer.text("testNotificationToken") }
    }
#endif
