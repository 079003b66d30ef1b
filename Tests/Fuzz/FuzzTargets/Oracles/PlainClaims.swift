import SignedPayloads
import WireFormats

/// What a payload claims: the contract's rules, applied to a tree. It shares no code with `ClaimsReader`.
struct PlainClaims: Equatable {
    /// Environment and app, as one part of a payload names them.
    struct Identity: Equatable {
        var environment: [UInt8]?
        /// Whether an external purchase token is of the sandbox.
        var isSandbox: Bool?
        /// The bundle identifier, if the kind of payload has one and it is a string.
        var bundleIdentifier: [UInt8]?
        /// The app's Apple ID, if the kind of payload has one.
        var appAppleIdentifier: PlainJSON?
    }

    /// A payload inside, and the number of the member that holds it.
    struct Nested: Equatable {
        var member: Int
        var value: PlainJSON
    }

    var kind: SignedPayloadKind
    var date: PlainJSON?
    var identities: [Identity] = []
    var nested: [Nested] = []

    // MARK: The contract

    private static let kinds: [(SignedPayloadKind, [String])] = [
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

    private static let parts = [
        ("data", ["signedTransactionInfo", "signedRenewalInfo"]), ("summary", []),
        ("externalPurchaseToken", []), ("appData", ["signedAppTransactionInfo"]),
        ("unclaimInfo", []),
    ]

    private static let signed = ["signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo"]

    /// The claims of a payload; `nil` if it is to be refused.
    init?(_ payload: PlainJSON) {
        guard case .object = payload else { return nil }
        kind =
            Self.kinds.first { _, names in names.contains { !payload.members($0).isEmpty } }?.0 ?? .unknown
        let isApp = kind == .appTransaction
        let dateName = isApp ? "receiptCreationDate" : "signedDate"
        date = payload.members(dateName).first
        var read = [dateName, "deviceVerification", "deviceVerificationNonce"]
        if kind == .notification {
            read += Self.parts.map(\.0)
        } else {
            read.append(isApp ? "receiptType" : "environment")
            if hasBundleIdentifier { read.append("bundleId") }
            if hasAppAppleIdentifier { read.append("appAppleId") }
        }
        guard read.allSatisfy({ payload.members($0).count < 2 }) else { return nil }
        if kind == .notification, !readParts(of: payload) { return nil }
        guard identities.isEmpty else { return }
        let environment = kind == .notification ? nil : isApp ? "receiptType" : "environment"
        identities = [
            Identity(
                environment: environment.flatMap { payload.members($0).first?.stringBytes },
                bundleIdentifier: hasBundleIdentifier ? payload.members("bundleId").first?.stringBytes : nil,
                appAppleIdentifier: hasAppAppleIdentifier ? payload.members("appAppleId").first : nil)
        ]
    }

    private var hasBundleIdentifier: Bool { kind != .renewalInfo && kind != .realtimeRequest }
    private var hasAppAppleIdentifier: Bool { kind != .renewalInfo && kind != .transaction }

    /// Reads a notification's parts; returns whether they are right.
    private mutating func readParts(of payload: PlainJSON) -> Bool {
        for (name, signed) in Self.parts {
            guard let part = payload.members(name).first, part != .null else { continue }
            guard case .object = part else { return false }
            let read = ["environment", "bundleId", "appAppleId", "externalPurchaseId"] + signed
            guard read.allSatisfy({ part.members($0).count < 2 }) else { return false }
            var identity = Identity(
                bundleIdentifier: part.members("bundleId").first?.stringBytes,
                appAppleIdentifier: part.members("appAppleId").first)
            if name == "externalPurchaseToken" {
                identity.isSandbox = part.members("externalPurchaseId").first?.stringBytes
                    .map { $0.starts(with: Array("SANDBOX".utf8)) }
            } else {
                identity.environment = part.members("environment").first?.stringBytes
            }
            identities.append(identity)
            for member in signed {
                guard let value = part.members(member).first, value != .null else { continue }
                nested.append(Nested(member: Self.signed.firstIndex(of: member) ?? -1, value: value))
            }
        }
        return true
    }

    // MARK: What was read

    /// The claims that the product has read in a payload.
    init(_ claims: Claims, in json: [UInt8]) {
        kind = claims.kind
        if case .member(let value?) = claims.date { date = PlainJSON(value, in: json) }
        for index in 0..<claims.identityCount {
            let claim = claims.identities[index]
            identities.append(
                Identity(
                    environment: claim.environment?.bytes(in: json.span),
                    isSandbox: claim.impliedEnvironment.map { $0 == .sandbox },
                    bundleIdentifier: claim.hasBundleIdentifier
                        ? claim.bundleIdentifier?.bytes(in: json.span) : nil,
                    appAppleIdentifier: claim.hasAppAppleIdentifier
                        ? claim.appAppleIdentifier.flatMap { PlainJSON($0, in: json) } : nil))
        }
        for index in 0..<claims.nestedCount {
            let (member, value) = claims.nested[index]
            nested.append(Nested(member: member, value: PlainJSON(value, in: json) ?? .null))
        }
    }
}
