internal import Essentials

/// Properties that StoreKit keeps for older code.
extension Product.SubscriptionInfo.RenewalInfo {
    /// The offer's identifier.
    @available(*, deprecated, message: "Use offer?.id.")
    public var offerID: String? { offer?.id }

    /// The kind of offer.
    @available(*, deprecated, message: "Use offer?.type.")
    public var offerType: Transaction.OfferType? { offer?.type }

    /// How the customer pays with the offer, as the payload gives it.
    @available(*, deprecated, message: "Use offer?.paymentMode.")
    public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }

    /// The length of one period of the offer, in ISO 8601 form.
    @available(*, deprecated, message: "Use offer?.period.")
    public var offerPeriodStringRepresentation: String? { offer?.period?.iso8601 }

    /// The price's currency (ISO 4217).
    @available(*, deprecated, message: "Use currency.")
    public var currencyCode: String? { currency?.identifier }

    /// The environment, as the payload gives it.
    @available(*, deprecated, message: "Use environment.")
    public var environmentStringRepresentation: String { environment.rawValue }
}
