public import Essentials
public import SignedPayloads
package import WireFormats

/// A notification that the App Store sends to an app's server (App Store Server Notifications V2,
/// `responseBodyV2DecodedPayload`).
///
/// It has one of `data`, `summary`, `externalPurchaseToken`, `appData` and `unclaimInfo`. `meaning` and
/// `accessChange` are its meaning for the customer.
///
/// The App Store repeats a notification until a server answers. Repetitions have the same `notificationUUID`.
/// Notifications may arrive out of order: `signedDate` gives the order.
public struct ServerNotification: SignedValue {
    /// The payload, as it was signed.
    public let signedContent: SignedContent

    /// The event that the notification is about.
    public let notificationType: NotificationType

    /// The details of the event; `nil` if the type does not need them.
    public let subtype: Subtype?

    /// The notification's identifier, the same in each repetition. A server stores it, so that it handles
    /// each notification only once.
    public let notificationUUID: UUID

    /// The version of the notification's format, `2.0`; empty if the payload does not have it.
    public let version: String

    /// When the App Store signed the notification.
    public let signedDate: Date

    /// The customer's purchase; `nil` for types that are not about a purchase.
    public let data: NotificationData?

    /// The result of a request to extend the renewal dates of all subscribers. Only notifications of the type
    /// `RENEWAL_EXTENSION` with the subtype `SUMMARY` have it.
    public let summary: NotificationSummary?

    /// The token for purchases outside the App Store. Only notifications of the type
    /// `EXTERNAL_PURCHASE_TOKEN` have it.
    public let externalPurchaseToken: ExternalPurchaseToken?

    /// The app that a child may no longer use. Only notifications of the type `RESCIND_CONSENT` have it.
    public let appData: NotificationAppData?

    /// The seats that the App Store has unclaimed. Only notifications of the type `UNCLAIM_SEATS` have it.
    public let unclaimInfo: NotificationUnclaimInfo?

    package static let form = PayloadForm("notification") { properties throws(PayloadError) in
        try ServerNotification(SignedContent(), &properties, nil)
    }

    /// The parts, in the order in which they are asked for members that each of them may have.
    package static let parts: [(member: String, form: PayloadForm)] = [
        ("data", form: NotificationData.form), ("summary", NotificationSummary.form),
        ("externalPurchaseToken", ExternalPurchaseToken.form), ("appData", NotificationAppData.form),
        ("unclaimInfo", NotificationUnclaimInfo.form),
    ]

    /// The payloads inside a notification: the property, and the path and type of the member.
    package static let signed: [(name: String, path: String, kind: SignedPayloadKind)] = [
        ("transaction", "data.signedTransactionInfo", .transaction),
        ("renewalInfo", "data.signedRenewalInfo", .renewalInfo),
        ("appTransaction", "appData.signedAppTransactionInfo", .appTransaction),
    ]

    /// Reads the payload.
    ///
    /// If the notification is verified, the signed payloads inside it are verified too. Otherwise each of
    /// them is verified by itself.
    ///
    /// - Throws: `PayloadError` if the payload lacks its type, its identifier, or its date.
    public init(
        _ content: SignedContent, verifier: StoreKitVerifier
    ) throws(PayloadError) {
        var properties = try PayloadProperties(content, Self.form)
        try self.init(content, &properties, InnerPayloads(notification: content, verifier: verifier))
    }

    private init(
        _ content: SignedContent, _ properties: inout PayloadProperties, _ inner: InnerPayloads?
    ) throws(PayloadError) {
        signedContent = content
        notificationType = NotificationType(
            rawValue: try properties.required("notificationType", .text, "notificationType"))
        subtype = properties.optional("subtype", .text, "subtype").map(Subtype.init(rawValue:))
        notificationUUID = try properties.required("notificationUUID", .uuid, "notificationUUID")
        version = properties.value("version", .textOrEmpty, "version")
        signedDate = try properties.required("signedDate", .date, "signedDate")
        data = properties.object("data", NotificationData.form, isWritten: false) { part in
            NotificationData(&part, inner)
        }
        summary = properties.object("summary", NotificationSummary.form, NotificationSummary.init)
        externalPurchaseToken = properties.object(
            "externalPurchaseToken", ExternalPurchaseToken.form, ExternalPurchaseToken.init)
        appData = properties.object("appData", NotificationAppData.form, isWritten: false) { part in
            NotificationAppData(&part, inner)
        }
        unclaimInfo = properties.object(
            "unclaimInfo", NotificationUnclaimInfo.form, NotificationUnclaimInfo.init)
    }

    /// The verified transaction and renewal information inside, for a store to keep. A notification may say something
    /// besides: see `AnnouncedGrace`.
    ///
    /// - Throws: `PayloadError` if one of them is there and is unverified, or has no value. Then nothing of the
    ///   notification may be kept.
    public func purchases() throws(PayloadError) -> (
        transaction: Transaction?, renewalInfo: Product.SubscriptionInfo.RenewalInfo?
    ) {
        guard let data else { return (nil, nil) }
        let errors = [data.transaction?.underlyingError, data.renewalInfo?.underlyingError]
        if let error = errors.compactMap(\.self).first ?? data.unreadablePayloads.first { throw error }
        return (try? data.transaction?.payloadValue, try? data.renewalInfo?.payloadValue)
    }

    /// The app's bundle identifier, from the first part that has one.
    public var bundleID: String? {
        data?.bundleID ?? summary?.bundleID ?? externalPurchaseToken?.bundleID ?? appData?.bundleID
            ?? unclaimInfo?.bundleID
    }

    /// The environment that sent the notification, from the first part that has one.
    public var environment: AppStore.Environment? {
        data?.environment ?? summary?.environment ?? externalPurchaseToken?.environment
            ?? appData?.environment ?? unclaimInfo?.environment
    }

    /// The payload's JSON, byte for byte as it was signed. It also holds the members that have no property
    /// here.
    public var jsonRepresentation: Data { signedContent.payloadData }
}

extension ServerNotification: CustomDebugStringConvertible {
    /// The payload's JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
