extension ServerNotification {
    /// The event that a notification is about.
    ///
    /// An unknown value is kept unchanged.
    public struct NotificationType: RawRepresentable, Hashable, Sendable {
        /// The value, as the payload gives it.
        public let rawValue: String

        /// Makes a value from its raw form, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A customer or a family member subscribed.
        public static let subscribed = NotificationType(rawValue: "SUBSCRIBED")
        /// The customer chose another subscription of the group, or the present one again.
        public static let didChangeRenewalPref = NotificationType(rawValue: "DID_CHANGE_RENEWAL_PREF")
        /// The customer or the App Store turned automatic renewal on or off.
        public static let didChangeRenewalStatus = NotificationType(rawValue: "DID_CHANGE_RENEWAL_STATUS")
        /// A subscriber redeemed an offer.
        public static let offerRedeemed = NotificationType(rawValue: "OFFER_REDEEMED")
        /// A subscription renewed.
        public static let didRenew = NotificationType(rawValue: "DID_RENEW")
        /// A subscription expired.
        public static let expired = NotificationType(rawValue: "EXPIRED")
        /// The App Store could not charge for a subscription.
        public static let didFailToRenew = NotificationType(rawValue: "DID_FAIL_TO_RENEW")
        /// A grace period ended without payment.
        public static let gracePeriodExpired = NotificationType(rawValue: "GRACE_PERIOD_EXPIRED")
        /// The App Store informed the customer of a higher price.
        public static let priceIncrease = NotificationType(rawValue: "PRICE_INCREASE")
        /// The App Store refunded a purchase.
        public static let refund = NotificationType(rawValue: "REFUND")
        /// The App Store declined to refund a purchase.
        public static let refundDeclined = NotificationType(rawValue: "REFUND_DECLINED")
        /// The App Store reversed a refund.
        public static let refundReversed = NotificationType(rawValue: "REFUND_REVERSED")
        /// Family Sharing of a purchase with the customer ended.
        public static let revoke = NotificationType(rawValue: "REVOKE")
        /// The App Store asks how far a purchase was used, before it decides on a refund.
        public static let consumptionRequest = NotificationType(rawValue: "CONSUMPTION_REQUEST")
        /// The App Store extended a subscription's renewal date.
        public static let renewalExtended = NotificationType(rawValue: "RENEWAL_EXTENDED")
        /// The result of a request to extend the renewal dates of all subscribers.
        public static let renewalExtension = NotificationType(rawValue: "RENEWAL_EXTENSION")
        /// The customer bought a product that is not an auto-renewable subscription.
        public static let oneTimeCharge = NotificationType(rawValue: "ONE_TIME_CHARGE")
        /// The app's server requested a test notification.
        public static let test = NotificationType(rawValue: "TEST")
        /// A token for purchases outside the App Store needs attention.
        public static let externalPurchaseToken = NotificationType(rawValue: "EXTERNAL_PURCHASE_TOKEN")
        /// A parent or guardian withdrew the consent to a child's use of the app.
        public static let rescindConsent = NotificationType(rawValue: "RESCIND_CONSENT")
        /// The app's server changed a subscription's metadata (Advanced Commerce API).
        public static let metadataUpdate = NotificationType(rawValue: "METADATA_UPDATE")
        /// The app's server moved a subscription to the Advanced Commerce API.
        public static let migration = NotificationType(rawValue: "MIGRATION")
        /// The same event as `migration`, under the name in Apple's changelog.
        public static let migrate = NotificationType(rawValue: "MIGRATE")
        /// The app's server changed a subscription's price (Advanced Commerce API).
        public static let priceChange = NotificationType(rawValue: "PRICE_CHANGE")
        /// The App Store has unclaimed seats of a group whose developer manages the invitations.
        public static let unclaimSeats = NotificationType(rawValue: "UNCLAIM_SEATS")
    }

    /// The details of the event. The meaning of a subtype depends on the type.
    ///
    /// An unknown value is kept unchanged.
    public struct Subtype: RawRepresentable, Hashable, Sendable {
        /// The value, as the payload gives it.
        public let rawValue: String

        /// Makes a value from its raw form, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The customer had no subscription of the group before.
        public static let initialBuy = Subtype(rawValue: "INITIAL_BUY")
        /// The customer had a subscription of the group before.
        public static let resubscribe = Subtype(rawValue: "RESUBSCRIBE")
        /// The subscription changes to a higher level of service at once.
        public static let upgrade = Subtype(rawValue: "UPGRADE")
        /// The subscription changes to a lower level of service at the next renewal.
        public static let downgrade = Subtype(rawValue: "DOWNGRADE")
        /// Automatic renewal is on.
        public static let autoRenewEnabled = Subtype(rawValue: "AUTO_RENEW_ENABLED")
        /// Automatic renewal is off.
        public static let autoRenewDisabled = Subtype(rawValue: "AUTO_RENEW_DISABLED")
        /// The renewal follows a failed payment.
        public static let billingRecovery = Subtype(rawValue: "BILLING_RECOVERY")
        /// The customer turned renewal off.
        public static let voluntary = Subtype(rawValue: "VOLUNTARY")
        /// The App Store could not charge the customer, and stopped trying.
        public static let billingRetry = Subtype(rawValue: "BILLING_RETRY")
        /// The customer did not consent to a higher price.
        public static let priceIncrease = Subtype(rawValue: "PRICE_INCREASE")
        /// The product was no longer for sale.
        public static let productNotForSale = Subtype(rawValue: "PRODUCT_NOT_FOR_SALE")
        /// The customer keeps the service during a grace period.
        public static let gracePeriod = Subtype(rawValue: "GRACE_PERIOD")
        /// The customer has not answered.
        public static let pending = Subtype(rawValue: "PENDING")
        /// The customer consented, or the increase needs no consent.
        public static let accepted = Subtype(rawValue: "ACCEPTED")
        /// The App Store carried out the request for all subscribers.
        public static let summary = Subtype(rawValue: "SUMMARY")
        /// The request failed for one subscription.
        public static let failure = Subtype(rawValue: "FAILURE")
        /// The app has sent no report about the token.
        public static let unreported = Subtype(rawValue: "UNREPORTED")
        /// The token was created.
        public static let created = Subtype(rawValue: "CREATED")
        /// The token is still active.
        public static let activeTokenReminder = Subtype(rawValue: "ACTIVE_TOKEN_REMINDER")
        /// The purchaser added seats, or took back an earlier reduction.
        public static let increaseQuantity = Subtype(rawValue: "INCREASE_QUANTITY")
        /// The purchaser lowered the number of seats of the next renewal.
        public static let decreaseQuantity = Subtype(rawValue: "DECREASE_QUANTITY")
        /// The refund is of some seats, and the transaction stays valid.
        public static let seats = Subtype(rawValue: "SEATS")
    }
}
