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

    /// The transaction (`signedTransactionInfo`); `nil` if the notification does not have a readable one.
    public let transaction: VerificationResult<Transaction>?

    /// The subscription's renewal information (`signedRenewalInfo`). `nil` for other products, and if the
    /// notification does not have readable information.
    public let renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>?

    /// Why signed payloads in this part have no value here. Each error names the payload's member.
    public let unreadablePayloads: [PayloadError]

    package static let form = PayloadForm("data") { NotificationData(&$0, nil) }

    init(_ properties: inout PayloadProperties, _ inner: InnerPayloads?) {
        status = properties.optional("status", .integer, "status")
            .map(Product.SubscriptionInfo.RenewalState.init(rawValue:))
        appAppleID = properties.optional(nil, .identifierUnlessZero, "appAppleId")
        bundleID = properties.optional(nil, .text, "bundleId")
        bundleVersion = properties.optional("bundleVersion", .text, "bundleVersion")
        environment = properties.optional(nil, .text, "environment").map(AppStore.Environment.init(rawValue:))
        consumptionRequestReason = properties.optional(
            "consumptionRequestReason", .text, "consumptionRequestReason"
        ).map(ConsumptionRequestReason.init(rawValue:))
        let transaction: InnerPayload<Transaction>? = properties.payload(
            "signedTransactionInfo", in: "data", inner, of: environment)
        let renewalInfo: InnerPayload<Product.SubscriptionInfo.RenewalInfo>? = properties.payload(
            "signedRenewalInfo", in: "data", inner, of: environment)
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
