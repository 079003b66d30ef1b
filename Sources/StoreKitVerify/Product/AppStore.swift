/// The home of StoreKit's types around the App Store.
public enum AppStore {
    /// Where a payload was signed.
    ///
    /// A value that has no name here is kept as it is.
    public struct Environment: RawRepresentable, Hashable, Sendable {
        /// The value as the payload has it.
        public let rawValue: String

        /// Any value.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The App Store.
        public static let production = Environment(rawValue: "Production")
        /// The App Store's environment for tests.
        public static let sandbox = Environment(rawValue: "Sandbox")
        /// Xcode's tests, whose payloads a developer's machine signs.
        public static let xcode = Environment(rawValue: "Xcode")
        /// Tests without Xcode, whose payloads a developer's machine signs.
        public static let localTesting = Environment(rawValue: "LocalTesting")
    }

    /// A device's operating system.
    ///
    /// A value that has no name here is kept as it is.
    public struct Platform: RawRepresentable, Hashable, Sendable {
        /// The value as the payload has it.
        public let rawValue: String

        /// Any value.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// iOS, iPadOS and watchOS.
        public static let iOS = Platform(rawValue: "iOS")
        /// macOS.
        public static let macOS = Platform(rawValue: "macOS")
        /// tvOS.
        public static let tvOS = Platform(rawValue: "tvOS")
        /// visionOS.
        public static let visionOS = Platform(rawValue: "visionOS")
    }
}

/// The App Store of a country or region.
public struct Storefront: Hashable, Sendable, Identifiable {
    /// The country or region, in three letters (ISO 3166-1).
    public let countryCode: String
    /// Apple's number for the storefront.
    public let id: String

    static let names = ["storefront", "storefrontId"]

    init(_ fields: PayloadFields) {
        countryCode = fields.string("storefront") ?? ""
        id = fields.string("storefrontId") ?? ""
    }
}
