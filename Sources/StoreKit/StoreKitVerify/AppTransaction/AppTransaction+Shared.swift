extension AppTransaction {
    /// The app transaction of the scope's customer; see `CustomerScope.appStore`. A server verifies the JWS that the app
    /// sends, with `StoreKitVerifier.appTransaction(_:)`, or that the App Store Server API gives by Get App Transaction
    /// Info.
    ///
    /// - Throws: `NoAppStoreError` outside of such a scope, or that App Store's error.
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try await CustomerScope.openAppStore("AppTransaction.shared").appTransaction() }
    }

    /// The app transaction, signed anew.
    ///
    /// - Throws: `NoAppStoreError` outside of such a scope, or that App Store's error.
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        try await CustomerScope.openAppStore("AppTransaction.refresh()").appTransaction()
    }
}
