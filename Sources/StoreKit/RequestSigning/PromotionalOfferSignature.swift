public import Essentials
internal import WireFormats

/// A promotional offer in its first form, before it is signed.
///
/// Every StoreKit has this form. Apple's second form is a JWS: ``RequestIssuer/promotionalOffer(_:productID:transactionID:nonce:at:)``.
/// The text is that of Apple's page
/// [Generating a signature for promotional offers](https://developer.apple.com/documentation/storekit/generating-a-signature-for-promotional-offers).
public struct UnsignedPromotionalOffer: Sendable {
    /// The identifier of the key that is to sign.
    public let keyID: String
    /// The subscription.
    public let productID: String
    /// The offer's identifier in App Store Connect.
    public let offerID: String
    /// The customer's account in the app, in lower case; empty if the app has no accounts.
    public let appAccountToken: String
    /// Another one for each signature.
    public let nonce: UUID
    /// When the offer was made, in milliseconds since 1970. The App Store takes it for 24 hours.
    public let timestamp: Int
    /// The text to sign, in UTF-8: seven parts with U+2063 between them.
    public let signingInput: String

    /// - Parameters:
    ///   - offerID: the offer's identifier in App Store Connect.
    ///   - productID: the subscription.
    ///   - bundleID: the app.
    ///   - keyID: the identifier of the signing key.
    ///   - appAccountToken: the customer's account in the app, which the app gives to StoreKit too. It is signed in lower
    ///     case. Empty if the app has no accounts.
    ///   - nonce: another one for each signature.
    ///   - date: the time of the offer. No clock is read.
    /// - Throws: ``RequestSigningError`` if another text is empty, a text has U+2063, or the date is not of the years 1970
    ///   to 9999.
    public init(
        _ offerID: String, productID: String, bundleID: String, keyID: String, appAccountToken: String = "",
        nonce: UUID = UUID(), at date: Date
    ) throws(RequestSigningError) {
        self.keyID = try keyID.part("keyId")
        self.productID = try productID.part("productId")
        self.offerID = try offerID.part("offerIdentifier")
        self.appAccountToken = try appAccountToken.part("appAccountToken", mayBeEmpty: true).lowercased()
        self.nonce = nonce
        timestamp = try date.milliseconds()
        var text = try bundleID.part("bundleId")
        let (nonceText, time) = (nonce.uuidString.lowercased(), "\(timestamp)")
        for part in [keyID, productID, offerID, self.appAccountToken, nonceText, time] {
            text += "\u{2063}" + part
        }
        signingInput = text
    }

    /// The offer with a signature.
    ///
    /// - Throws: ``RequestSigningError`` if the key cannot sign.
    public func signed(by key: SigningKey) throws(RequestSigningError) -> PromotionalOfferSignature {
        PromotionalOfferSignature(
            offer: self, signature: Data(try key.signature(of: Array(signingInput.utf8), as: .der)))
    }
}

/// A promotional offer in its first form, with its signature, for the app to give to StoreKit.
public struct PromotionalOfferSignature: Sendable {
    /// The offer that was signed.
    public let offer: UnsignedPromotionalOffer
    /// The ECDSA signature in DER, for StoreKit's
    /// `PurchaseOption.promotionalOffer(offerID:keyID:nonce:signature:timestamp:)`.
    public let signature: Data

    /// The signature in base64, as Apple's libraries return it.
    public var encodedSignature: String { signature.base64EncodedString() }
}

extension String {
    /// The text itself, if it can stand between separators.
    @inline(never)
    fileprivate func part(_ name: String, mayBeEmpty: Bool = false) throws(RequestSigningError) -> String {
        // INVISIBLE SEPARATOR.
        if unicodeScalars.contains("\u{2063}") { throw .separator(name) }
        return mayBeEmpty ? self : try notEmpty(name)
    }
}
