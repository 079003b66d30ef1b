internal import WireFormats

/// What a signed payload is about. The App Store does not say so in the payload; its members do.
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
    /// An app receipt (PKCS #7), which is no JWS.
    case receipt
    /// None of these: signed all the same.
    case unknown

    /// Members that only one kind has, in the order in which they decide. Every member is optional in Apple's
    /// models, so each kind is known by several.
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

    /// The kind of the payload that has these members.
    init(of payload: JSONObject) {
        for (kind, members) in Self.identifyingMembers where members.contains(where: { payload[$0] != nil }) {
            self = kind
            return
        }
        self = .unknown
    }

    /// The member that holds the effective date, in milliseconds since 1970.
    public var dateMember: String {
        self == .appTransaction || self == .receipt ? "receiptCreationDate" : "signedDate"
    }

    /// The member that names the environment; a notification has it further in.
    var environmentMember: String? {
        switch self {
        case .notification: nil
        case .appTransaction, .receipt: "receiptType"
        case .transaction, .renewalInfo, .realtimeRequest, .unknown: "environment"
        }
    }

    /// Whether payloads of this kind name their app by bundle identifier.
    var hasBundleIdentifier: Bool { self != .renewalInfo && self != .realtimeRequest }

    /// Whether payloads of this kind name their app by Apple's number.
    var hasAppAppleIdentifier: Bool { self != .renewalInfo && self != .transaction }
}
