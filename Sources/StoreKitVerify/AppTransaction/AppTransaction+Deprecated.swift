extension AppTransaction {
    /// Where the customer bought or downloaded the app first, as the payload has it.
    @available(*, deprecated, message: "Use originalPlatform.")
    public var originalPlatformStringRepresentation: String { originalPlatform.rawValue }

    /// The app transaction of the app that runs, which is on a device.
    @available(
        *, unavailable,
        message:
            "Verify the JWS that the app sends, with StoreKitVerifier.appTransaction(_:), or that the App Store Server API gives by Get App Transaction Info."
    )
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { throw VerificationResult<AppTransaction>.VerificationError.invalidEncoding }
    }

    /// Asks for the app transaction of the app that runs anew, which is on a device.
    @available(
        *, unavailable,
        message:
            "Verify the JWS that the app sends, with StoreKitVerifier.appTransaction(_:), or that the App Store Server API gives by Get App Transaction Info."
    )
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        throw VerificationResult<AppTransaction>.VerificationError.invalidEncoding
    }
}
