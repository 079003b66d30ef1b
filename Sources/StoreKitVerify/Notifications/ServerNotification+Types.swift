extension ServerNotification {
    /// What happened.
    ///
    /// A value that has no name here is kept as it is.
    public struct NotificationType: RawRepresentable, Hashable, Sendable {
        /// The value as the payload has it.
        public let rawValue: String

        /// Any value.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A customer, or a member of the family, has subscribed.
        public static let subscribed = NotificationType(rawValue: "SUBSCRIBED")
        /// The customer has chosen another subscription of the group, or the same again.
        public static let didChangeRenewalPref = NotificationType(rawValue: "DID_CHANGE_RENEWAL_PREF")
        /// Automatic renewal was turned on or off.
        public static let didChangeRenewalStatus = NotificationType(rawValue: "DID_CHANGE_RENEWAL_STATUS")
        /// A subscriber has redeemed an offer.
        public static let offerRedeemed = NotificationType(rawValue: "OFFER_REDEEMED")
        /// A subscription has renewed.
        public static let didRenew = NotificationType(rawValue: "DID_RENEW")
        /// A subscription has ended.
        public static let expired = NotificationType(rawValue: "EXPIRED")
        /// A subscription could not be charged for.
        public static let didFailToRenew = NotificationType(rawValue: "DID_FAIL_TO_RENEW")
        /// A grace period has ended without payment.
        public static let gracePeriodExpired = NotificationType(rawValue: "GRACE_PERIOD_EXPIRED")
        /// The customer was told of a higher price.
        public static let priceIncrease = NotificationType(rawValue: "PRICE_INCREASE")
        /// The App Store has refunded a purchase.
        public static let refund = NotificationType(rawValue: "REFUND")
        /// The App Store has declined to refund a purchase.
        public static let refundDeclined = NotificationType(rawValue: "REFUND_DECLINED")
        /// The App Store has taken a refund back.
        public static let refundReversed = NotificationType(rawValue: "REFUND_REVERSED")
        /// A purchase is no longer shared with the customer by the family.
        public static let revoke = NotificationType(rawValue: "REVOKE")
        /// The App Store asks how far a purchase was used, to decide on a refund.
        public static let consumptionRequest = NotificationType(rawValue: "CONSUMPTION_REQUEST")
        /// A subscription's renewal date was moved.
        public static let renewalExtended = NotificationType(rawValue: "RENEWAL_EXTENDED")
        /// What came of a request to move the renewal dates of all subscribers.
        public static let renewalExtension = NotificationType(rawValue: "RENEWAL_EXTENSION")
        /// The customer bought something that is no auto-renewable subscription.
        public static let oneTimeCharge = NotificationType(rawValue: "ONE_TIME_CHARGE")
        /// The app's developer asked for a notification.
        public static let test = NotificationType(rawValue: "TEST")
        /// A token for purchases outside the App Store needs attention.
        public static let externalPurchaseToken = NotificationType(rawValue: "EXTERNAL_PURCHASE_TOKEN")
        /// A parent or guardian has withdrawn the consent to a child's use of the app.
        public static let rescindConsent = NotificationType(rawValue: "RESCIND_CONSENT")
        /// The app's server changed a subscription's metadata (Advanced Commerce API).
        public static let metadataUpdate = NotificationType(rawValue: "METADATA_UPDATE")
        /// The app's server moved a subscription to the Advanced Commerce API.
        public static let migration = NotificationType(rawValue: "MIGRATION")
        /// The name that Apple's changelog gives `migration`.
        public static let migrate = NotificationType(rawValue: "MIGRATE")
        /// The app's server changed a subscription's price (Advanced Commerce API).
        public static let priceChange = NotificationType(rawValue: "PRICE_CHANGE")
    }

    /// What exactly happened; what a subtype means depends on the type.
    ///
    /// A value that has no name here is kept as it is.
    public struct Subtype: RawRepresentable, Hashable, Sendable {
        /// The value as the payload has it.
        public let rawValue: String

        /// Any value.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// For the first time in the subscription group.
        public static let initialBuy = Subtype(rawValue: "INITIAL_BUY")
        /// Not for the first time.
        public static let resubscribe = Subtype(rawValue: "RESUBSCRIBE")
        /// To a higher level of service, at once.
        public static let upgrade = Subtype(rawValue: "UPGRADE")
        /// To a lower level of service, at the next renewal.
        public static let downgrade = Subtype(rawValue: "DOWNGRADE")
        /// Turned on.
        public static let autoRenewEnabled = Subtype(rawValue: "AUTO_RENEW_ENABLED")
        /// Turned off.
        public static let autoRenewDisabled = Subtype(rawValue: "AUTO_RENEW_DISABLED")
        /// After a payment had failed.
        public static let billingRecovery = Subtype(rawValue: "BILLING_RECOVERY")
        /// By the customer's will.
        public static let voluntary = Subtype(rawValue: "VOLUNTARY")
        /// For want of payment, after the App Store had given up trying.
        public static let billingRetry = Subtype(rawValue: "BILLING_RETRY")
        /// For want of consent to a higher price.
        public static let priceIncrease = Subtype(rawValue: "PRICE_INCREASE")
        /// Because the product was no longer for sale.
        public static let productNotForSale = Subtype(rawValue: "PRODUCT_NOT_FOR_SALE")
        /// With a grace period.
        public static let gracePeriod = Subtype(rawValue: "GRACE_PERIOD")
        /// The customer has not answered.
        public static let pending = Subtype(rawValue: "PENDING")
        /// The customer agreed, or need not be asked.
        public static let accepted = Subtype(rawValue: "ACCEPTED")
        /// The request was carried out for all.
        public static let summary = Subtype(rawValue: "SUMMARY")
        /// The request failed for one subscription.
        public static let failure = Subtype(rawValue: "FAILURE")
        /// The token was not reported.
        public static let unreported = Subtype(rawValue: "UNREPORTED")
        /// The token was made.
        public static let created = Subtype(rawValue: "CREATED")
        /// The token is still active.
        public static let activeTokenReminder = Subtype(rawValue: "ACTIVE_TOKEN_REMINDER")
    }
}
