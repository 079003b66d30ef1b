/// A mistake in a `.storekit` file, and its place there.
public struct StoreKitConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place in the file, such as `subscriptionGroups[0].subscriptions[1].displayPrice`; empty for the whole file.
    public let path: String
    /// The mistake, as a sentence without a full stop.
    public let reason: String

    init(_ path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }

    /// The place and what is wrong there.
    public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}
