public import SignedPayloads

/// The purchase that a notification is about (`data`).
public struct NotificationData: Hashable, Sendable {
    /// Apple's number for the app; `nil` where it is absent or 0, as it may be outside production.
    public let appAppleID: UInt64?

    /// The app's bundle identifier.
    public let bundleID: String?

    /// The app's build (`CFBundleVersion`) on the device of the purchase.
    public let bundleVersion: String?

    /// The environment of the purchase.
    public let environment: AppStore.Environment?

    /// Where the subscription stood when the notification was signed; `nil` for other products, and in old
    /// notifications.
    public let status: Product.SubscriptionInfo.RenewalState?

    /// Why the customer wants a refund; with `CONSUMPTION_REQUEST` alone.
    public let consumptionRequestReason: ConsumptionRequestReason?

    /// The transaction (`signedTransactionInfo`); `nil` where the notification has none that can be read.
    public let transaction: VerificationResult<Transaction>?

    /// The subscription's renewal information (`signedRenewalInfo`); `nil` for other products, and where the
    /// notification has none that can be read.
    public let renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>?

    /// Why payloads that are there have no value here, each error naming its member.
    public let unreadablePayloads: [SignedPayloads.VerificationError]

    private static let names = [
        "appAppleId", "bundleId", "bundleVersion", "environment", "status", "consumptionRequestReason",
        "signedTransactionInfo", "signedRenewalInfo",
    ]

    init?(_ notification: PayloadFields, _ inner: InnerPayloads) {
        guard let fields = notification.object("data", names: Self.names) else { return nil }
        appAppleID = fields.identifier("appAppleId").flatMap { $0 == 0 ? nil : $0 }
        bundleID = fields.string("bundleId")
        bundleVersion = fields.string("bundleVersion")
        environment = fields.string("environment").map(AppStore.Environment.init(rawValue:))
        status = fields.integer("status").map(Product.SubscriptionInfo.RenewalState.init(rawValue:))
        consumptionRequestReason = fields.string("consumptionRequestReason").map(
            ConsumptionRequestReason.init(rawValue:))
        let transaction: InnerPayload<Transaction>? = inner.value(
            "signedTransactionInfo", in: "data", fields)
        let renewalInfo: InnerPayload<Product.SubscriptionInfo.RenewalInfo>? = inner.value(
            "signedRenewalInfo", in: "data", fields)
        self.transaction = transaction?.result
        self.renewalInfo = renewalInfo?.result
        unreadablePayloads = [transaction?.error, renewalInfo?.error].compactMap(\.self)
    }
}

/// Why a customer wants a refund, as they say.
///
/// A value that has no name here is kept as it is.
public struct ConsumptionRequestReason: RawRepresentable, Hashable, Sendable {
    /// The value as the payload has it.
    public let rawValue: String

    /// Any value.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// They did not mean to buy it.
    public static let unintendedPurchase = ConsumptionRequestReason(rawValue: "UNINTENDED_PURCHASE")
    /// They did not get it, or it did not work.
    public static let fulfillmentIssue = ConsumptionRequestReason(rawValue: "FULFILLMENT_ISSUE")
    /// They are not satisfied with it.
    public static let unsatisfiedWithPurchase = ConsumptionRequestReason(
        rawValue: "UNSATISFIED_WITH_PURCHASE")
    /// For legal reasons.
    public static let legal = ConsumptionRequestReason(rawValue: "LEGAL")
    /// For other reasons.
    public static let other = ConsumptionRequestReason(rawValue: "OTHER")
}
