extension AppTransaction {
    /// The app transaction of the scope's customer; see `CustomerScope.shop`. A server verifies the JWS that the app
    /// sends, with `StoreKitVerifier.appTransaction(_:)`, or that the App Store Server API gives by Get App Transaction
    /// Info.
    ///
    /// - Throws: `NoShopError` outside of such a scope, or the shop's error.
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try await CustomerScope.openShop("AppTransaction.shared").appTransaction() }
    }

    /// The app transaction, signed anew.
    ///
    /// - Throws: `NoShopError` outside of such a scope, or the shop's error.
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        try await CustomerScope.openShop("AppTransaction.refresh()").appTransaction()
    }
}
