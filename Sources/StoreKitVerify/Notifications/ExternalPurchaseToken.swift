#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A token under which an app reports purchases outside the App Store to Apple (`externalPurchaseToken`).
public struct ExternalPurchaseToken: Hashable, Sendable {
    /// What a token is for (StoreKit's `ExternalPurchaseCustomLink.token(for:)`).
    ///
    /// A value that has no name here is kept as it is.
    public struct TokenType: RawRepresentable, Hashable, Sendable {
        /// The value as the payload has it.
        public let rawValue: String

        /// Any value.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// For having won the customer.
        public static let acquisition = TokenType(rawValue: "ACQUISITION")
        /// For the App Store's services.
        public static let services = TokenType(rawValue: "SERVICES")
        /// For other means of payment within the app.
        public static let inApp = TokenType(rawValue: "IN_APP")
        /// For payment on a web site that the app links to.
        public static let linkOut = TokenType(rawValue: "LINK_OUT")
    }

    /// The token's identifier, under which purchases are reported.
    public let externalPurchaseID: String?

    /// When the token was made.
    public let tokenCreationDate: Date?

    /// Until when the token is active; `nil` where the payload names no end, as in old ones.
    public let tokenExpirationDate: Date?

    /// What the token is for; `nil` where the payload does not say, as in old ones.
    public let tokenType: TokenType?

    /// Apple's number for the app; `nil` where it is absent or 0.
    public let appAppleID: UInt64?

    /// The app's bundle identifier.
    public let bundleID: String?

    private static let names = [
        "externalPurchaseId", "tokenCreationDate", "tokenExpirationDate", "tokenType", "appAppleId",
        "bundleId",
    ]

    init?(_ notification: PayloadFields) {
        guard let fields = notification.object("externalPurchaseToken", names: Self.names) else { return nil }
        externalPurchaseID = fields.string("externalPurchaseId")
        tokenCreationDate = fields.date("tokenCreationDate")
        tokenExpirationDate = fields.date("tokenExpirationDate")
        tokenType = fields.string("tokenType").map(TokenType.init(rawValue:))
        appAppleID = fields.identifier("appAppleId").flatMap { $0 == 0 ? nil : $0 }
        bundleID = fields.string("bundleId")
    }

    /// Where the token was made; `nil` where it has no identifier. The payload has no member for it: the
    /// sandbox's tokens have an identifier that begins with `SANDBOX`.
    public var environment: AppStore.Environment? {
        externalPurchaseID.map { $0.utf8.starts(with: "SANDBOX".utf8) ? .sandbox : .production }
    }
}
