extension AppTransaction {
    /// The platform on which the customer first bought or downloaded the app, as the payload gives it.
    @available(*, deprecated, message: "Use originalPlatform.")
    public var originalPlatformStringRepresentation: String { originalPlatform.rawValue }
}
