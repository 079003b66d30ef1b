public import Essentials
package import WireFormats

/// The seats that the App Store has unclaimed (`unclaimInfo`), in a group whose developer manages the invitations.
///
/// Apple's page of November 2026 names the claims. That the object also names the purchase and the app, as other parts
/// do, is an assumption: each of these is `nil` if it does not.
public struct NotificationUnclaimInfo: Hashable, Sendable {
    /// The claims that have ended: each is a `seatClaimId` of the App Store Server API's Claim Seat. The app ends the
    /// access of the persons that it gave these seats to. An element that is not a UUID is left out here.
    public let unclaimSeatIDs: [UUID]

    /// The identifier of the purchaser's first transaction.
    public let originalTransactionID: UInt64?

    /// Apple's number for the app; `nil` if it is absent or 0, as it may be outside production.
    public let appAppleID: UInt64?

    /// The app's bundle identifier.
    public let bundleID: String?

    /// The environment of the purchase.
    public let environment: AppStore.Environment?

    package static let form = PayloadForm("unclaimInfo", NotificationUnclaimInfo.init)

    init(_ properties: inout PayloadProperties) {
        unclaimSeatIDs = properties.value("unclaimSeatIDs", .uuids, "unclaimSeatIds")
        originalTransactionID = properties.optional(
            "originalTransactionID", .identifier, "originalTransactionId")
        appAppleID = properties.optional("appAppleID", .identifierUnlessZero, "appAppleId")
        bundleID = properties.optional("bundleID", .text, "bundleId")
        environment = properties.optional("environment", .text, "environment")
            .map(AppStore.Environment.init(rawValue:))
    }
}
