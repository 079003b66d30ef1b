package import WireFormats

/// The result of a request to extend the renewal dates of all subscribers to a product (`summary`). In the
/// App Store Server API it is "Extend Subscription Renewal Dates for All Active Subscribers".
public struct NotificationSummary: Hashable, Sendable {
    /// The environment of the request.
    public let environment: AppStore.Environment?

    /// Apple's number for the app; `nil` if it is absent or 0, as it may be outside production.
    public let appAppleID: UInt64?

    /// The app's bundle identifier.
    public let bundleID: String?

    /// The subscription's product.
    public let productID: String?

    /// The identifier that the app's server gave the request: a UUID, in its original spelling.
    public let requestIdentifier: String?

    /// The storefronts of the request, as three-letter codes (ISO 3166-1); empty if it named none.
    public let storefrontCountryCodes: [String]

    /// The number of subscriptions with a new renewal date.
    public let succeededCount: Int?

    /// The number of subscriptions for which the request failed. The App Store sends a notification with the
    /// subtype `FAILURE` for each.
    public let failedCount: Int?

    package static let form = PayloadForm(
        "summary", [],
        unwritten: [
            "environment", "appAppleId", "bundleId", "productId", "requestIdentifier",
            "storefrontCountryCodes", "succeededCount", "failedCount",
        ])

    init?(_ notification: PayloadFields) {
        guard let fields = notification.object("summary", names: Self.form.names) else { return nil }
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
