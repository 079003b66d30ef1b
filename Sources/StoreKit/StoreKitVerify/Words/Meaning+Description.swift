extension ServerNotification.Meaning: CustomStringConvertible {
    /// The event, in a sentence for people.
    public var description: String { words.text }

    /// A name for programs, such as `subscribed.first`. It stays the same in later versions.
    public var name: String { words.name }

    private var words: (name: String, text: String) {
        switch self {
        case .subscribed(.first):
            ("subscribed.first", "The customer subscribed, for the first time in this group.")
        case .subscribed(.again): ("subscribed.again", "The customer subscribed again.")
        case .renewed: ("renewed", "The subscription renewed.")
        case .recovered: ("recovered", "The subscription renewed, after a charge that had failed.")
        case .renewalTurnedOn: ("renewalTurnedOn", "Renewal was turned on: the subscription will renew.")
        case .renewalTurnedOff:
            ("renewalTurnedOff", "Renewal was turned off: the subscription will not renew.")
        case .planChanged(.upgraded):
            ("planChanged.upgraded", "The customer upgraded: a period of another product began.")
        case .planChanged(.willDowngrade):
            ("planChanged.willDowngrade", "The customer chose another product, from the next renewal on.")
        case .planChanged(.reverted):
            ("planChanged.reverted", "The customer keeps the present product after all.")
        case .offerRedeemed(.samePlan):
            ("offerRedeemed.samePlan", "The customer redeemed an offer for the present product.")
        case .offerRedeemed(.upgraded): ("offerRedeemed.upgraded", "The customer upgraded with an offer.")
        case .offerRedeemed(.willDowngrade):
            (
                "offerRedeemed.willDowngrade",
                "The customer redeemed an offer for another product, from renewal on."
            )
        case .offerRedeemed(.subscribed(.first)):
            ("offerRedeemed.subscribed.first", "The customer subscribed with an offer, for the first time.")
        case .offerRedeemed(.subscribed(.again)):
            ("offerRedeemed.subscribed.again", "The customer subscribed again, with an offer.")
        case .billingFailed(.gracePeriod):
            ("billingFailed.gracePeriod", "A charge failed; the customer is in a grace period.")
        case .billingFailed(.noGracePeriod):
            ("billingFailed.noGracePeriod", "A charge failed, and there is no grace period.")
        case .gracePeriodOver:
            ("gracePeriodOver", "The grace period is over; the App Store still tries to charge.")
        case .expired(.voluntary):
            ("expired.voluntary", "The subscription ended: the customer had turned renewal off.")
        case .expired(.billing):
            ("expired.billing", "The subscription ended: the customer could not be charged.")
        case .expired(.priceIncreaseNotAccepted):
            ("expired.priceIncreaseNotAccepted", "The subscription ended: no consent to a higher price.")
        case .expired(.productNotForSale):
            ("expired.productNotForSale", "The subscription ended: the product was no longer for sale.")
        case .expired(.other): ("expired.other", "The subscription ended, for a reason that is not given.")
        case .priceIncreasePending:
            ("priceIncreasePending", "The customer was asked to agree to a higher price.")
        case .priceIncreaseSettled:
            ("priceIncreaseSettled", "The price will rise: the customer agreed, or need not.")
        case .oneTimeCharge:
            ("oneTimeCharge", "The customer bought a product that is not a renewing subscription.")
        case .consumptionDataRequested:
            ("consumptionDataRequested", "The customer asks for a refund; Apple asks for consumption data.")
        case .refunded: ("refunded", "The App Store refunded the transaction.")
        case .seatsRefunded: ("seatsRefunded", "The App Store refunded some of the seats.")
        case .seatQuantityChanged(.increased):
            (
                "seatQuantityChanged.increased",
                "The purchaser added seats, or took back an earlier reduction of them."
            )
        case .seatQuantityChanged(.willDecrease):
            ("seatQuantityChanged.willDecrease", "The purchaser chose fewer seats, from the next renewal on.")
        case .seatsUnclaimed: ("seatsUnclaimed", "The App Store has unclaimed seats.")
        case .refundDeclined: ("refundDeclined", "The App Store declined a refund.")
        case .refundReversed: ("refundReversed", "The App Store took a refund back.")
        case .familySharingRevoked:
            ("familySharingRevoked", "The purchase is no longer shared with the customer.")
        case .renewalDateExtended:
            ("renewalDateExtended", "The renewal date was moved, at the app's request.")
        case .massExtension(.done): ("massExtension.done", "The renewal dates of all subscribers were moved.")
        case .massExtension(.failedForOne):
            ("massExtension.failedForOne", "The renewal date of this subscription could not be moved.")
        case .externalPurchaseToken(.created):
            ("externalPurchaseToken.created", "A token for external purchases was made.")
        case .externalPurchaseToken(.unreported):
            ("externalPurchaseToken.unreported", "The app has not reported on an external purchase token.")
        case .externalPurchaseToken(.stillActive):
            ("externalPurchaseToken.stillActive", "A token for external purchases is still active.")
        case .consentRescinded:
            ("consentRescinded", "A parent withdrew the consent to a child's use of the app.")
        case .metadataUpdated: ("metadataUpdated", "The app's server changed the subscription's metadata.")
        case .migrated: ("migrated", "The subscription moved to the Advanced Commerce API.")
        case .priceChanged: ("priceChanged", "The app's server changed the subscription's price.")
        case .test: ("test", "A test: the app's server asked for it.")
        case .unknown: ("unknown", "Not known: this type and subtype are not documented here.")
        }
    }

    /// The event, in a sentence for people that agrees with the access by the payloads inside the notification
    /// (`AccessEvidence`).
    package func sentence(with access: ServerNotification.AccessChange) -> String {
        switch (self, access) {
        case (.renewalTurnedOff, .keeps):
            "Renewal was turned off: access is kept, and billed monthly, to the end of the commitment."
        case (.billingFailed, .keeps): Self.billingFailed(.gracePeriod).description
        default: description
        }
    }
}

extension ServerNotification.Meaning: Encodable {
    /// Encodes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
