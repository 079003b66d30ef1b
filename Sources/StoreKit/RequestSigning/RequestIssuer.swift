public import Essentials
internal import WireFormats

/// Makes the texts that a server signs for the App Store, under the names that App Store Connect gave to its key.
///
/// ```swift
/// let key = try SigningKey(contentsOf: "SubscriptionKey_2X9R4HXF34.p8")
/// let issuer = try RequestIssuer(
///     keyID: "2X9R4HXF34", issuerID: "57246542-96fe-1a63-e053-0824d011072a", bundleID: "com.example.shop")
/// let jws = try issuer.promotionalOffer(
///     "spring", productID: "com.example.plus", transactionID: "2000000123456789", at: Date()
/// ).signed(by: key)
/// ```
///
/// Every method returns an ``UnsignedJWS``, whose text can be read before it is signed. No clock is read. Members are
/// those of Apple's page
/// [Generating JWS to sign App Store requests](https://developer.apple.com/documentation/storekit/generating-jws-to-sign-app-store-requests).
public struct RequestIssuer: Sendable {
    /// The key's identifier, the header's `kid`.
    public let keyID: String
    /// The issuer's identifier, `iss`.
    public let issuerID: String
    /// The app's bundle identifier, `bid`.
    public let bundleID: String

    /// - Parameters:
    ///   - keyID: the identifier of an In-App Purchase key.
    ///   - issuerID: the identifier above the list of keys in App Store Connect.
    ///   - bundleID: the app that the requests are for.
    /// - Throws: ``RequestSigningError/empty(_:)`` if one of them is empty.
    public init(keyID: String, issuerID: String, bundleID: String) throws(RequestSigningError) {
        self.keyID = try keyID.notEmpty("keyId")
        self.issuerID = try issuerID.notEmpty("issuerId")
        self.bundleID = try bundleID.notEmpty("bundleId")
    }

    /// The signature of a promotional offer in its second form, for StoreKit's
    /// `PurchaseOption.promotionalOffer(_:compactJWS:)` and for the answer to a retention request.
    ///
    /// - Parameters:
    ///   - offerID: the offer's identifier in App Store Connect.
    ///   - productID: the subscription.
    ///   - transactionID: any transaction of the customer, or the customer's `appTransactionId`. Apple recommends it:
    ///     without it, every customer can use the signature.
    ///   - nonce: another one for each signature.
    ///   - date: the time of the request, from which the App Store computes the signature's end.
    /// - Throws: ``RequestSigningError`` if a text is empty, or the date is not of the years 1970 to 9999.
    public func promotionalOffer(
        _ offerID: String, productID: String, transactionID: String? = nil, nonce: UUID = UUID(),
        at date: Date
    ) throws(RequestSigningError) -> UnsignedJWS {
        var claims = ObjectText()
        claims.add("productId", try productID.notEmpty("productId"))
        claims.add("offerIdentifier", try offerID.notEmpty("offerIdentifier"))
        if let transactionID { claims.add("transactionId", try transactionID.notEmpty("transactionId")) }
        return try request("promotional-offer", claims, nonce, date)
    }

    /// The signature that says whether a customer gets an introductory offer, for StoreKit's
    /// `PurchaseOption.introductoryOfferEligibility(compactJWS:)`.
    ///
    /// - Parameters:
    ///   - isAllowed: whether the customer gets it, whatever the App Store would decide.
    ///   - productID: the subscription.
    ///   - transactionID: any transaction of the customer, or the customer's `appTransactionId`.
    ///   - nonce: another one for each signature.
    ///   - date: the time of the request.
    /// - Throws: ``RequestSigningError`` if a text is empty, or the date is not of the years 1970 to 9999.
    public func introductoryOffer(
        isAllowed: Bool, productID: String, transactionID: String, nonce: UUID = UUID(), at date: Date
    ) throws(RequestSigningError) -> UnsignedJWS {
        var claims = ObjectText()
        claims.add("productId", try productID.notEmpty("productId"))
        claims.add("allowIntroductoryOffer", isAllowed)
        claims.add("transactionId", try transactionID.notEmpty("transactionId"))
        return try request("introductory-offer-eligibility", claims, nonce, date)
    }

