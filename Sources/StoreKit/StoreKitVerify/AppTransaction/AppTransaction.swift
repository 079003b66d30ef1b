public import SignedPayloads
package import WireFormats

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A customer's purchase or download of the app itself, as the App Store signed it (StoreKit's
/// `AppTransaction`).
public struct AppTransaction: DeviceSignedValue {
    /// The payload, as it was signed.
    public let signedContent: SignedContent

    /// Apple's number for the app; `nil` outside production.
    public let appID: UInt64?

    /// The app's version.
    public let appVersion: String

    /// Apple's number for the version; `nil` outside production.
    public let appVersionID: UInt64?

    /// The app's bundle identifier.
    public let bundleID: String

    /// The environment that signed the app transaction.
    public let environment: AppStore.Environment

    /// The version that the customer first bought or downloaded: `CFBundleShortVersionString` on macOS,
    /// `CFBundleVersion` elsewhere.
    public let originalAppVersion: String

    /// When the customer first bought or downloaded the app.
    public let originalPurchaseDate: Date

    /// When the customer ordered the app, if that was before its release.
    public let preorderDate: Date?

    /// When the App Store signed the app transaction.
    public let signedDate: Date

    /// When the device requested the app transaction. StoreKit has no such property, but payloads have the
    /// member.
    public let requestDate: Date?

    /// When the App Store revoked the app.
    public let revocationDate: Date?

    /// The identifier of the app's download (one for each Apple Account and app); empty in old payloads.
    public let appTransactionID: String

    /// The platform on which the customer first bought or downloaded the app; empty in old payloads.
    public let originalPlatform: AppStore.Platform

    /// The hash that binds the app transaction to a device; empty in payloads for servers.
    public let deviceVerification: Data

    /// The nonce of the hash; all zeros in payloads for servers.
    public let deviceVerificationNonce: UUID

    package static let form = PayloadForm(
        "app transaction",
        [
            .optional("appID", .identifierUnlessZero, "appAppleId"),
            .required("appVersion", .text, "applicationVersion"),
            .optional("appVersionID", .identifierUnlessZero, "versionExternalIdentifier"),
            .required("bundleID", .text, "bundleId"),
            .optional("environment", .textUnlessEmpty, "receiptType"),
            .required("originalAppVersion", .text, "originalApplicationVersion"),
            .required("originalPurchaseDate", .date, "originalPurchaseDate"),
            .optional("preorderDate", .date, "preorderDate"),
            .optional("revocationDate", .date, "revocationDate"),
            .optional("appTransactionID", .textUnlessEmpty, "appTransactionId"),
            .optional("originalPlatform", .textUnlessEmpty, "originalPlatform"),
            .required("signedDate", .date, "receiptCreationDate"),
            .together(DeviceBinding.properties),
        ], unwritten: ["requestDate"])

    /// Reads the payload.
    ///
    /// - Throws: `PayloadError` if the payload lacks the app, a version, or a date that every app
    ///   transaction has.
    public init(
        _ content: SignedContent, verifier: StoreKitVerifier
    ) throws(PayloadError) {
        let fields = try content.fields(Self.form.names)
        let type = Self.form.type
        signedContent = content
        appID = fields.identifier("appAppleId").flatMap { $0 == 0 ? nil : $0 }
        appVersion = try required(fields.string("applicationVersion"), "applicationVersion", of: type)
        appVersionID = fields.identifier("versionExternalIdentifier").flatMap { $0 == 0 ? nil : $0 }
        bundleID = try required(fields.string("bundleId"), "bundleId", of: type)
        environment = AppStore.Environment(rawValue: fields.string("receiptType") ?? "")
        originalAppVersion = try required(
            fields.string("originalApplicationVersion"), "originalApplicationVersion", of: type)
        originalPurchaseDate = try required(
            fields.date("originalPurchaseDate"), "originalPurchaseDate", of: type)
        preorderDate = fields.date("preorderDate")
        signedDate = try required(fields.date("receiptCreationDate"), "receiptCreationDate", of: type)
        requestDate = fields.date("requestDate")
        revocationDate = fields.date("revocationDate")
        appTransactionID = fields.string("appTransactionId") ?? ""
        originalPlatform = AppStore.Platform(rawValue: fields.string("originalPlatform") ?? "")
        let binding = DeviceBinding(fields)
        deviceVerification = binding.verification
        deviceVerificationNonce = binding.nonce
    }
}

extension AppTransaction: CustomDebugStringConvertible {
    /// The payload's JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
