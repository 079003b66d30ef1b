public import Essentials
internal import SignedPayloads
package import WireFormats

/// A token with which an app reports purchases outside the App Store to Apple (`externalPurchaseToken`).
public struct ExternalPurchaseToken: Hashable, Sendable {
    /// The purpose of a token (StoreKit's `ExternalPurchaseCustomLink.token(for:)`).
    ///
    /// An unknown value is kept unchanged.
    public struct TokenType: RawRepresentable, Hashable, Sendable {
        /// The value, as the payload gives it.
        public let rawValue: String

        /// Makes a value from its raw form, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// For the acquisition of the customer.
        public static let acquisition = TokenType(rawValue: "ACQUISITION")
        /// For the services of the App Store.
        public static let services = TokenType(rawValue: "SERVICES")
        /// For payment inside the app, by other means than In-App Purchase.
        public static let inApp = TokenType(rawValue: "IN_APP")
        /// For payment on a web site that the app links to.
        public static let linkOut = TokenType(rawValue: "LINK_OUT")
    }

    /// The token's identifier. The app's server reports purchases with it.
    public let externalPurchaseID: String?

    /// When the token was created.
    public let tokenCreationDate: Date?

    /// When the token stops being active; `nil` if the payload has no such date, as in old payloads.
    public let tokenExpirationDate: Date?

    /// The purpose of the token; `nil` in old payloads, which do not have it.
    public let tokenType: TokenType?

    /// Apple's number for the app; `nil` if it is absent or 0.
    public let appAppleID: UInt64?

    /// The app's bundle identifier.
    public let bundleID: String?

    package static let form = PayloadForm("external purchase token", ExternalPurchaseToken.init)

    init(_ properties: inout PayloadProperties) {
        externalPurchaseID = properties.optional("externalPurchaseID", .text, "externalPurchaseId")
        tokenCreationDate = properties.optional("tokenCreationDate", .date, "tokenCreationDate")
        tokenExpirationDate = properties.optional("tokenExpirationDate", .date, "tokenExpirationDate")
        tokenType = properties.optional("tokenType", .text, "tokenType").map(TokenType.init(rawValue:))
        appAppleID = properties.optional("appAppleID", .identifierUnlessZero, "appAppleId")
        bundleID = properties.optional("bundleID", .text, "bundleId")
    }

    /// The environment that created the token; `nil` if it has no identifier. The payload has no member for
    /// the environment: its identifier has it.
    public var environment: AppStore.Environment? {
        externalPurchaseID.map(Self.environment(ofIdentifier:))
    }

    package static func environment(ofIdentifier identifier: String) -> AppStore.Environment {
        .init(rawValue: ImpliedEnvironment(externalPurchaseIdentifier: identifier).environment.rawValue)
    }
}
