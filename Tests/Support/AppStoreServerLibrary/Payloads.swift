// The members are those of Apple's pages, which say what they mean.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if ServerAPI
    public import Foundation

    // The members that most servers read, with Apple's names. Add those that yours reads: each is one line.

    /// An environment.
    public enum AppStoreEnvironment: String, Codable, Hashable, Sendable {
        case sandbox = "Sandbox"
        case production = "Production"
        case xcode = "Xcode"
        case localTesting = "LocalTesting"
    }

    /// A transaction.
    public struct JWSTransactionDecodedPayload: Codable, Hashable, Sendable {
        public var originalTransactionId: String?
        public var transactionId: String?
        public var webOrderLineItemId: String?
        public var bundleId: String?
        public var productId: String?
        public var subscriptionGroupIdentifier: String?
        public var purchaseDate: Date?
        public var originalPurchaseDate: Date?
        public var expiresDate: Date?
        public var quantity: Int32?
        public var type: String?
        public var appAccountToken: UUID?
        public var inAppOwnershipType: String?
        public var signedDate: Date?
        public var revocationReason: Int32?
        public var revocationDate: Date?
        public var isUpgraded: Bool?
        public var offerType: Int32?
        public var offerIdentifier: String?
        public var environment: AppStoreEnvironment?
        public var storefront: String?
        public var storefrontId: String?
        public var transactionReason: String?
        public var currency: String?
        public var price: Int64?
        public var offerDiscountType: String?
        public var appTransactionId: String?
        public var offerPeriod: String?
    }

    /// Renewal information.
    public struct JWSRenewalInfoDecodedPayload: Codable, Hashable, Sendable {
        public var expirationIntent: Int32?
        public var originalTransactionId: String?
        public var autoRenewProductId: String?
        public var productId: String?
        public var autoRenewStatus: Int32?
        public var isInBillingRetryPeriod: Bool?
        public var priceIncreaseStatus: Int32?
        public var gracePeriodExpiresDate: Date?
        public var offerType: Int32?
        public var offerIdentifier: String?
        public var signedDate: Date?
        public var environment: AppStoreEnvironment?
        public var recentSubscriptionStartDate: Date?
        public var renewalDate: Date?
        public var currency: String?
        public var renewalPrice: Int64?
        public var appTransactionId: String?
        public var appAccountToken: UUID?
    }

    /// An app transaction.
    public struct AppTransaction: Codable, Hashable, Sendable {
        public var receiptType: AppStoreEnvironment?
        public var appAppleId: Int64?
        public var bundleId: String?
        public var applicationVersion: String?
        public var versionExternalIdentifier: Int64?
        public var receiptCreationDate: Date?
        public var originalPurchaseDate: Date?
        public var originalApplicationVersion: String?
        public var deviceVerification: String?
        public var deviceVerificationNonce: UUID?
        public var preorderDate: Date?
        public var appTransactionId: String?
        public var originalPlatform: String?
    }

    /// A notification. The tokens inside it were verified with it.
    public struct ResponseBodyV2DecodedPayload: Codable, Hashable, Sendable {
        public var notificationType: String?
        public var subtype: String?
        public var notificationUUID: String?
        public var data: NotificationData?
        public var version: String?
        public var signedDate: Date?
    }

    /// What a notification is about (Apple's `Data`).
    public struct NotificationData: Codable, Hashable, Sendable {
        public var environment: AppStoreEnvironment?
        public var appAppleId: Int64?
        public var bundleId: String?
        public var bundleVersion: String?
        public var signedTransactionInfo: String?
        public var signedRenewalInfo: String?
        public var status: Int32?
        public var consumptionRequestReason: String?
    }

    /// The body of a request with a notification.
    public struct ResponseBodyV2: Codable, Hashable, Sendable {
        public var signedPayload: String?
    }
#endif
