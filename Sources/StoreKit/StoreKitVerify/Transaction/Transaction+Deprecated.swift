internal import Essentials

/// Properties that StoreKit keeps for older code.
extension Transaction {
    /// The offer's identifier.
    @available(*, deprecated, message: "Use offer?.id.")
    public var offerID: String? { offer?.id }

    /// The kind of offer.
    @available(*, deprecated, message: "Use offer?.type.")
    public var offerType: OfferType? { offer?.type }

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

    /// Why the transaction took place, as the payload gives it.
    @available(*, deprecated, message: "Use reason.")
    public var reasonStringRepresentation: String { reason.rawValue }

    /// The storefront's country or region, as a three-letter code.
    @available(*, deprecated, message: "Use storefront.countryCode.")
    public var storefrontCountryCode: String { storefront.countryCode }

    /// How the App Store revoked the transaction, as the payload gives it.
    @available(*, deprecated, message: "Use revocationType.")
    public var revocationTypeStringRepresentation: String? { revocationType?.rawValue }
}