    /// The signature of an Advanced Commerce request that an app makes through StoreKit.
    /// ``advancedCommerceData(compactJWS:)`` wraps it for the app.
    ///
    /// - Parameters:
    ///   - request: the request's JSON in UTF-8, which is signed as it is. Only `operation` and `version` are looked at.
    ///   - nonce: another one for each signature.
    ///   - date: the time of the request.
    /// - Throws: ``RequestSigningError`` if the request is not one JSON object with a text as `operation` and `version`,
    ///   or the date is not of the years 1970 to 9999.
    public func advancedCommerce(
        request: Data, nonce: UUID = UUID(), at date: Date
    ) throws(RequestSigningError) -> UnsignedJWS {
        let json = Array(request)
        let object: JSONTree
        do throws(JSONError) {
            object = .object(try JSONTree.members(of: json.span))
        } catch {
            throw .request("the request is not one JSON object: \(error)")
        }
        for name in ["operation", "version"] where object[name]?.stringValue?.isEmpty ?? true {
            throw .request("the request needs a text as its \"\(name)\"")
        }
        var claims = ObjectText()
        claims.add("request", Base64.text(json, alphabet: .standard))
        return try self.request("advanced-commerce-api", claims, nonce, date)
    }

    /// The data of a signed Advanced Commerce request, for the app to give to StoreKit:
    /// `Product.PurchaseOption.custom(key: "advancedCommerceData", value: data)`.
    ///
    /// Source: Apple's page
    /// [Sending Advanced Commerce API requests from your app](https://developer.apple.com/documentation/storekit/sending-advanced-commerce-api-requests-from-your-app).
    ///
    /// - Parameter compactJWS: a signed ``advancedCommerce(request:nonce:at:)``.
    /// - Returns: `{"signatureInfo":{"token":"…"}}` in UTF-8.
    public static func advancedCommerceData(compactJWS: String) -> Data {
        var (signature, object) = (ObjectText(), ObjectText())
        signature.add("token", compactJWS)
        object.add("signatureInfo", signature)
        return Data(object.utf8)
    }

    /// A token for the header `Authorization: Bearer …` of the App Store Server API, and of the APIs beside it.
    ///
    /// Who holds the token can do all that the key can, for the app, until the token ends. Members are those of Apple's page
    /// [Generating JSON Web Tokens for API requests](https://developer.apple.com/documentation/appstoreserverapi/generating-json-web-tokens-for-api-requests).
    ///
    /// - Parameters:
    ///   - date: when it begins to be valid.
    ///   - seconds: how long it is valid, from 1 to 3,600 as Apple's page says. Apple's libraries have 300.
    /// - Throws: ``RequestSigningError`` if the time is another, or the date is not of the years 1970 to 9999.
    public func serverAPIToken(
        at date: Date, lasting seconds: Int = 300
    ) throws(RequestSigningError) -> UnsignedJWS {
        guard (1...3_600).contains(seconds) else { throw .lifetime(seconds: seconds) }
        let start = try date.milliseconds() / 1000
        var claims = ObjectText()
        claims.add("bid", bundleID)
        claims.add("iss", issuerID)
        claims.add("aud", "appstoreconnect-v1")
        claims.add("iat", start)
        claims.add("exp", start + seconds)
        return UnsignedJWS(keyID: keyID, payload: claims)
    }

    /// A request with the members that all have. It has no `exp`: the App Store computes it.
    private func request(
        _ audience: String, _ claims: ObjectText, _ nonce: UUID, _ date: Date
    ) throws(RequestSigningError) -> UnsignedJWS {
        var claims = claims
        claims.add("bid", bundleID)
        claims.add("iss", issuerID)
        claims.add("aud", audience)
        claims.add("iat", try date.milliseconds() / 1000)
        claims.add("nonce", nonce)
        return UnsignedJWS(keyID: keyID, payload: claims)
    }
}

extension String {
    /// The text itself.
    ///
    /// - Parameter name: Apple's name of the value.
    func notEmpty(_ name: String) throws(RequestSigningError) -> String {
        if isEmpty { throw .empty(name) }
        return self
    }
}

extension Date {
    /// The milliseconds since 1970.
    func milliseconds() throws(RequestSigningError) -> Int {
        guard let milliseconds = calendarMilliseconds, milliseconds >= 0 else { throw .date }
        return Int(milliseconds)
    }
}
