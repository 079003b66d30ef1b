/// What came of a request to move the renewal dates of all subscribers to a product (`summary`; the App Store
/// Server API's "Extend Subscription Renewal Dates for All Active Subscribers").
public struct NotificationSummary: Hashable, Sendable {
    /// The environment of the request.
    public let environment: AppStore.Environment?

    /// Apple's number for the app; `nil` where it is absent or 0, as it may be outside production.
    public let appAppleID: UInt64?

    /// The app's bundle identifier.
    public let bundleID: String?

    /// The subscription.
    public let productID: String?

    /// The identifier that the app's server gave the request: a UUID, as it was written.
    public let requestIdentifier: String?

    /// The storefronts of the request, in three letters each (ISO 3166-1); empty where it named none.
    public let storefrontCountryCodes: [String]

    /// For how many subscriptions the date was moved.
    public let succeededCount: Int?

    /// For how many it was not; each has a notification of its own, with the subtype `FAILURE`.
    public let failedCount: Int?

    private static let names = [
        "environment", "appAppleId", "bundleId", "productId", "requestIdentifier", "storefrontCountryCodes",
        "succeededCount", "failedCount",
    ]

    init?(_ notification: PayloadFields) {
        guard let fields = notification.object("summary", names: Self.names) else { return nil }
        environment = fields.string("environment").map(AppStore.Environment.init(rawValue:))
        appAppleID = fields.identifier("appAppleId").flatMap { $0 == 0 ? nil : $0 }
        bundleID = fields.string("bundleId")
        productID = fields.string("productId")
        requestIdentifier = fields.string("requestIdentifier")
        storefrontCountryCodes = fields.strings("storefrontCountryCodes") ?? []
        succeededCount = fields.integer("succeededCount")
        failedCount = fields.integer("failedCount")
    }
}
