package import Essentials
internal import SignedPayloads
internal import WireFormats

/// The customer's access by the payloads inside a notification, where its type and subtype alone would mislead.
///
/// - A customer who turns off the renewal of a commitment, such as one of twelve months that are billed each month, keeps
///   all of its months. The App Store sends `AUTO_RENEW_DISABLED` as for every subscription, and its renewal information
///   says that the next month will renew. Apple asks apps to honour all remaining months.
/// - `DID_FAIL_TO_RENEW` has the subtype `GRACE_PERIOD` in a grace period. Notifications without the subtype whose renewal
///   information has a date in the future, or whose status is 4, are reported from production (2026): see `AnnouncedGrace`.
package struct AccessEvidence {
    /// Whether the transaction is a part of a commitment.
    package var isCommitment = false
    /// Whether the subscription will renew; `nil` if nothing says it.
    package var renews: Bool?
    /// The end of the grace period.
    package var graceEnd: Date?
    /// The state of the subscription (`data.status`).
    package var status: Product.SubscriptionInfo.RenewalState?
    /// When the notification was signed.
    package var signedDate: Date?

    package init() {}

    init(_ notification: ServerNotification) {
        let data = notification.data
        isCommitment = data?.transaction?.unsafePayloadValue.isCommitment ?? false
        let renewalInfo = data?.renewalInfo?.unsafePayloadValue
        renews = renewalInfo?.willAutoRenew
        graceEnd = renewalInfo?.gracePeriodExpirationDate
        status = data?.status
        signedDate = notification.signedDate
    }

    /// Whether access depends on more than the type and subtype.
    static func isNeeded(for meaning: ServerNotification.Meaning) -> Bool {
        meaning == .renewalTurnedOff || meaning == .billingFailed(.noGracePeriod)
    }

    /// The change of access.
    ///
    /// - Parameter access: the change by type and subtype.
    package func change(
        _ meaning: ServerNotification.Meaning, _ access: ServerNotification.AccessChange
    ) -> ServerNotification.AccessChange {
        switch meaning {
        case .renewalTurnedOff where isCommitment && renews == true: .keeps
        case .billingFailed(.noGracePeriod) where isInGracePeriod: .keeps
        default: access
        }
    }

    private var isInGracePeriod: Bool {
        guard renews != false, let signedDate else { return false }
        return graceEnd.map { signedDate < $0 } ?? (status == .inGracePeriod)
    }
}

// MARK: - JSON

extension AccessEvidence {
    private static let notification = MemberNames(["signedDate", "data"])
    private static let data = MemberNames(["status"])
    private static let transaction = MemberNames(["billingPlanType", "commitmentInfo"])
    private static let renewalInfo = MemberNames(["autoRenewStatus", "gracePeriodExpiresDate"])

    /// - Parameters:
    ///   - json: the notification's JSON.
    ///   - inner: lends the JSON of the payload inside it, at the path of a member, if there is one.
    init(_ json: Span<UInt8>, _ inner: (_ path: String, _ body: (Span<UInt8>) -> Void) -> Void) {
        guard let notification = try? JSONObject(json, wanted: Self.notification) else { return }
        signedDate = notification["signedDate"]?.date(in: json)
        if case .object(let range)? = notification["data"],
            let data = try? JSONObject(json, in: range, wanted: Self.data)
        {
            status = data["status"]?.integer(in: json).map(
                Product.SubscriptionInfo.RenewalState.init(rawValue:))
        }
        for (_, path, kind) in ServerNotification.signed {
            var found = self
            inner(path) { found.read($0, of: kind) }
            self = found
        }
    }

    private mutating func read(_ json: Span<UInt8>, of kind: SignedPayloadKind) {
        if kind == .transaction, let payload = try? JSONObject(json, wanted: Self.transaction) {
            var hasInfo = false
            if case .object? = payload["commitmentInfo"] { hasInfo = true }
            isCommitment = Transaction.isCommitment(
                plan: payload["billingPlanType"]?.string(in: json), hasInfo: hasInfo)
        }
        if kind == .renewalInfo, let payload = try? JSONObject(json, wanted: Self.renewalInfo) {
            renews = payload["autoRenewStatus"]?.integer(in: json) == 1
            graceEnd = payload["gracePeriodExpiresDate"]?.date(in: json)
        }
    }
}
