internal import Essentials
internal import StoreKitVerify
internal import WireFormats

/// Tokens for purchases outside the App Store: the custom link tokens of an app in the European Union.
///
/// Apple's page "Receiving and decoding external purchase tokens": such a token has a type and a date of expiration, and the
/// App Store reminds of it each month while it is active.
extension Simulation {
    /// Tells of a customer's token: of a new one that was created, and of the latest one otherwise.
    mutating func notifyOfExternalPurchase(
        _ subtype: ServerNotification.Subtype, of customer: CustomerPlace
    ) throws(StoreRefusal) {
        let token: ExternalPurchaseLedger.Token
        if subtype != .created, let latest = externalPurchases.latestToken(of: customer) {
            // A reminder is of a token that transactions can still use.
            guard subtype != .activeTokenReminder || now < latest.expirationDate else {
                throw .notAllowed("the customer's token has expired: there is nothing to remind of")
            }
            token = latest
        } else {
            token = makeExternalPurchaseToken()
            externalPurchases.add(token, of: customer)
        }
        var object = ObjectText()
        object.add("externalPurchaseId", token.id)
        object.add("tokenCreationDate", token.creationDate)
        object.add("appAppleId", signer.app.appleID)
        object.add("bundleId", signer.app.bundleID)
        object.add("tokenType", "ACQUISITION")
        object.add("tokenExpirationDate", token.expirationDate)
        try send(.externalPurchaseToken, subtype, "externalPurchaseToken", object)
    }

    /// Apple documents an hour for the Sandbox. At real time, and in production, a year is this package's own length.
    private mutating func makeExternalPurchaseToken() -> ExternalPurchaseLedger.Token {
        let prefix = signer.environment == .production ? "" : "SANDBOX_"
        let isFast = signer.environment != .production && settings.timeRate != .realTime
        return .init(
            id: prefix + makeUUID().uuidString.lowercased(), creationDate: now,
            expirationDate: now + (isFast ? 3_600_000 : settings.timeRate.days(365)))
    }
}
