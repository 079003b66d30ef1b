public import SignedPayloads
package import WireFormats

/// The app that a notification is about, as one customer has it (`appData`).
public struct NotificationAppData: Hashable, Sendable {
    /// Apple's number for the app; `nil` if it is absent or 0, as it may be outside production.
    public let appAppleID: UInt64?

    /// The app's bundle identifier.
    public let bundleID: String?

    /// The environment that sent the notification.
    public let environment: AppStore.Environment?

    /// The app transaction (`signedAppTransactionInfo`); `nil` if the notification does not have a readable one.
    public let appTransaction: VerificationResult<AppTransaction>?

    /// Why signed payloads in this part have no value here. Each error names the payload's member.
    public let unreadablePayloads: [PayloadError]

    package static let form = PayloadForm("appData") { NotificationAppData(&$0, nil) }

    init(_ properties: inout PayloadProperties, _ inner: InnerPayloads?) {
        appAppleID = properties.optional(nil, .identifierUnlessZero, "appAppleId")
        bundleID = properties.optional(nil, .text, "bundleId")
        environment = properties.optional(nil, .text, "environment").map(AppStore.Environment.init(rawValue:))
        let appTransaction: InnerPayload<AppTransaction>? = properties.payload(
            "signedAppTransactionInfo", in: "appData", inner)
        self.appTransaction = appTransaction?.result
        unreadablePayloads = [appTransaction?.error].compactMap(\.self)
    }
}
