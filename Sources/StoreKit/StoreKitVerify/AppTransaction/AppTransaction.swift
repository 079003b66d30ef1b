public import Essentials
public import SignedPayloads
package import WireFormats

/// A customer's purchase or download of the app itself, as the App Store signed it (StoreKit's
/// `AppTransaction`).
public struct AppTransaction: DeviceSignedValue {
    /// The payload, as it was signed.
    public let signedContent: SignedContent

    /// Apple's number for the app; `nil` outside production.
    public let appID: UInt64?

    /// The version of the installed app that asked for the payload (`applicationVersion`).
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

    /// How the customer got the app; empty in payloads from before App Store Server API 1.22.
    public let storeType: StoreType

    /// The hash that binds the app transaction to a device; empty in payloads for servers.
    public let deviceVerification: Data

    /// The nonce of the hash; all zeros in payloads for servers.
    public let deviceVerificationNonce: UUID

    package static let form = PayloadForm("app transaction") { properties throws(PayloadError) in
        try AppTransaction(SignedContent(), &properties)
    }

    /// Reads the payload.
    ///
    /// - Throws: `PayloadError` if the payload lacks the app, a version, or a date that every app
    ///   transaction has.
    public init(
        _ content: SignedContent, verifier: StoreKitVerifier
    ) throws(PayloadError) {
        var properties = try PayloadProperties(content, Self.form)
        try self.init(content, &properties)
    }

    private init(_ content: SignedContent, _ properties: inout PayloadProperties) throws(PayloadError) {
        signedContent = content
        appID = properties.optional("appID", .identifierUnlessZero, "appAppleId")
        appVersion = try properties.required("appVersion", .text, "applicationVersion")
        appVersionID = properties.optional("appVersionID", .identifierUnlessZero, "versionExternalIdentifier")
        bundleID = try properties.required("bundleID", .text, "bundleId")
        environment = AppStore.Environment(
            rawValue: properties.value("environment", .textUnlessEmpty, "receiptType"))
        originalAppVersion = try properties.required(
            "originalAppVersion", .text, "originalApplicationVersion")
        originalPurchaseDate = try properties.required("originalPurchaseDate", .date, "originalPurchaseDate")
        preorderDate = properties.optional("preorderDate", .date, "preorderDate")
        requestDate = properties.optional("requestDate", .date, "requestDate")
        revocationDate = properties.optional("revocationDate", .revocation, "revocationDate")
        appTransactionID = properties.value("appTransactionID", .textUnlessEmpty, "appTransactionId")
        originalPlatform = AppStore.Platform(
            rawValue: properties.value("originalPlatform", .textUnlessEmpty, "originalPlatform"))
        storeType = StoreType(rawValue: properties.value("storeType", .textUnlessEmpty, "storeType"))
        signedDate = try properties.required("signedDate", .date, "receiptCreationDate")
        (deviceVerification, deviceVerificationNonce) = properties.deviceBinding()
    }
}

extension AppTransaction {
    /// How a customer gets apps.
    ///
    /// An unknown value is kept unchanged. Apple's pages of November 2026 give the raw value of one type.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        /// The value, as the payload gives it.
        public let rawValue: String

        /// Makes a value from its raw form, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The App Store for consumers.
        public static let consumer = StoreType(rawValue: "CONSUMER")
    }
}

extension AppTransaction: CustomDebugStringConvertible {
    /// The payload's JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
