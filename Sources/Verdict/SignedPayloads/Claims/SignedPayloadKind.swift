/// The kind of a signed payload. The App Store does not name it in the payload, so its members decide.
public enum SignedPayloadKind: String, Hashable, Sendable, CaseIterable {
    /// A transaction (`JWSTransactionDecodedPayload`).
    case transaction
    /// A subscription's renewal (`JWSRenewalInfoDecodedPayload`).
    case renewalInfo
    /// An app's purchase or download (`AppTransaction`).
    case appTransaction
    /// A server notification of version 2 (`responseBodyV2DecodedPayload`).
    case notification
    /// A request for a retention message (`DecodedRealtimeRequestBody`).
    case realtimeRequest
    /// An app receipt (PKCS #7), which is not a JWS.
    case receipt
    /// A payload of another kind; its signature is good.
    case unknown

    /// The members that only one kind has, in the order in which they decide. Every member is optional in
    /// Apple's models, so several members identify each kind.
    static let identifyingMembers: [(kind: SignedPayloadKind, members: [String])] = [
        (.notification, ["notificationType", "notificationUUID"]),
        (
            .appTransaction,
            ["receiptType", "receiptCreationDate", "applicationVersion", "originalApplicationVersion"]
        ),
        (.realtimeRequest, ["userLocale", "requestIdentifier"]),
        (.transaction, ["transactionId", "purchaseDate", "inAppOwnershipType", "transactionReason"]),
        (
            .renewalInfo,
            [
                "autoRenewStatus", "autoRenewProductId", "renewalDate", "expirationIntent",
                "isInBillingRetryPeriod", "gracePeriodExpiresDate", "priceIncreaseStatus",
                "recentSubscriptionStartDate", "renewalPrice",
            ]
        ),
    ]

    /// The names of all members that identify a kind.
    static let allIdentifyingMembers = identifyingMembers.flatMap(\.members)

    /// The member that holds the effective date, in milliseconds since 1970.
    public var dateMember: String {
        self == .appTransaction || self == .receipt ? "receiptCreationDate" : "signedDate"
    }

    /// The member that names the environment. A notification has it in one of its parts.
    var environmentMember: String? {
        switch self {
        case .notification: nil
        case .appTransaction, .receipt: "receiptType"
        case .transaction, .renewalInfo, .realtimeRequest, .unknown: "environment"
        }
    }

    /// Whether payloads of this kind name their app by bundle identifier.
    var hasBundleIdentifier: Bool { self != .renewalInfo && self != .realtimeRequest }

    /// Whether payloads of this kind name their app by Apple ID.
    var hasAppAppleIdentifier: Bool { self != .renewalInfo && self != .transaction }
}
