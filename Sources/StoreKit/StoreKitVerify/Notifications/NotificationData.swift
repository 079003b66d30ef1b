public import SignedPayloads
package import WireFormats

/// The purchase that a notification is about (`data`).
public struct NotificationData: Hashable, Sendable {
    /// Apple's number for the app; `nil` if it is absent or 0, as it may be outside production.
    public let appAppleID: UInt64?

    /// The app's bundle identifier.
    public let bundleID: String?

    /// The app's build (`CFBundleVersion`) on the device of the purchase.
    public let bundleVersion: String?

    /// The environment of the purchase.
    public let environment: AppStore.Environment?

    /// The state of the subscription when the App Store signed the notification. `nil` for other products,
    /// and in old notifications.
    public let status: Product.SubscriptionInfo.RenewalState?

    /// Why the customer requested a refund. Only notifications of the type `CONSUMPTION_REQUEST` have it.
    public let consumptionRequestReason: ConsumptionRequestReason?

    /// The transaction (`signedTransactionInfo`); `nil` if the notification has none that can be read.
    public let transaction: VerificationResult<Transaction>?

    /// The subscription's renewal information (`signedRenewalInfo`). `nil` for other products, and if the
    /// notification has none that can be read.
    public let renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>?

    /// Why signed payloads in this part have no value here. Each error names the payload's member.
    public let unreadablePayloads: [PayloadError]

    package static let form = PayloadForm(
        "data", [.optional("status", .integer, "status")],
        unwritten: [
            "appAppleId", "bundleId", "bundleVersion", "environment", "consumptionRequestReason",
            "signedTransactionInfo", "signedRenewalInfo",
        ])

    init?(_ notification: PayloadFields, _ inner: InnerPayloads) {
        guard let fields = notification.object("data", names: Self.form.names) else { return nil }
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

/// The reason that a customer gave for a refund request.
///
/// An unknown value is kept unchanged.
public struct ConsumptionRequestReason: RawRepresentable, Hashable, Sendable {
    /// The value, as the payload gives it.
    public let rawValue: String

    /// Makes a value from its raw form, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The customer did not intend to buy it.
    public static let unintendedPurchase = ConsumptionRequestReason(rawValue: "UNINTENDED_PURCHASE")
    /// The customer did not receive it, or it did not work.
    public static let fulfillmentIssue = ConsumptionRequestReason(rawValue: "FULFILLMENT_ISSUE")
    /// The customer is not satisfied with it.
    public static let unsatisfiedWithPurchase = ConsumptionRequestReason(
        rawValue: "UNSATISFIED_WITH_PURCHASE")
    /// The customer has a legal reason.
    public static let legal = ConsumptionRequestReason(rawValue: "LEGAL")
    /// The customer has another reason.
    public static let other = ConsumptionRequestReason(rawValue: "OTHER")
}
