public import SignedPayloads

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What the App Store tells an app's server (App Store Server Notifications V2,
/// `responseBodyV2DecodedPayload`).
///
/// It has one of `data`, `summary`, `externalPurchaseToken` and `appData`; `meaning` and `accessChange` say what
/// it is about. The App Store repeats a notification that no server has answered, and an older one may come after
/// a newer: repetitions have the same `notificationUUID`, and `signedDate` gives the order.
public struct ServerNotification: SignedValue {
    /// The payload as it was signed.
    public let signedContent: SignedContent

    /// What happened.
    public let notificationType: NotificationType

    /// What exactly happened; `nil` where the type says all.
    public let subtype: Subtype?

    /// The notification's identifier, the same in each repetition. To be stored, so that none is acted upon
    /// twice.
    public let notificationUUID: UUID

    /// The version of the notification's form, `2.0`; empty where the payload names none.
    public let version: String

    /// When the App Store signed the notification.
    public let signedDate: Date

    /// The customer's purchase; `nil` with the types that are not about one.
    public let data: NotificationData?

    /// What came of a request to move the renewal dates of all subscribers; with `RENEWAL_EXTENSION` and
    /// `SUMMARY` alone.
    public let summary: NotificationSummary?

    /// The token for purchases outside the App Store; with `EXTERNAL_PURCHASE_TOKEN` alone.
    public let externalPurchaseToken: ExternalPurchaseToken?

    /// The app that a child may no longer use; with `RESCIND_CONSENT` alone.
    public let appData: NotificationAppData?

    private static let names = [
        "notificationType", "subtype", "notificationUUID", "version", "signedDate", "data", "summary",
        "externalPurchaseToken", "appData",
    ]

    /// Reads the payload.
    ///
    /// Signed payloads inside were verified with it, if it is verified; otherwise each is verified by itself.
    ///
    /// - Throws: `VerificationError` where it lacks its type, its identifier, or its date.
    public init(
        _ content: SignedContent, verifier: StoreKitVerifier
    ) throws(SignedPayloads.VerificationError) {
        let fields = try content.fields(Self.names)
        let type = "notification"
        signedContent = content
        notificationType = NotificationType(
            rawValue: try required(fields.string("notificationType"), "notificationType", of: type))
        subtype = fields.string("subtype").map(Subtype.init(rawValue:))
        notificationUUID = try required(fields.uuid("notificationUUID"), "notificationUUID", of: type)
        version = fields.string("version") ?? ""
        signedDate = try required(fields.date("signedDate"), "signedDate", of: type)
        let inner = InnerPayloads(notification: content, verifier: verifier)
        data = NotificationData(fields, inner)
        summary = NotificationSummary(fields)
        externalPurchaseToken = ExternalPurchaseToken(fields)
        appData = NotificationAppData(fields, inner)
    }

    /// The app's bundle identifier, from whichever part names it.
    public var bundleID: String? {
        data?.bundleID ?? summary?.bundleID ?? externalPurchaseToken?.bundleID ?? appData?.bundleID
    }

    /// Where the notification comes from, according to whichever part says so.
    public var environment: AppStore.Environment? {
        data?.environment ?? summary?.environment ?? externalPurchaseToken?.environment
            ?? appData?.environment
    }

    /// The payload's JSON, byte for byte as it was signed: what has no property here is in it all the same.
    public var jsonRepresentation: Data { signedContent.payloadData }
}

extension ServerNotification: CustomDebugStringConvertible {
    /// The payload's JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
