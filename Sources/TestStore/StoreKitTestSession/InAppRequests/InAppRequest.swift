internal import Essentials
internal import WireFormats

/// A request of the Advanced Commerce API that an app hands to StoreKit, after its token was verified.
///
/// Apple's page "Sending Advanced Commerce API requests from your app": the data are `{"signatureInfo":{"token":"…"}}`. The
/// token is a JWS of the app's server, whose claim `request` has the request in base64.
struct InAppRequest {
    /// The value of `aud`.
    static let audience = "advanced-commerce-api"
    /// How old a token may be, in seconds. Apple does not say it: a day is assumed.
    static let longestAge = 86_400
    /// The most bytes of the data. Apple names no limit; the largest request that makes sense is far smaller.
    private static let longestData = 1 << 20

    /// The members of the request.
    let body: JSONTree
    /// Each token has another one.
    let nonce: UUID

    /// The data with a token, as an app hands them to StoreKit.
    static func data(token: String) -> ObjectText {
        var (info, object) = (ObjectText(), ObjectText())
        info.add("token", token)
        object.add("signatureInfo", info)
        return object
    }

    /// Verifies the data.
    ///
    /// - Parameters:
    ///   - data: what the app gives as `advancedCommerceData`.
    ///   - keys: those that may have signed.
    ///   - bundleID: the app.
    ///   - now: the App Store's time, in seconds since 1970.
    init(
        _ data: [UInt8], signedBy keys: [ServerAPIKey], for bundleID: String, at now: Int
    ) throws(StoreRefusal) {
        guard !data.isEmpty else { throw .advancedCommerce(.nullAdvancedCommerceData, nil) }
        guard data.count <= Self.longestData, let object = try? JSONTree(data.span),
            let token = object["signatureInfo"]?["token"]?.stringValue
        else { throw Self.malformed("the data are not {\"signatureInfo\":{\"token\":\"…\"}}") }
        let payload: JSONTree
        let key: ServerAPIKey
        do throws(ServerTokens.Failure) {
            (payload, key) = try ServerTokens(keys).open(Array(token.utf8))
        } catch {
            throw Self.refusal(error)
        }
        try Self.check(payload, key, bundleID, now)
        guard let nonce = UUID(canonicalForm: payload["nonce"]?.stringValue ?? "") else {
            throw Self.unsigned("its nonce is no UUID")
        }
        let text = Array((payload["request"]?.stringValue ?? "").utf8)
        guard let bytes = try? Base64.decode(text.span, in: 0..<text.count, alphabet: .standard),
            let body = try? JSONTree(bytes.span), case .object = body
        else { throw Self.malformed("the token's request is not a JSON object in base64") }
        self.body = body
        self.nonce = nonce
    }

    /// The claims are those of Apple's page "Generating JWS to sign App Store requests".
    private static func check(
        _ payload: JSONTree, _ key: ServerAPIKey, _ bundleID: String, _ now: Int
    ) throws(StoreRefusal) {
        guard payload["iss"] == .string(key.issuerID) else {
            throw unsigned("its iss is not \(key.issuerID)")
        }
        guard payload["aud"] == .string(audience) else { throw unsigned("its aud is not \(audience)") }
        guard payload["bid"] == .string(bundleID) else { throw unsigned("its bid is not \(bundleID)") }
        guard let date = payload["iat"]?.wholeNumber, date >= 0 else {
            throw unsigned("its iat is no time in seconds")
        }
        guard date <= now + ServerTokens.tolerance else {
            throw unsigned("its iat is in the future of the App Store's time")
        }
        guard now - date <= longestAge else {
            throw unsigned("its iat is more than a day before the App Store's time")
        }
    }

    /// A refusal of the token. Apple has one error for all that can be wrong with it.
    static func unsigned(_ reason: String) -> StoreRefusal {
        .advancedCommerce(.invalidSignature, "the token is not valid: \(reason)")
    }

    private static func malformed(_ reason: String) -> StoreRefusal {
        .advancedCommerce(.malformedPayload, reason)
    }

    private static func refusal(_ failure: ServerTokens.Failure) -> StoreRefusal {
        switch failure {
        case .malformed, .payload: malformed("the token is no compact JWS of two JSON objects")
        case .unknownKey: unsigned("its header names no key of this App Store with ES256")
        case .signature: unsigned("its signature is not that of the App Store's key")
        }
    }
}
