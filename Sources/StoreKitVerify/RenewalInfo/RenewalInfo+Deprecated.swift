#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What StoreKit has kept for older code.
extension Product.SubscriptionInfo.RenewalInfo {
    /// The offer's identifier.
    @available(*, deprecated, message: "Use offer?.id.")
    public var offerID: String? { offer?.id }

    /// The offer's kind.
    @available(*, deprecated, message: "Use offer?.type.")
    public var offerType: Transaction.OfferType? { offer?.type }

    /// How the customer pays with the offer, as the payload has it.
    @available(*, deprecated, message: "Use offer?.paymentMode.")
    public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }

    /// How long a period of the offer is, in the form of ISO 8601.
    @available(*, deprecated, message: "Use offer?.period.")
    public var offerPeriodStringRepresentation: String? { offer?.period?.iso8601 }

    /// The price's currency (ISO 4217).
    @available(*, deprecated, message: "Use currency.")
    public var currencyCode: String? { currency?.identifier }

    /// The environment, as the payload has it.
    @available(*, deprecated, message: "Use environment.")
    public var environmentStringRepresentation: String { environment.rawValue }
}
