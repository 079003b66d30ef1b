package import Essentials
package import WireFormats

/// The kinds of signatures of a door. The command and the service have the same names, members and answers.
package enum SignatureKind: String, CaseIterable, Sendable {
    case promotionalOffer = "promotional-offer"
    case promotionalOfferV1 = "promotional-offer-v1"
    case introductoryOffer = "introductory-offer"
    case advancedCommerce = "advanced-commerce"
    case token

    /// The members of a caller's request, by Apple's names: those that are needed, and the others.
    @inline(never)
    fileprivate func names() -> (needed: [String], others: [String]) {
        switch self {
        case .promotionalOffer: (["productId", "offerIdentifier"], ["transactionId", "nonce"])
        case .promotionalOfferV1: (["productId", "offerIdentifier"], ["appAccountToken", "nonce"])
        case .introductoryOffer:
            (["productId", "allowIntroductoryOffer", "transactionId"], ["nonce"])
        case .advancedCommerce: (["request"], ["nonce"])
        case .token: ([], ["seconds"])
        }
    }

    /// Whether the issuer's identifier is signed. The first form of promotional offers does not have it.
    package var needsIssuer: Bool { self != .promotionalOfferV1 }
}

/// A door's key, with the names that App Store Connect gave it.
package struct NamedKey: Sendable {
    private let key: SigningKey
    private let keyID: String
    /// Empty if it is not known.
    private let issuerID: String

    package init(_ key: SigningKey, keyID: String, issuerID: String) throws(RequestSigningError) {
        (self.key, self.keyID, self.issuerID) = (key, try keyID.notEmpty("keyId"), issuerID)
    }

    /// Signs a promotional offer in its first form, for purchases without an `appAccountToken`.
    package func firstFormOffer(
        _ offerID: String, productID: String, bundleID: String, at date: Date
    ) throws(RequestSigningError) -> PromotionalOfferSignature {
        try UnsignedPromotionalOffer(
            offerID, productID: productID, bundleID: bundleID, keyID: keyID, at: date
        ).signed(by: key)
    }

    /// Signs a promotional offer in its second form, for one customer.
    ///
    /// - Parameter transactionID: any transaction of the customer.
    package func promotionalOffer(
        _ offerID: String, productID: String, transactionID: String, bundleID: String, at date: Date
    ) throws(RequestSigningError) -> String {
        try RequestIssuer(keyID: keyID, issuerID: issuerID, bundleID: bundleID)
            .promotionalOffer(offerID, productID: productID, transactionID: transactionID, at: date)
            .signed(by: key)
    }

    /// Signs, and returns the values that an app or a client needs, as one JSON object.
    ///
    /// - Parameters:
    ///   - kind: the kind of signature.
    ///   - members: the members of the caller's request, by Apple's names.
    ///   - bundleID: the app.
    ///   - date: the present time.
    /// - Throws: for a missing, unknown or mistaken member; see ``RequestSigningError``.
    package func answer(
        _ kind: SignatureKind, _ members: [JSONTree.Member], bundleID: String, at date: Date
    ) throws(RequestSigningError) -> ObjectText {
        let members = SignatureMembers(members)
        try members.allow(kind.names())
        var answer = ObjectText()
        guard kind.needsIssuer else {
            let offer = try UnsignedPromotionalOffer(
                members.text("offerIdentifier"), productID: members.text("productId"), bundleID: bundleID,
                keyID: keyID, appAccountToken: members.text("appAccountToken"), nonce: members.nonce(),
                at: date)
            answer.add("offerIdentifier", offer.offerID)
            answer.add("keyIdentifier", keyID)
            answer.add("nonce", offer.nonce)
            answer.add("signature", try offer.signed(by: key).encodedSignature)
            answer.add("timestamp", offer.timestamp)
            return answer
        }
        let issuer = try RequestIssuer(keyID: keyID, issuerID: issuerID, bundleID: bundleID)
        let jws = try issuer.unsigned(kind, members, at: date).signed(by: key)
        answer.add(kind == .token ? "token" : "compactJWS", jws)
        if kind == .advancedCommerce {
            let data = RequestIssuer.advancedCommerceData(compactJWS: jws)
            answer.add("advancedCommerceData", data.base64EncodedString())
        }
        return answer
    }
}

extension RequestIssuer {
    fileprivate func unsigned(
        _ kind: SignatureKind, _ members: SignatureMembers, at date: Date
    ) throws(RequestSigningError) -> UnsignedJWS {
        switch kind {
        case .promotionalOffer, .promotionalOfferV1:
            try promotionalOffer(
                members.text("offerIdentifier"), productID: members.text("productId"),
                transactionID: members.has("transactionId") ? members.text("transactionId") : nil,
                nonce: members.nonce(), at: date)
        case .introductoryOffer:
            try introductoryOffer(
                isAllowed: members.bool("allowIntroductoryOffer"), productID: members.text("productId"),
                transactionID: members.text("transactionId"), nonce: members.nonce(), at: date)
        case .advancedCommerce:
            try advancedCommerce(
                request: Data(members.text("request").utf8), nonce: members.nonce(), at: date)
        case .token: try serverAPIToken(at: date, lasting: members.seconds())
        }
    }
}

/// The members of a question, read by their types.
private struct SignatureMembers {
    private let object: JSONTree

    init(_ members: [JSONTree.Member]) { object = .object(members) }

    /// Refuses members that have no effect, and asks for those that are needed.
    func allow(_ names: (needed: [String], others: [String])) throws(RequestSigningError) {
        let known = names.needed + names.others
        for member in object.members ?? [] where !known.contains(member.name) {
            let list = known.joined(separator: ", ")
            throw .request("\(member.name) is not a member of this signature; its members are: \(list)")
        }
        for name in names.needed where !has(name) { throw .empty(name) }
    }

    func has(_ name: String) -> Bool { object[name] != nil }

    /// Empty if it is absent.
    func text(_ name: String) throws(RequestSigningError) -> String {
        guard let value = object[name] else { return "" }
        guard let text = value.stringValue else {
            throw .request("\(name) must be a string, not \(value.kind)")
        }
        return text
    }

    func bool(_ name: String) throws(RequestSigningError) -> Bool {
        guard case .bool(let value) = object[name] else { throw .request("\(name) must be true or false") }
        return value
    }

    /// A new one if it is absent.
    func nonce() throws(RequestSigningError) -> UUID {
        guard has("nonce") else { return UUID() }
        guard let nonce = UUID(canonicalForm: try text("nonce")) else {
            throw .request("nonce must be a UUID, in the form 8-4-4-4-12")
        }
        return nonce
    }

    /// How long a token is valid: five minutes if nothing else is said, as in Apple's libraries.
    func seconds() throws(RequestSigningError) -> Int {
        guard let value = object["seconds"] else { return 300 }
        guard let seconds = value.wholeNumber else { throw .request("seconds must be a whole number") }
        return seconds
    }
}
