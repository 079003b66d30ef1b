public import SignedPayloads

/// The app that a notification is about (`appData`), as a customer has it.
public struct NotificationAppData: Hashable, Sendable {
    /// Apple's number for the app; `nil` where it is absent or 0, as it may be outside production.
    public let appAppleID: UInt64?

    /// The app's bundle identifier.
    public let bundleID: String?

    /// The environment that the notification comes from.
    public let environment: AppStore.Environment?

    /// The app's purchase or download (`signedAppTransactionInfo`); `nil` where the notification has none that
    /// can be read.
    public let appTransaction: VerificationResult<AppTransaction>?

    /// Why payloads that are there have no value here, each error naming its member.
    public let unreadablePayloads: [SignedPayloads.VerificationError]

    private static let names = ["appAppleId", "bundleId", "environment", "signedAppTransactionInfo"]

    init?(_ notification: PayloadFields, _ inner: InnerPayloads) {
        guard let fields = notification.object("appData", names: Self.names) else { return nil }
        appAppleID = fields.identifier("appAppleId").flatMap { $0 == 0 ? nil : $0 }
        bundleID = fields.string("bundleId")
        environment = fields.string("environment").map(AppStore.Environment.init(rawValue:))
        let appTransaction: InnerPayload<AppTransaction>? = inner.value(
            "signedAppTransactionInfo", in: "appData", fields)
        self.appTransaction = appTransaction?.result
        unreadablePayloads = [appTransaction?.error].compactMap(\.self)
    }
}
