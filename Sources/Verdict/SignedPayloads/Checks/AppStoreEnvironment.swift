/// The environment that a payload names. StoreKit's name for it is `AppStore.Environment`.
///
/// An unknown value is kept unchanged.
public struct AppStoreEnvironment: RawRepresentable, Hashable, Sendable {
    /// The name, as the payload gives it.
    public let rawValue: String

    /// An environment by its name in payloads, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The App Store in which customers pay.
    public static let production = AppStoreEnvironment(rawValue: "Production")
    /// The App Store's environment for tests, TestFlight included.
    public static let sandbox = AppStoreEnvironment(rawValue: "Sandbox")
    /// StoreKit testing in Xcode. The developer's machine signs the payloads.
    public static let xcode = AppStoreEnvironment(rawValue: "Xcode")
    /// Local tests without Xcode. The developer's machine signs the payloads.
    public static let localTesting = AppStoreEnvironment(rawValue: "LocalTesting")

    /// The environments that an option may name, at every door. A policy with a misspelt one would refuse every payload.
    package static let known = [production, sandbox, xcode, localTesting]

    /// An environment that an option names; `nil` for an unknown name.
    package init?(known name: String) {
        self.init(rawValue: name)
        guard Self.known.contains(self) else { return nil }
    }

    /// Whether payloads of the environment are signed with one certificate of the developer's machine.
    package var isSelfSigned: Bool { self == .xcode || self == .localTesting }
}
