extension AppTransaction {
    /// The platform on which the customer first bought or downloaded the app, as the payload gives it.
    @available(*, deprecated, message: "Use originalPlatform.")
    public var originalPlatformStringRepresentation: String { originalPlatform.rawValue }

    /// The app transaction of the running app. Unavailable: the app runs on a device.
    @available(
        *, unavailable,
        message:
            "Verify the JWS that the app sends, with StoreKitVerifier.appTransaction(_:), or that the App Store Server API gives by Get App Transaction Info."
    )
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { throw VerificationResult<AppTransaction>.VerificationError.invalidEncoding }
    }

    /// Requests the app transaction of the running app again. Unavailable: the app runs on a device.
    @available(
        *, unavailable,
        message:
            "Verify the JWS that the app sends, with StoreKitVerifier.appTransaction(_:), or that the App Store Server API gives by Get App Transaction Info."
    )
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        throw VerificationResult<AppTransaction>.VerificationError.invalidEncoding
    }
}
