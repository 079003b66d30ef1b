/// The settings of a sale, which hold for all customers and can change at any time.
struct SaleSettings: Sendable {
    var timeRate: SKTestSession.TimeRate
    /// Whether there is a grace period when a payment fails.
    var hasGracePeriods: Bool
    /// How long grace periods are, in milliseconds; `nil` for the rate's own length.
    var gracePeriod: Int?
    /// How subscriptions are sold for several people; `nil` if they are not.
    var seatSale: SeatSale?
    /// How often a subscription renews after it was bought; `nil` for ever.
    var renewalLimit: Int?
    /// Whether an upgrade's payloads say what it gave back for the rest of the old period.
    var tellsUpgradeRefunds = false
    /// Whether payloads have only the members that the App Store had in the year of their signature.
    var signsAsThen = false
    /// The storefront of new customers.
    var storefront: String
    /// The products that an app's server may sell items by; `nil` for all.
    var genericProducts: Set<String>?

    init(_ settings: ConfiguredSettings, renewalLimit: Int?) {
        timeRate = settings.timeRate
        hasGracePeriods = settings.billingGracePeriodIsEnabled
        storefront = settings.storefront
        self.renewalLimit = renewalLimit
    }
}
