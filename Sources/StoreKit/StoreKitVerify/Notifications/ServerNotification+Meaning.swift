extension ServerNotification {
    /// The meaning of the notification for the customer. It is `.unknown` if Apple does not document the
    /// combination of type and subtype.
    public var meaning: Meaning { Self.tableRow(notificationType, subtype).meaning }

    /// The effect of the notification on the customer's access to the product or app.
    ///
    /// The type and subtype give it, with two exceptions, in which the change is `.keeps`. A customer who turns off the
    /// renewal of a commitment, such as one of twelve months, keeps all months of it, as long as the renewal information
    /// says that the next month renews. The other exception is a failed renewal with a grace period in the payloads inside
    /// that the subtype does not name.
    public var accessChange: AccessChange {
        let (meaning, access) = Self.tableRow(notificationType, subtype)
        return AccessEvidence.isNeeded(for: meaning)
            ? AccessEvidence(self).change(meaning, access) : access
    }

    /// The types and subtypes that Apple documents, each with its meaning (`notificationType` and `subtype`
    /// of App Store Server Notifications).
    package static func tableRow(
        _ notificationType: NotificationType, _ subtype: Subtype?
    ) -> (meaning: Meaning, access: AccessChange) {
        switch (notificationType, subtype) {
        case (.subscribed, .initialBuy): (.subscribed(.first), .grants)
        case (.subscribed, .resubscribe): (.subscribed(.again), .grants)
        case (.didRenew, nil): (.renewed, .grants)
        case (.didRenew, .billingRecovery): (.recovered, .grants)
        case (.didChangeRenewalStatus, .autoRenewEnabled): (.renewalTurnedOn, .keeps)
        case (.didChangeRenewalStatus, .autoRenewDisabled): (.renewalTurnedOff, .endsWithPeriod)
        case (.didChangeRenewalPref, .upgrade): (.planChanged(.upgraded), .grants)
        case (.didChangeRenewalPref, .downgrade): (.planChanged(.willDowngrade), .keeps)
        case (.didChangeRenewalPref, nil): (.planChanged(.reverted), .keeps)
        // Apple's page of November 2026 names the two subtypes, and not their type: this one has the other changes of the
        // renewal. Neither subtype changes a customer's access.
        case (.didChangeRenewalPref, .increaseQuantity): (.seatQuantityChanged(.increased), .keeps)
        case (.didChangeRenewalPref, .decreaseQuantity): (.seatQuantityChanged(.willDecrease), .keeps)
        case (.offerRedeemed, nil): (.offerRedeemed(.samePlan), .keeps)
        case (.offerRedeemed, .upgrade): (.offerRedeemed(.upgraded), .grants)
        case (.offerRedeemed, .downgrade): (.offerRedeemed(.willDowngrade), .keeps)
        case (.offerRedeemed, .initialBuy): (.offerRedeemed(.subscribed(.first)), .grants)
        case (.offerRedeemed, .resubscribe): (.offerRedeemed(.subscribed(.again)), .grants)
        case (.didFailToRenew, .gracePeriod): (.billingFailed(.gracePeriod), .keeps)
        case (.didFailToRenew, nil): (.billingFailed(.noGracePeriod), .ends)
        case (.gracePeriodExpired, nil): (.gracePeriodOver, .ends)
        case (.expired, .voluntary): (.expired(.voluntary), .ends)
        case (.expired, .billingRetry): (.expired(.billing), .ends)
        case (.expired, .priceIncrease): (.expired(.priceIncreaseNotAccepted), .ends)
        case (.expired, .productNotForSale): (.expired(.productNotForSale), .ends)
        case (.expired, nil): (.expired(.other), .ends)
        case (.priceIncrease, .pending): (.priceIncreasePending, .endsWithPeriod)
        case (.priceIncrease, .accepted): (.priceIncreaseSettled, .keeps)
        case (.oneTimeCharge, nil): (.oneTimeCharge, .grants)
        case (.consumptionRequest, nil): (.consumptionDataRequested, .keeps)
        case (.refund, nil): (.refunded, .ends)
        case (.refund, .seats): (.seatsRefunded, .keeps)
        case (.refundDeclined, nil): (.refundDeclined, .keeps)
        case (.refundReversed, nil): (.refundReversed, .grants)
        case (.revoke, nil): (.familySharingRevoked, .ends)
        case (.renewalExtended, nil): (.renewalDateExtended, .grants)
        case (.renewalExtension, .summary): (.massExtension(.done), .keeps)
        case (.renewalExtension, .failure): (.massExtension(.failedForOne), .keeps)
        case (.externalPurchaseToken, .created): (.externalPurchaseToken(.created), .keeps)
        case (.externalPurchaseToken, .unreported): (.externalPurchaseToken(.unreported), .keeps)
        case (.externalPurchaseToken, .activeTokenReminder): (.externalPurchaseToken(.stillActive), .keeps)
        case (.rescindConsent, nil): (.consentRescinded, .ends)
        case (.metadataUpdate, nil): (.metadataUpdated, .keeps)
        case (.migration, nil), (.migrate, nil): (.migrated, .keeps)
        case (.priceChange, nil): (.priceChanged, .keeps)
        case (.unclaimSeats, nil): (.seatsUnclaimed, .endsForClaims)
        case (.test, nil): (.test, .keeps)
        default: (.unknown(notificationType, subtype), .unknown)
        }
    }
}
