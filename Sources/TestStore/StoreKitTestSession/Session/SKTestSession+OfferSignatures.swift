internal import Essentials
internal import StoreKitVerify
internal import Synchronization
internal import WireFormats

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
            OfferSignatureCheck(
                keys: keys, bundleID: simulation.signer.app.bundleID, now: simulation.now,
                productID: productID,
                appAccountToken: PurchaseRequest(productID, options).appAccountToken,
                customerIDs: simulation.identifiers(of: customer))
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
