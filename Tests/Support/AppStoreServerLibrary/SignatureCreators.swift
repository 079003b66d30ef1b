#if ServerAPI
    public import Foundation
    internal import RequestSigning

    /// Apple's `PromotionalOfferV2SignatureCreator`.
    public struct PromotionalOfferV2SignatureCreator: Sendable {
        private let issuer: RequestIssuer
        private let key: SigningKey

        /// - Parameter signingKey: the private key, in PEM.
        public init(signingKey: String, keyId: String, issuerId: String, bundleId: String) throws {
            issuer = try RequestIssuer(keyID: keyId, issuerID: issuerId, bundleID: bundleId)
            key = try SigningKey(pem: Array(signingKey.utf8))
        }

        /// Signs an offer.
        public func createSignature(
            productId: String, offerIdentifier: String, transactionId: String? = nil
        ) throws -> String {
            try issuer.promotionalOffer(
                offerIdentifier, productID: productId, transactionID: transactionId, at: Date()
            ).signed(by: key)
        }
    }

    /// Apple's `IntroductoryOfferEligibilitySignatureCreator`.
    public struct IntroductoryOfferEligibilitySignatureCreator: Sendable {
        private let issuer: RequestIssuer
        private let key: SigningKey

        /// - Parameter signingKey: the private key, in PEM.
        public init(signingKey: String, keyId: String, issuerId: String, bundleId: String) throws {
            issuer = try RequestIssuer(keyID: keyId, issuerID: issuerId, bundleID: bundleId)
            key = try SigningKey(pem: Array(signingKey.utf8))
        }

        /// Signs whether a customer gets the introductory offer.
        public func createSignature(
            productId: String, allowIntroductoryOffer: Bool, transactionId: String
        ) throws -> String {
            try issuer.introductoryOffer(
                isAllowed: allowIntroductoryOffer, productID: productId, transactionID: transactionId,
                at: Date()
            ).signed(by: key)
        }
    }

    /// Apple's `AdvancedCommerceAPIInAppSignatureCreator`.
    public struct AdvancedCommerceAPIInAppSignatureCreator: Sendable {
        private let issuer: RequestIssuer
        private let key: SigningKey

        /// - Parameter signingKey: the private key, in PEM.
        public init(signingKey: String, keyId: String, issuerId: String, bundleId: String) throws {
            issuer = try RequestIssuer(keyID: keyId, issuerID: issuerId, bundleID: bundleId)
            key = try SigningKey(pem: Array(signingKey.utf8))
        }

        /// Signs a request, which is encoded as JSON.
        public func createSignature(advancedCommerceInAppRequest request: some Encodable) throws -> String {
            try issuer.advancedCommerce(request: try JSONEncoder().encode(request), at: Date()).signed(
                by: key)
        }
    }

    /// Apple's `PromotionalOfferSignatureCreator`, for the first version of signatures.
    public struct PromotionalOfferSignatureCreator: Sendable {
        private let (keyID, bundleID): (String, String)
        private let key: SigningKey

        /// - Parameter privateKey: the private key, in PEM.
        public init(privateKey: String, keyId: String, bundleId: String) throws {
            (keyID, bundleID) = (keyId, bundleId)
            key = try SigningKey(pem: Array(privateKey.utf8))
        }

        /// Signs an offer. Returns the signature in base64.
        ///
        /// - Parameter timestamp: milliseconds since 1970.
        public func createSignature(
            productIdentifier: String, subscriptionOfferID: String, appAccountToken: String, nonce: UUID,
            timestamp: Int64
        ) throws -> String {
            let offer = try UnsignedPromotionalOffer(
                subscriptionOfferID, productID: productIdentifier, bundleID: bundleID, keyID: keyID,
                appAccountToken: appAccountToken, nonce: nonce,
                at: Date(timeIntervalSince1970: Double(timestamp) / 1000))
            return try offer.signed(by: key).encodedSignature
        }
    }
#endif
