internal import WireFormats

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The body of an answer to the App Store's request for a retention message (Apple's `RealtimeResponseBody`).
///
/// The answer has status 200 and arrives within 700 milliseconds. Otherwise the customer sees the default message.
/// Source: Apple's page
/// [Responding to realtime retention messaging requests](https://developer.apple.com/documentation/retentionmessaging/responding-to-realtime-retention-messaging-requests).
public enum RealtimeResponse: Hashable, Sendable {
    /// No message was chosen: the customer sees the default one.
    case defaultMessage
    /// A message alone, by its identifier.
    case message(UUID)
    /// A message with another product.
    ///
    /// `billingPlanType` is `BILLED_UPFRONT`, `MONTHLY`, or `nil` for what the product has.
    case alternateProduct(message: UUID, productID: String, billingPlanType: String? = nil)
    /// A message with a promotional offer, whose signature is a JWS: see
    /// ``RequestIssuer/promotionalOffer(_:productID:transactionID:nonce:at:)``.
    case promotionalOffer(message: UUID, compactJWS: String)
    /// A message with a promotional offer, whose signature has the first form.
    case promotionalOfferV1(message: UUID, PromotionalOfferSignature)
    /// A message with an offer or another plan of Advanced Commerce.
    case advancedCommerce(message: UUID, AdvancedCommerceData)

    /// The body, JSON in UTF-8. Identifiers are in lower case.
    public var json: Data {
        var body = ObjectText()
        var chosen = ObjectText()
        switch self {
        case .defaultMessage: break
        case .message(let message):
            chosen.add("messageIdentifier", message)
            body.add("message", chosen)
        case .alternateProduct(let message, let productID, let billingPlanType):
            chosen.add("messageIdentifier", message)
            chosen.add("productId", productID)
            chosen.add("billingPlanType", billingPlanType)
            body.add("alternateProduct", chosen)
        case .promotionalOffer(let message, let compactJWS):
            chosen.add("messageIdentifier", message)
            chosen.add("promotionalOfferSignatureV2", compactJWS)
            body.add("promotionalOffer", chosen)
        case .promotionalOfferV1(let message, let signature):
            chosen.add("messageIdentifier", message)
            chosen.add("promotionalOfferSignatureV1", signature.object)
            body.add("promotionalOffer", chosen)
        case .advancedCommerce(let message, let data):
            chosen.add("messageIdentifier", message)
            chosen.add("advancedCommerceData", data.data.base64EncodedString())
            body.add("advancedCommerceInfo", chosen)
        }
        return Data(body.utf8)
    }
}

extension PromotionalOfferSignature {
    /// Apple's `promotionalOfferSignatureV1`. The customer's account is left out if the offer has none.
    fileprivate var object: ObjectText {
        var object = ObjectText()
        object.add("encodedSignature", encodedSignature)
        object.add("productId", offer.productID)
        object.add("nonce", offer.nonce)
        object.add("timestamp", offer.timestamp)
        object.add("keyId", offer.keyID)
        object.add("offerIdentifier", offer.offerID)
        object.addUnlessEmpty("appAccountToken", offer.appAccountToken)
        return object
    }
}
