internal import StoreKitVerify
internal import Synchronization
internal import WireFormats

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The signatures of offers that an app's server makes.
extension SKTestSession {
    /// The keys whose signatures of promotional offers, and of the eligibility for introductory offers, are accepted.
    ///
    /// With keys, a purchase fails with `Product.PurchaseError.invalidOfferSignature` if its signature is not that of a key
    /// over this purchase, by this customer, made within 24 hours of the session's time, or if its nonce was used before.
    /// Without keys, as at the beginning, no signature is looked at. The option `promotionalOffer(id:)` needs none in
    /// either case.
    public var offerSigningKeys: [ServerAPIKey] {
        get { state.withLock { $0.offerSigningKeys?.keys ?? [] } }
        set {
            let keys = newValue.isEmpty ? nil : ServerTokens(newValue)
            state.withLock { $0.offerSigningKeys = keys }
        }
    }

    /// Refuses a purchase with a signature that is not right. A nonce counts as used if its signature is right, even if
    /// the purchase fails afterwards.
    func checkSignatures(
        _ productID: String, _ options: Set<Product.PurchaseOption>
    ) throws(StoreRefusal) {
        guard let keys = state.withLock(\.offerSigningKeys) else { return }
        let check = appStore.read { simulation in
            let customer = simulation.customers[customer]
            let transactions = customer.transactions.map { simulation.transactions[$0].id }
            return OfferSignatureCheck(
                keys: keys, bundleID: simulation.signer.app.bundleID, now: simulation.now,
                productID: productID,
                appAccountToken: PurchaseRequest(productID, options).appAccountToken,
                customerIDs: Set((transactions + [customer.appTransactionID]).map { "\($0)" }))
        }
        for option in options {
            let nonce: UUID?
            switch option.kind {
            case .promotionalOffer(_, let signature) where signature.isEmpty: continue
            case .promotionalOffer(let offerID, let signature) where signature.count == 1:
                nonce = check.nonce(ofPromotionalOffer: offerID, signature[0])
            case .promotionalOffer(let offerID, let parts): nonce = check.nonce(ofFirstForm: offerID, parts)
            case .introductoryOfferEligibility(let jws): nonce = check.nonce(ofEligibility: jws)
            default: continue
            }
            let isRight = nonce.map { nonce in state.withLock { $0.usedNonces.insert(nonce).inserted } }
            guard isRight ?? false else {
                throw .purchase(.invalidOfferSignature, "the signature of the offer is not valid")
            }
        }
    }
}

/// What the signature of one purchase is compared with.
private struct OfferSignatureCheck {
    let keys: ServerTokens
    let bundleID: String
    /// In milliseconds since 1970.
    let now: Int
    let productID: String
    let appAccountToken: UUID?
    /// The identifiers of the customer's transactions, and `appTransactionId`.
    let customerIDs: Set<String>

    /// How long a signature can be used. For the first form of offers it is Apple's number; for the others, Apple names
    /// none, and this is a choice of this package.
    private static let lifetime = 86_400_000
    /// How far the server's clock may be ahead, in milliseconds. This is a choice of this package.
    private static let tolerance = 60_000

    private func isRecent(_ timestamp: Int) -> Bool {
        timestamp > now - Self.lifetime && timestamp <= now + Self.tolerance
    }

    /// The nonce of a promotional offer's JWS that is right; `nil` for another.
    func nonce(ofPromotionalOffer offerID: String, _ jws: String) -> UUID? {
        nonce(of: jws, for: "promotional-offer") { payload in
            payload["offerIdentifier"] == .string(offerID)
                && (payload["transactionId"].map(isOfCustomer) ?? true)
        }
    }

    /// The nonce of an eligibility's JWS that is right; `nil` for another.
    func nonce(ofEligibility jws: String) -> UUID? {
        nonce(of: jws, for: "introductory-offer-eligibility") { payload in
            guard case .bool = payload["allowIntroductoryOffer"] else { return false }
            return payload["transactionId"].map(isOfCustomer) ?? false
        }
    }

    private func isOfCustomer(_ identifier: JSONTree) -> Bool {
        identifier.stringValue.map(customerIDs.contains) ?? false
    }

    /// The members are those of Apple's page "Generating JWS to sign App Store requests".
    private func nonce(
        of jws: String, for audience: String, where holds: (JSONTree) -> Bool
    ) -> UUID? {
        let opened = try? keys.open(Array(jws.utf8)) { payload, key in
            guard let issued = payload["iat"]?.wholeNumber, (0...1 << 40).contains(issued) else {
                return false
            }
            return payload["iss"] == .string(key.issuerID) && payload["aud"] == .string(audience)
                && payload["bid"] == .string(bundleID) && payload["productId"] == .string(productID)
                && isRecent(issued * 1000) && holds(payload)
        }
        return opened?.payload["nonce"]?.stringValue.flatMap { UUID(canonicalForm: $0) }
    }

    /// The nonce of a promotional offer in its first form that is right; `nil` for another (Apple's page "Generating a
    /// signature for promotional offers").
    ///
    /// - Parameter parts: the key's identifier, the nonce, the timestamp, and the signature in base64.
    func nonce(ofFirstForm offerID: String, _ parts: [String]) -> UUID? {
        guard parts.count == 4, let timestamp = Int(parts[2]), isRecent(timestamp),
            let signature = Data(base64Encoded: parts[3])
        else { return nil }
        let account = appAccountToken?.uuidString.lowercased() ?? ""
        let text = [bundleID, parts[0], productID, offerID, account, parts[1].lowercased(), parts[2]]
            .joined(separator: "\u{2063}")
        return keys.isSigned(text, signature, keyID: parts[0]) ? UUID(canonicalForm: parts[1]) : nil
    }
}
