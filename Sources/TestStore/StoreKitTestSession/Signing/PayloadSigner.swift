internal import Minting
package import StoreKitVerify
package import WireFormats

/// Signs payloads in the name of an environment.
///
/// The only place where this module signs. It adds no member to a payload.
package struct PayloadSigner: Sendable {
    package let environment: AppStore.Environment
    package let app: TestApp
    let authority: TestAuthority

    /// Whether payloads have the form of Xcode's.
    var isXcode: Bool { environment.isSelfSigned }

    /// A compact JWS of a payload.
    ///
    /// - Throws: `StoreRefusal.signing`, if libcrypto fails.
    package func token(_ payload: ObjectText) throws(StoreRefusal) -> String {
        try translating(try authority.signer.token(payload: payload.utf8), StoreRefusal.signing)
    }
}

/// The app whose purchases are simulated.
public struct TestApp: Hashable, Sendable {
    /// The bundle identifier.
    public var bundleID: String
    /// Apple's number for the app. Payloads of Xcode have none.
    public var appleID: Int
    /// The version, as it is written in app transactions.
    public var version: String

    /// - Parameters:
    ///   - bundleID: the bundle identifier.
    ///   - appleID: Apple's number for the app.
    ///   - version: the version, as it is written in app transactions.
    public init(bundleID: String = "com.example.garden", appleID: Int = 1_234_567_890, version: String = "1")
    {
        self.bundleID = bundleID
        self.appleID = appleID
        self.version = version
    }
}
