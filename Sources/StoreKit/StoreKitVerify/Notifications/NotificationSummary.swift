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

    /// The storefronts of the request, as three-letter codes (ISO 3166-1); empty if it named no storefront.
    public let storefrontCountryCodes: [String]

    /// The number of subscriptions with a new renewal date.
    public let succeededCount: Int?

    /// The number of subscriptions for which the request failed. The App Store sends a notification with the
    /// subtype `FAILURE` for each.
    public let failedCount: Int?

    package static let form = PayloadForm("summary", NotificationSummary.init)

    init(_ properties: inout PayloadProperties) {
        environment = properties.optional("environment", .text, "environment")
            .map(AppStore.Environment.init(rawValue:))
        appAppleID = properties.optional("appAppleID", .identifierUnlessZero, "appAppleId")
        bundleID = properties.optional("bundleID", .text, "bundleId")
        productID = properties.optional("productID", .text, "productId")
        requestIdentifier = properties.optional("requestIdentifier", .text, "requestIdentifier")
        storefrontCountryCodes = properties.value("storefrontCountryCodes", .texts, "storefrontCountryCodes")
        succeededCount = properties.optional("succeededCount", .integer, "succeededCount")
        failedCount = properties.optional("failedCount", .integer, "failedCount")
    }
}
