// The members are those of Apple's pages, which say what they mean.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if ServerAPI
    public import Foundation

    /// The answer of Get Transaction Info.
    public struct TransactionInfoResponse: Codable, Hashable, Sendable {
        public var signedTransactionInfo: String?
    }

    /// The answer of Get Transaction History.
    public struct HistoryResponse: Codable, Hashable, Sendable {
        public var revision: String?
        public var hasMore: Bool?
        public var bundleId: String?
        public var appAppleId: Int64?
        public var environment: AppStoreEnvironment?
        public var signedTransactions: [String]?
    }

    /// The answer of Get Refund History.
    public struct RefundHistoryResponse: Codable, Hashable, Sendable {
        public var signedTransactions: [String]?
        public var revision: String?
        public var hasMore: Bool?
    }

    /// The answer of Get All Subscription Statuses.
    public struct StatusResponse: Codable, Hashable, Sendable {
        public var environment: AppStoreEnvironment?
        public var bundleId: String?
        public var appAppleId: Int64?
        public var data: [SubscriptionGroupIdentifierItem]?
    }

    /// The subscriptions of a group.
    public struct SubscriptionGroupIdentifierItem: Codable, Hashable, Sendable {
        public var subscriptionGroupIdentifier: String?
        public var lastTransactions: [LastTransactionsItem]?
    }

    /// The last transaction of a subscription.
    public struct LastTransactionsItem: Codable, Hashable, Sendable {
        public var status: Int32?
        public var originalTransactionId: String?
        public var signedTransactionInfo: String?
        public var signedRenewalInfo: String?
    }

    /// The answer of Look Up Order ID.
    public struct OrderLookupResponse: Codable, Hashable, Sendable {
        public var status: Int32?
        public var signedTransactions: [String]?
    }

    /// What is asked by Get Notification History.
    public struct NotificationHistoryRequest: Codable, Hashable, Sendable {
        public var startDate: Date?
        public var endDate: Date?
        public var notificationType: String?
        public var transactionId: String?
        public var onlyFailures: Bool?

        /// Everything between two times.
        public init(startDate: Date?, endDate: Date?) {
            (self.startDate, self.endDate) = (startDate, endDate)
        }
    }

    /// The answer of Get Notification History.
    public struct NotificationHistoryResponse: Codable, Hashable, Sendable {
        public var paginationToken: String?
        public var hasMore: Bool?
        public var notificationHistory: [NotificationHistoryResponseItem]?
    }

    /// A notification that was sent.
    public struct NotificationHistoryResponseItem: Codable, Hashable, Sendable {
        public var signedPayload: String?
        public var sendAttempts: [SendAttemptItem]?
    }

    /// An attempt to send a notification.
    public struct SendAttemptItem: Codable, Hashable, Sendable {
        public var attemptDate: Date?
        public var sendAttemptResult: String?
    }

    /// The answer of Request a Test Notification.
    public struct SendTestNotificationResponse: Codable, Hashable, Sendable {
        public var testNotificationToken: String?
    }
#endif
