extension ServerNotification {
    /// What a notification means for the customer, by its type and subtype.
    public enum Meaning: Hashable, Sendable {
        /// The customer has a subscription that they had not before, bought or shared by the family. Whether
        /// there was an offer, the transaction says.
        case subscribed(Occasion)
        /// The subscription has renewed, on time.
        case renewed
        /// The subscription had failed to renew, and now has renewed.
        case recovered
        /// The subscription will renew after all.
        case renewalTurnedOn
        /// The subscription will not renew: the customer turned that off, or the App Store did after a request
        /// for a refund.
        case renewalTurnedOff
        /// The customer has chosen what to subscribe to. The transaction has the present product, the renewal
        /// information the next.
        case planChanged(PlanChange)
        /// The customer has redeemed an offer; the transaction or the renewal information says which.
        case offerRedeemed(OfferRedemption)
        /// The customer could not be charged for the next period. The App Store goes on trying, for up to
        /// 60 days; the customer should look at how they pay.
        case billingFailed(Grace)
        /// The grace period is over. The App Store still goes on trying.
        case gracePeriodOver
        /// The subscription has ended.
        case expired(ExpirationCause)
        /// The customer was asked for consent to a higher price, and has not answered.
        case priceIncreasePending
        /// The price will rise: the customer has agreed to it, or was told of an increase that needs no
        /// consent. The App Store does not say which of the two.
        case priceIncreaseSettled
        /// The customer bought a consumable, a non-consumable or a non-renewing subscription, or the family
        /// shares a non-consumable with them.
        case oneTimeCharge
        /// The customer wants a refund, and the App Store asks how far the purchase was used: to be answered
        /// within 12 hours, if the customer has consented to it.
        case consumptionDataRequested
        /// The App Store has refunded the transaction, all or part of it: its revocation date and percentage
        /// say when and how much.
        case refunded
        /// The App Store has not refunded the transaction.
        case refundDeclined
        /// The App Store has taken the refund back; what was taken from the customer is to be given back.
        case refundReversed
        /// The family no longer shares the purchase with the customer.
        case familySharingRevoked
        /// The subscription's renewal date was moved at the app's request.
        case renewalDateExtended
        /// What came of moving the renewal dates of all subscribers at the app's request.
        case massExtension(MassExtension)
        /// A token for purchases outside the App Store needs attention.
        case externalPurchaseToken(TokenEvent)
        /// A parent or guardian has withdrawn the consent to a child's use of the app.
        case consentRescinded
        /// The app's server changed the subscription's metadata (Advanced Commerce API).
        case metadataUpdated
        /// The app's server moved the subscription to the Advanced Commerce API.
        case migrated
        /// The app's server changed the subscription's price (Advanced Commerce API).
        case priceChanged
        /// The app's server asked for a notification, to see that it arrives.
        case test
        /// A type, or a subtype of it, that was not documented when this was written.
        case unknown(NotificationType, Subtype?)
    }

    /// What a notification does to the customer's access to what it is about: the product of its transaction,
    /// for the time that the transaction covers, or the app itself.
    ///
    /// It tells what changes; what the customer owns in all is for the transactions to say. A refund of a past
    /// period, for instance, ends nothing in the present one: `status` is then still `subscribed`.
    public enum AccessChange: Hashable, Sendable, CaseIterable {
        /// The customer has access from now on, or for longer: until the transaction's expiration date, where
        /// it has one.
        case grants
        /// Nothing changes for now: who had access keeps it, in a grace period until its expiration date, and
        /// who had none has none.
        case keeps
        /// The customer keeps access until the period ends, and loses it then unless they act.
        case endsWithPeriod
        /// The customer has access no longer.
        case ends
        /// The notification is not one of those documented: the payloads inside say where things stand.
        case unknown
    }
}

extension ServerNotification.Meaning {
    /// Whether a customer subscribes for the first time.
    public enum Occasion: Hashable, Sendable, CaseIterable {
        /// To any subscription of the group.
        case first
        /// To the same or another subscription of the group, after having had one.
        case again
    }

    /// What becomes of the product that a customer is subscribed to.
    public enum PlanChange: Hashable, Sendable, CaseIterable {
        /// A new period of another product has begun; the rest of the old one is refunded.
        case upgraded
        /// Another product follows at the next renewal.
        case willDowngrade
        /// The present product will renew after all.
        case reverted
    }

    /// What becomes of a subscription by an offer.
    public enum OfferRedemption: Hashable, Sendable {
        /// The customer stays with the product.
        case samePlan
        /// A new period of another product has begun.
        case upgraded
        /// Another product follows at the next renewal.
        case willDowngrade
        /// The customer has subscribed by the offer. (In older notifications; today's are `SUBSCRIBED`.)
        case subscribed(Occasion)
    }

    /// Whether the customer keeps the service while the App Store is trying to charge.
    public enum Grace: Hashable, Sendable, CaseIterable {
        /// Until the renewal information's `gracePeriodExpirationDate`.
        case gracePeriod
        /// Not at all.
        case noGracePeriod
    }

    /// Why a subscription has ended.
    public enum ExpirationCause: Hashable, Sendable, CaseIterable {
        /// The customer had turned renewal off.
        case voluntary
        /// The customer could not be charged, and the App Store has given up trying.
        case billing
        /// The customer did not agree to a higher price.
        case priceIncreaseNotAccepted
        /// The product was no longer for sale.
        case productNotForSale
        /// Any other reason.
        case other
    }

    /// What came of moving the renewal dates of all subscribers.
    public enum MassExtension: Hashable, Sendable, CaseIterable {
        /// It is done; the notification's `summary` counts.
        case done
        /// It failed for the subscription in the notification's `data`.
        case failedForOne
    }

    /// What happened to a token for purchases outside the App Store.
    public enum TokenEvent: Hashable, Sendable, CaseIterable {
        /// It was made.
        case created
        /// It was made, and the app has not reported on it.
        case unreported
        /// It is still active, and purchases under it are to be reported.
        case stillActive
    }
}
