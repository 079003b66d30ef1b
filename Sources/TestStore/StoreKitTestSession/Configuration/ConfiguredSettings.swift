internal import WireFormats

/// The settings of the test environment in a `.storekit` file. Members that a file leaves out have Apple's defaults.
public struct ConfiguredSettings: Hashable, Sendable {
    /// Whether every purchase waits for a parent's approval.
    public let askToBuyEnabled: Bool
    /// Whether every purchase is interrupted, until its issue is resolved.
    public let interruptedPurchasesEnabled: Bool
    /// Whether renewals fail, and enter billing retry.
    public let shouldEnterBillingRetryOnRenewal: Bool
    /// Whether there is a grace period when renewals fail.
    public let billingGracePeriodIsEnabled: Bool
    /// Whether the system shows no dialogs. Nothing does here.
    public let disableDialogs: Bool
    /// The storefront's country or region, as three letters (ISO 3166-1).
    public let storefront: String
    /// The language of the products' names and descriptions.
    public let localeIdentifier: String
    /// How fast time passes.
    public let timeRate: SKTestSession.TimeRate
    /// The errors to be simulated.
    public let simulatedErrors: [SimulatedError]

    /// An error that one of StoreKit's functions fails with.
    public struct SimulatedError: Hashable, Sendable {
        /// The function, as the file names it: `Load Products`, `Purchase`, `Verification`…
        public let name: String
        /// Whether the function fails.
        public let isEnabled: Bool
        /// The type of the error: `generic`, `purchase` or `verification`; `nil` if none is chosen.
        public let type: String?
        /// The number of the error among those of its type.
        public let index: Int?

        init(_ node: ConfigurationNode) throws(StoreKitConfigurationError) {
            name = try node.required("name").string()
            isEnabled = try node.bool("enabled") ?? false
            let current = try node.member("current")
            type = try current?.string("type")
            index = try current?.integer("index")
        }
    }

    /// - Parameter node: the member `settings`; `nil` for a file without it.
    init(_ node: ConfigurationNode?) throws(StoreKitConfigurationError) {
        let node = node ?? ConfigurationNode(tree: .object([]), path: "settings")
        askToBuyEnabled = try node.bool("_askToBuyEnabled") ?? false
        interruptedPurchasesEnabled = try node.bool("_billingIssuesEnabled") ?? false
        shouldEnterBillingRetryOnRenewal = try node.bool("_renewalBillingIssuesEnabled") ?? false
        billingGracePeriodIsEnabled = try node.bool("_billingGracePeriodEnabled") ?? false
        disableDialogs = try node.bool("_disableDialogs") ?? false
        storefront = try Self.storefront(node)
        localeIdentifier = try Self.locale(node)
        timeRate = try Self.timeRate(node)
        simulatedErrors = try node.list("_storeKitErrors", SimulatedError.init)
    }

    private static func storefront(
        _ settings: ConfigurationNode
    ) throws(StoreKitConfigurationError) -> String {
        guard let node = try settings.member("_storefront") else { return "USA" }
        let code = try node.string()
        guard !code.isEmpty else { return "USA" }
        if let reason = Region.refusal(ofStorefront: code) { throw node.error(reason) }
        return code
    }

    private static func locale(_ settings: ConfigurationNode) throws(StoreKitConfigurationError) -> String {
        guard let node = try settings.member("_locale") else { return "en_US" }
        let identifier = try node.string()
        guard !identifier.isEmpty else { return "en_US" }
        if let reason = Region.refusal(ofLocale: identifier) { throw node.error(reason) }
        return identifier
    }

    /// A rate of a later version is an error: with another rate, a test would wait for renewals that do not
    /// come.
    private static func timeRate(
        _ settings: ConfigurationNode
    ) throws(StoreKitConfigurationError) -> SKTestSession.TimeRate {
        guard let node = try settings.member("_timeRate") else { return .realTime }
        let number = try node.integer()
        guard let rate = SKTestSession.TimeRate(rawValue: number) else {
            throw node.error("\(number) is not a rate of time")
        }
        return rate
    }
}
