internal import CompactJWS
package import Essentials
internal import StoreKitTestSession
internal import WireFormats

extension TestAppStoreAPI {
    /// The mistake in an answer to a request for a retention message, as a sentence without a full stop; `nil` if
    /// nothing is.
    ///
    /// The form is that of Apple's `RealtimeResponseBody`. An offer must be signed by a key of this API, for the customer.
    /// The function does not check that the message, the product and the offer exist.
    ///
    /// - Parameters:
    ///   - body: the answer's body.
    ///   - question: the request.
    ///   - date: the real time, which the age of a signature is compared with.
    package func mistake(inAnswer body: Data, to question: RealtimeQuestion, at date: Date) -> String? {
        guard let members = try? JSONTree.members(of: Array(body).span) else {
            return "the body is not a JSON object"
        }
        // No choice: the App Store shows the default message.
        guard let choice = members.first else { return nil }
        guard members.count == 1 else { return "the body has more than one member" }
        guard choice.value["messageIdentifier"]?.stringValue.flatMap({ UUID(canonicalForm: $0) }) != nil
        else { return "\(choice.name.abbreviated()) has no messageIdentifier that is a UUID" }
        switch choice.name {
        case "message": return nil
        case "alternateProduct": return Self.mistake(inProduct: choice.value)
        case "promotionalOffer":
            let check = appStore.read { simulation in
                RealtimeOfferCheck(
                    keys: authorization.tokens, bundleID: simulation.signer.app.bundleID,
                    now: date.milliseconds, customerIDs: simulation.identifiers(of: question.customer))
            }
            return check.mistake(in: choice.value)
        case "advancedCommerceInfo":
            let data = choice.value["advancedCommerceData"]?.stringValue.flatMap { Data(base64Encoded: $0) }
            let isObject = data.map { (try? JSONTree.members(of: Array($0).span)) != nil } ?? false
            return isObject ? nil : "advancedCommerceData is not a JSON object in base64"
        default: return "the body has an unknown member \(choice.name.abbreviated())"
        }
    }

    private static func mistake(inProduct product: JSONTree) -> String? {
        guard product["productId"]?.stringValue?.isEmpty == false else {
            return "alternateProduct has no productId"
        }
        guard let plan = product["billingPlanType"] else { return nil }
        return ["BILLED_UPFRONT", "MONTHLY"].contains(plan.stringValue)
            ? nil : "billingPlanType is not BILLED_UPFRONT or MONTHLY"
    }
}

/// Checks the signature of a promotional offer in an answer.
private struct RealtimeOfferCheck {
    let keys: ServerTokens
    let bundleID: String
    /// The real time, in milliseconds since 1970.
    let now: Int
    /// By which a signature can name the customer.
    let customerIDs: Set<String>

    /// An offer has one signature, in one of two forms.
    func mistake(in offer: JSONTree) -> String? {
        switch (offer["promotionalOfferSignatureV2"], offer["promotionalOfferSignatureV1"]) {
        case (let jws?, nil):
            return isSigned(jws) ? nil : "the promotionalOfferSignatureV2 is not valid for the customer"
        case (nil, let object?):
            return isSigned(inFirstForm: object) ? nil : "the promotionalOfferSignatureV1 is not valid"
        case (nil, nil): return "promotionalOffer has no signature"
        default: return "promotionalOffer has two signatures"
        }
    }

    /// Which product and offer it is comes from the payload: the request names none.
    private func isSigned(_ value: JSONTree) -> Bool {
        guard let jws = value.stringValue, let parts = try? CompactJWS(Array(jws.utf8).span),
            let claims = try? JSONTree(parts.payloadBytes.span),
            let (product, offer) = Self.names(in: claims)
        else { return false }
        return check(product).nonce(ofPromotionalOffer: offer, jws) != nil
    }

    /// The object has the parts of the signed text as its members (Apple's `promotionalOfferSignatureV1`).
    private func isSigned(inFirstForm object: JSONTree) -> Bool {
        guard let (product, offer) = Self.names(in: object), let key = object["keyId"]?.stringValue,
            let nonce = object["nonce"]?.stringValue, let timestamp = object["timestamp"]?.wholeNumber,
            let signature = object["encodedSignature"]?.stringValue
        else { return false }
        let account = object["appAccountToken"]?.stringValue.flatMap { UUID(canonicalForm: $0) }
        guard account != nil || object["appAccountToken"] == nil else { return false }
        return check(product, account)
            .nonce(ofFirstForm: offer, [key, nonce, String(timestamp), signature]) != nil
    }

    private static func names(in object: JSONTree) -> (product: String, offer: String)? {
        guard let product = object["productId"]?.stringValue,
            let offer = object["offerIdentifier"]?.stringValue, !product.isEmpty, !offer.isEmpty
        else { return nil }
        return (product, offer)
    }

    private func check(_ productID: String, _ account: UUID? = nil) -> OfferSignatureCheck {
        OfferSignatureCheck(
            keys: keys, bundleID: bundleID, now: now, productID: productID, appAccountToken: account,
            customerIDs: customerIDs)
    }
}
