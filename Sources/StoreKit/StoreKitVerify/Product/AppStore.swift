public import Essentials

// A file that imports StoreKitVerify alone can use the members of AppStore.Environment.
@_exported public import struct SignedPayloads.AppStoreEnvironment

/// The namespace of StoreKit's types for the App Store.
public enum AppStore {
    /// The environment that signed a payload.
    public typealias Environment = AppStoreEnvironment

    /// A device's operating system.
    ///
    /// An unknown value is kept unchanged.
    public struct Platform: RawRepresentable, Hashable, Sendable {
        /// The value, as the payload gives it.
        public let rawValue: String

        /// Makes a value from its raw form, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// iOS, iPadOS and watchOS.
        public static let iOS = Platform(rawValue: "iOS")
        /// macOS.
        public static let macOS = Platform(rawValue: "macOS")
        /// tvOS.
        public static let tvOS = Platform(rawValue: "tvOS")
        /// visionOS.
        public static let visionOS = Platform(rawValue: "visionOS")
    }
}

extension AppStore.Environment {
    /// The environment of a payload about a purchase. The notification that carried the payload is signed too.
    init(_ properties: inout PayloadProperties, around content: SignedContent) {
        let own = properties.value("environment", .textUnlessEmpty, "environment")
        self = own.isEmpty ? content.environmentAround ?? Self(rawValue: "") : Self(rawValue: own)
    }
}

/// The App Store of a country or region.
public struct Storefront: Hashable, Sendable, Identifiable {
    /// The country or region, as a three-letter code (ISO 3166-1).
    public let countryCode: String
    /// Apple's number for the storefront.
    public let id: String

    init(_ properties: inout PayloadProperties) {
        countryCode = properties.value("storefront", .textUnlessEmpty, "storefront")
        id = properties.value("storefrontID", .textUnlessEmpty, "storefrontId")
    }
}

extension AppStore {
    /// Has the scope's simulated App Store deliver the customer's purchases again; see `CustomerScope.appStore`. A
    /// server calls Get Transaction History of the App Store Server API instead, and applies its transactions to the
    /// `TransactionStore`.
    ///
    /// - Throws: `NoAppStoreError` outside of such a scope, or that App Store's error.
    public static func sync() async throws { try await CustomerScope.openAppStore("AppStore.sync()").sync() }

    /// The identifier of the device, for `deviceVerification`. Unavailable: the app runs on a device.
    @available(
        *, unavailable,
        message:
            "Have the app send it, and set VerificationPolicy.deviceIdentifier: the verifier compares it."
    )
    public static var deviceVerificationID: UUID? { nil }
}
