#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a caller asks of a payload beyond a good signature under a trusted chain.
public struct VerificationPolicy: Hashable, Sendable {
    /// The environments to accept; empty accepts all. Naming `xcode` or `localTesting` also admits payloads
    /// signed with a single certificate, if that certificate is an anchor and the payload says so.
    public var environments: Set<Environment> = []
    /// The bundle identifiers to accept; empty accepts all. Compared byte for byte. Renewal information and
    /// realtime requests carry none and are not concerned.
    public var bundleIdentifiers: Set<String> = []
    /// The app's number at Apple; `nil` accepts all. Transactions and renewal information carry none and are
    /// not concerned; outside production it may be absent or 0.
    public var appAppleIdentifier: Int64?
    /// The device that payloads must have been made for: what `AppStore.deviceVerificationID` is on it. Only
    /// payloads that an app gets on a device (transactions, app transactions, renewal information) carry its
    /// hash; all others fail.
    public var deviceIdentifier: UUID?
    /// At which instant the certificates must be valid; `nil` takes each payload's own signed date. No payload
    /// passes with one outside the years 1 to 9999.
    public var effectiveDate: Date?
    /// The length of the largest token that is looked at, in bytes; nothing passes a limit below 1.
    ///
    /// One mebibyte by default: the largest genuine payloads, notifications with two payloads inside, take 20
    /// kB.
    public var maximumTokenBytes: Int = 1 << 20

    /// Accepts every payload that the App Store signed, of any app and environment.
    public init() {}

    /// Whether payloads of all environments and apps are accepted.
    var acceptsAnyIdentity: Bool {
        environments.isEmpty && bundleIdentifiers.isEmpty && appAppleIdentifier == nil
    }
}

extension VerificationPolicy {
    /// Where a payload comes from, as it says itself: an open set, with the names of today.
    public struct Environment: RawRepresentable, Hashable, Sendable {
        /// The name in the payload.
        public let rawValue: String

        /// An environment by its name in the payload.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The App Store.
        public static let production = Environment(rawValue: "Production")
        /// The App Store's sandbox, TestFlight included.
        public static let sandbox = Environment(rawValue: "Sandbox")
        /// StoreKit Testing in Xcode.
        public static let xcode = Environment(rawValue: "Xcode")
        /// StoreKit Testing with a local server.
        public static let localTesting = Environment(rawValue: "LocalTesting")

        /// Whether payloads of the environment are signed with one certificate of the developer's machine.
        var isSelfSigned: Bool { self == .xcode || self == .localTesting }
    }
}
