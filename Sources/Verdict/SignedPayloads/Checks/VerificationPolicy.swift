public import Essentials
package import WireFormats

/// A caller's requirements for a payload, in addition to a good signature under a trusted chain.
public struct VerificationPolicy: Hashable, Sendable {
    /// The environments to accept; empty accepts all. `xcode` and `localTesting` also admit payloads signed
    /// with a single certificate, if that certificate is an anchor and the payload names that environment.
    public var environments: Set<AppStoreEnvironment> = []
    /// The bundle identifiers to accept, compared byte for byte; empty accepts all. Renewal information and
    /// realtime requests do not carry one, so this does not apply to them.
    public var bundleIdentifiers: Set<String> = []
    /// The app's Apple ID, a number; `nil` accepts all. Transactions and renewal information do not carry it, so
    /// this does not apply to them. Outside production it may be absent or 0.
    public var appAppleIdentifier: Int64?
    /// The device that payloads must have been made for: the value of `AppStore.deviceVerificationID` on it.
    /// Only payloads that an app gets on a device (transactions, app transactions, renewal information) carry
    /// its hash. All others fail.
    public var deviceIdentifier: UUID?
    /// The instant at which the certificates must be valid; `nil` means each payload's own signed date. If
    /// the instant is outside the years 1 to 9999, no payload passes.
    public var effectiveDate: Date?
    /// The maximum length of a token, in bytes. Below 1, no token passes.
    ///
    /// The default is 1 MiB. The largest genuine payloads, notifications with two payloads inside, take 20
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
    /// How long lines may be.
    package var lineLimits: LineLimits { LineLimits(maximumTokenBytes: maximumTokenBytes) }

    /// Check 1, the size of a token or receipt.
    func checkSize(_ bytes: Int) throws(PayloadError) {
        guard bytes <= maximumTokenBytes else { throw .tooLarge(bytes: bytes, limit: maximumTokenBytes) }
    }
}
