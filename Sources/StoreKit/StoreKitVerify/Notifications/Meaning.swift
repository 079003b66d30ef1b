extension ServerNotification {
    /// The meaning of a notification for the customer, by its type and subtype.
    public enum Meaning: Hashable, Sendable {
        /// The customer has a new subscription: bought, shared by the family, or assigned. The transaction says
        /// whether there was an offer.
        case subscribed(Occasion)
        /// The subscription renewed on time.
        case renewed
        /// The subscription renewed, after an earlier failure to renew.
        case recovered
        /// The customer turned renewal on again.
        case renewalTurnedOn
        /// The subscription will not renew. The customer turned renewal off, or the App Store did after a
        /// refund request.
        case renewalTurnedOff
        /// The customer chose a subscription product. The transaction has the present product, and the
        /// renewal information has the next one.
        case planChanged(PlanChange)
        /// The customer redeemed an offer. The transaction or the renewal information says which.
        case offerRedeemed(OfferRedemption)
        /// The App Store could not charge the customer for the next period. It keeps trying for up to 60
        /// days. The customer should check their payment method.
        case billingFailed(Grace)
        /// The grace period is over. The App Store still tries to charge the customer.
        case gracePeriodOver
        /// The subscription expired.
        case expired(ExpirationCause)
        /// The App Store asked the customer to consent to a higher price. The customer has not answered.
        case priceIncreasePending
        /// The price will increase. The customer consented, or was informed of an increase that needs no consent.
        /// The App Store does not say which of the two it was.
        case priceIncreaseSettled
        /// The customer bought a consumable, a non-consumable or a non-renewing subscription. Or the family
        /// shares a non-consumable with the customer.
        case oneTimeCharge
        /// The customer requested a refund, and the App Store asks how far the purchase was used. The server
        /// answers within 12 hours, if the customer consented to that.
        case consumptionDataRequested
        /// The App Store refunded the transaction, in whole or in part. The transaction's revocation date and
        /// percentage say when and how much.
        case refunded
        /// The App Store refunded some of the transaction's seats. The transaction stays valid, and has no revocation
        /// date; its `multiSeatInfo` has the number of seats.
        case seatsRefunded
        /// The purchaser changed the number of seats, now or for the next renewal. The renewal information has the number
        /// that will renew.
        case seatQuantityChanged(SeatQuantityChange)
        /// The App Store has unclaimed seats. The notification's `unclaimInfo` names the claims.
        case seatsUnclaimed
        /// The App Store declined to refund the transaction.
        case refundDeclined
        /// The App Store reversed a refund. The app should give back the content that it took from the
        /// customer.
        case refundReversed
        /// The purchase is no longer shared with the customer: Family Sharing ended, or the assignment of a seat did. The
        /// transaction's `ownershipType` says which.
        case familySharingRevoked
        /// The App Store extended the subscription's renewal date, as the app's server requested.
        case renewalDateExtended
        /// The result of a request to extend the renewal dates of all subscribers.
        case massExtension(MassExtension)
        /// A token for purchases outside the App Store needs attention.
        case externalPurchaseToken(TokenEvent)
        /// A parent or guardian withdrew the consent to a child's use of the app.
        case consentRescinded
        /// The app's server changed the subscription's metadata (Advanced Commerce API).
        case metadataUpdated
        /// The app's server moved the subscription to the Advanced Commerce API.
        case migrated
        /// The app's server changed the subscription's price (Advanced Commerce API).
        case priceChanged
        /// The app's server requested a test notification.
        case test
        /// The type, or its combination with the subtype, is not in the documentation that this table
        /// follows.
        case unknown(NotificationType, Subtype?)
    }

    /// The effect of a notification on the customer's access. The access is to the product of the
    /// notification's transaction, for the time that the transaction covers, or to the app itself.
    ///
    /// This is a change only, and about that purchase alone. Do not branch on it: ask
    /// `PurchaseHistory.currentEntitlements(at:)` for all products of the customer. For instance, a refund of a past
    /// period is `ends`, and ends nothing in the present period: `status` is then still `subscribed`.
    public enum AccessChange: String, Hashable, Sendable, CaseIterable, Encodable {
        /// The customer gets access, or keeps it for longer. It lasts until the transaction's expiration
        /// date, if there is one.
        case grants
        /// Nothing changes now. A customer with access keeps it, in a grace period until the end of that
        /// period. A customer without access does not get it.
        case keeps
        /// The customer keeps access until the period ends. Then the access ends, unless the customer acts.
        case endsWithPeriod
        /// The customer loses access.
        case ends
        /// The persons whose claims the notification's `unclaimInfo` names lose access. The purchaser keeps it, and so
        /// does everybody else.
        case endsForClaims
        /// The notification is not documented. The payloads inside it have the present state.
        case unknown
    }
}

extension ServerNotification.Meaning {
    /// Whether a customer subscribes for the first time.
    public enum Occasion: Hashable, Sendable, CaseIterable {
        /// The customer had no subscription of the group before.
        case first
        /// The customer had the same or another subscription of the group before.
        case again
    }

    /// How the product of a subscription changes.
    public enum PlanChange: Hashable, Sendable, CaseIterable {
        /// A new period of another product began. The App Store refunds the rest of the old period.
        case upgraded
        /// The subscription changes to another product at the next renewal.
        case willDowngrade
        /// The customer cancelled an earlier change: the present product will renew.
        case reverted
    }

    /// How the number of a subscription's seats changes.
    public enum SeatQuantityChange: Hashable, Sendable, CaseIterable {
        /// The purchaser added seats, or took back an earlier reduction.
        case increased
        /// Fewer seats will renew.
        case willDecrease
    }

    /// How an offer changes a subscription.
    public enum OfferRedemption: Hashable, Sendable {
        /// The product stays the same.
        case samePlan
        /// A new period of another product began.
        case upgraded
        /// The subscription changes to another product at the next renewal.
        case willDowngrade
        /// The customer subscribed with the offer. Only older notifications say so; present ones have the
        /// type `SUBSCRIBED`.
        case subscribed(Occasion)
    }

    /// Whether the customer keeps the service while the App Store tries to charge.
    public enum Grace: Hashable, Sendable, CaseIterable {
        /// The customer keeps it until the renewal information's `gracePeriodExpirationDate`.
        case gracePeriod
        /// The customer does not keep it.
        case noGracePeriod
    }

    /// Why a subscription expired.
    public enum ExpirationCause: Hashable, Sendable, CaseIterable {
        /// The customer turned renewal off.
        case voluntary
        /// The App Store could not charge the customer, and stopped trying.
        case billing
        /// The customer did not consent to a higher price.
        case priceIncreaseNotAccepted
        /// The product was no longer for sale.
        case productNotForSale
        /// Any other reason.
        case other
    }

    /// The result of a request to extend the renewal dates of all subscribers.
    public enum MassExtension: Hashable, Sendable, CaseIterable {
        /// The App Store carried out the request. The notification's `summary` has the numbers.
        case done
        /// The request failed for the subscription in the notification's `data`.
        case failedForOne
    }

    /// Why a token for purchases outside the App Store needs attention.
    public enum TokenEvent: Hashable, Sendable, CaseIterable {
        /// The token was created.
        case created
        /// The token was created, and the app has sent no report about it.
        case unreported
        /// The token is still active. The app must report the purchases that belong to it.
        case stillActive
    }
}
