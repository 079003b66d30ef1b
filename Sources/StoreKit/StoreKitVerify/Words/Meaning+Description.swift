extension ServerNotification.Meaning: CustomStringConvertible {
    /// The event, in a sentence for people.
    public var description: String {
        switch self {
        case .subscribed(let occasion): Self.subscribed(occasion)
        case .renewed: "The subscription renewed."
        case .recovered: "The subscription renewed, after a charge that had failed."
        case .renewalTurnedOn: "Renewal was turned on: the subscription will renew."
        case .renewalTurnedOff: "Renewal was turned off: the subscription will not renew."
        case .planChanged(let change): Self.planChanged(change)
        case .offerRedeemed(let redemption): Self.redeemed(redemption)
        case .billingFailed(.gracePeriod): "A charge failed; the customer is in a grace period."
        case .billingFailed(.noGracePeriod): "A charge failed, and there is no grace period."
        case .gracePeriodOver: "The grace period is over; the App Store still tries to charge."
        case .expired(let cause): Self.expired(cause)
        case .priceIncreasePending: "The customer was asked to agree to a higher price."
        case .priceIncreaseSettled: "The price will rise: the customer agreed, or need not."
        case .oneTimeCharge: "The customer bought a product that is not a renewing subscription."
        case .consumptionDataRequested: "The customer asks for a refund; Apple asks for consumption data."
        case .refunded: "The App Store refunded the transaction."
        case .seatsRefunded: "The App Store refunded some of the seats."
        case .seatQuantityChanged(.increased):
            "The purchaser added seats, or took back an earlier reduction of them."
        case .seatQuantityChanged(.willDecrease): "The purchaser chose fewer seats, from the next renewal on."
        case .seatsUnclaimed: "The App Store has unclaimed seats."
        case .refundDeclined: "The App Store declined a refund."
        case .refundReversed: "The App Store took a refund back."
        case .familySharingRevoked: "The purchase is no longer shared with the customer."
        case .renewalDateExtended: "The renewal date was moved, at the app's request."
        case .massExtension(.done): "The renewal dates of all subscribers were moved."
        case .massExtension(.failedForOne): "The renewal date of this subscription could not be moved."
        case .externalPurchaseToken(.created): "A token for external purchases was made."
        case .externalPurchaseToken(.unreported): "The app has not reported on an external purchase token."
        case .externalPurchaseToken(.stillActive): "A token for external purchases is still active."
        case .consentRescinded: "A parent withdrew the consent to a child's use of the app."
        case .metadataUpdated: "The app's server changed the subscription's metadata."
        case .migrated: "The subscription moved to the Advanced Commerce API."
        case .priceChanged: "The app's server changed the subscription's price."
        case .test: "A test: the app's server asked for it."
        case .unknown: "Not known: this type and subtype are not documented here."
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

    private static func subscribed(_ occasion: Occasion) -> String {
        switch occasion {
        case .first: "The customer subscribed, for the first time in this group."
        case .again: "The customer subscribed again."
        }
    }

    private static func planChanged(_ change: PlanChange) -> String {
        switch change {
        case .upgraded: "The customer upgraded: a period of another product began."
        case .willDowngrade: "The customer chose another product, from the next renewal on."
        case .reverted: "The customer keeps the present product after all."
        }
    }

    private static func redeemed(_ redemption: OfferRedemption) -> String {
        switch redemption {
        case .samePlan: "The customer redeemed an offer for the present product."
        case .upgraded: "The customer upgraded with an offer."
        case .willDowngrade: "The customer redeemed an offer for another product, from renewal on."
        case .subscribed(.first): "The customer subscribed with an offer, for the first time."
        case .subscribed(.again): "The customer subscribed again, with an offer."
        }
    }

    private static func expired(_ cause: ExpirationCause) -> String {
        switch cause {
        case .voluntary: "The subscription ended: the customer had turned renewal off."
        case .billing: "The subscription ended: the customer could not be charged."
        case .priceIncreaseNotAccepted: "The subscription ended: no consent to a higher price."
        case .productNotForSale: "The subscription ended: the product was no longer for sale."
        case .other: "The subscription ended, for a reason that is not given."
        }
    }
}

extension ServerNotification.Meaning: Encodable {
    /// A name for programs, such as `subscribed.first`. It stays the same in later versions.
    public var name: String {
        switch self {
        case .subscribed(let occasion): "subscribed.\(occasion)"
        case .renewed: "renewed"
        case .recovered: "recovered"
        case .renewalTurnedOn: "renewalTurnedOn"
        case .renewalTurnedOff: "renewalTurnedOff"
        case .planChanged(let change): "planChanged.\(change)"
        case .offerRedeemed(.subscribed(let occasion)): "offerRedeemed.subscribed.\(occasion)"
        case .offerRedeemed(let redemption): "offerRedeemed.\(redemption)"
        case .billingFailed(let grace): "billingFailed.\(grace)"
        case .gracePeriodOver: "gracePeriodOver"
        case .expired(let cause): "expired.\(cause)"
        case .priceIncreasePending: "priceIncreasePending"
        case .priceIncreaseSettled: "priceIncreaseSettled"
        case .oneTimeCharge: "oneTimeCharge"
        case .consumptionDataRequested: "consumptionDataRequested"
        case .refunded: "refunded"
        case .seatsRefunded: "seatsRefunded"
        case .seatQuantityChanged(let change): "seatQuantityChanged.\(change)"
        case .seatsUnclaimed: "seatsUnclaimed"
        case .refundDeclined: "refundDeclined"
        case .refundReversed: "refundReversed"
        case .familySharingRevoked: "familySharingRevoked"
        case .renewalDateExtended: "renewalDateExtended"
        case .massExtension(let result): "massExtension.\(result)"
        case .externalPurchaseToken(let event): "externalPurchaseToken.\(event)"
        case .consentRescinded: "consentRescinded"
        case .metadataUpdated: "metadataUpdated"
        case .migrated: "migrated"
        case .priceChanged: "priceChanged"
        case .test: "test"
        case .unknown: "unknown"
        }
    }

    /// Encodes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
