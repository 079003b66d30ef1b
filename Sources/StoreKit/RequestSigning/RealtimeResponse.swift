public import Essentials
internal import WireFormats

/// The bodies of answers to the App Store's requests for a retention message (Apple's `RealtimeResponseBody`).
///
/// Each is JSON in UTF-8, with identifiers in lower case. The answer has status 200 and arrives within 700 milliseconds.
/// Otherwise the customer sees the default message. Source: Apple's page
/// [Responding to realtime retention messaging requests](https://developer.apple.com/documentation/retentionmessaging/responding-to-realtime-retention-messaging-requests).
public enum RealtimeResponse {
    /// No message was chosen: the customer sees the default one.
    public static var defaultMessage: Data { Data(ObjectText().utf8) }

    /// A message alone.
    ///
    /// - Parameter message: the message's identifier.
    public static func message(_ message: UUID) -> Data { body("message", message, ObjectText()) }

    /// A message with another product.
    ///
    /// - Parameters:
    ///   - productID: the product to change to.
    ///   - message: the message's identifier.
    ///   - billingPlanType: `BILLED_UPFRONT`, `MONTHLY`, or `nil` to say nothing of it.
    public static func alternateProduct(
        _ productID: String, message: UUID, billingPlanType: String? = nil
    ) -> Data {
        var members = ObjectText()
        members.add("productId", productID)
        members.add("billingPlanType", billingPlanType)
        return body("alternateProduct", message, members)
    }

    /// A message with a promotional offer, whose signature is a JWS.
    ///
    /// - Parameters:
    ///   - compactJWS: a signed ``RequestIssuer/promotionalOffer(_:productID:transactionID:nonce:at:)``.
    ///   - message: the message's identifier.
    public static func promotionalOffer(compactJWS: String, message: UUID) -> Data {
        var members = ObjectText()
        members.add("promotionalOfferSignatureV2", compactJWS)
        return body("promotionalOffer", message, members)
    }

    /// A message with a promotional offer, whose signature has the first form.
    ///
    /// The customer's account is left out if the offer does not have it.
    ///
    /// - Parameters:
    ///   - signature: the offer with its signature.
    ///   - message: the message's identifier.
    public static func promotionalOffer(_ signature: PromotionalOfferSignature, message: UUID) -> Data {
        let offer = signature.offer
        var (object, members) = (ObjectText(), ObjectText())
        object.add("encodedSignature", signature.encodedSignature)
        object.add("productId", offer.productID)
        object.add("nonce", offer.nonce)
        object.add("timestamp", offer.timestamp)
        object.add("keyId", offer.keyID)
        object.add("offerIdentifier", offer.offerID)
        object.addUnlessEmpty("appAccountToken", offer.appAccountToken)
        members.add("promotionalOfferSignatureV1", object)
        return body("promotionalOffer", message, members)
    }

    /// A message with an offer or another plan of Advanced Commerce.
    ///
    /// - Parameters:
    ///   - compactJWS: a signed ``RequestIssuer/advancedCommerce(request:nonce:at:)``.
    ///   - message: the message's identifier.
    public static func advancedCommerce(compactJWS: String, message: UUID) -> Data {
        var members = ObjectText()
        let data = RequestIssuer.advancedCommerceData(compactJWS: compactJWS)
        members.add("advancedCommerceData", data.base64EncodedString())
        return body("advancedCommerceInfo", message, members)
    }

    /// The one choice of a body, which names a message besides its own members.
    private static func body(_ choice: String, _ message: UUID, _ members: ObjectText) -> Data {
        var (body, chosen) = (ObjectText(), members)
        chosen.add("messageIdentifier", message)
        body.add(choice, chosen)
        return Data(body.utf8)
    }
}
