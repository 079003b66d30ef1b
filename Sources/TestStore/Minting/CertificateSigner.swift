/// The signature algorithms of the vectors' certificates, including those that must be refused.
///
/// ECDSA with SHA-256 and SHA-384, and RSA with SHA-256, occur in Apple's chains. The others are there to be
/// refused.
package enum SignatureAlgorithm: Sendable {
    case ecdsaWithSHA1, ecdsaWithSHA224, ecdsaWithSHA256, ecdsaWithSHA384, ecdsaWithSHA512
    case sha1WithRSA, sha256WithRSA, sha384WithRSA

    /// AlgorithmIdentifier: parameters absent for ECDSA (RFC 5758, 3.2), NULL for RSA (RFC 4055, 5).
    package var der: [UInt8] {
        let rsa: [UInt] = [1, 2, 840, 113549, 1, 1]
        let ecdsa: [UInt] = [1, 2, 840, 10045, 4]
        return switch self {
        case .ecdsaWithSHA1: DER.sequence(DER.objectIdentifier(ecdsa + [1]))
        case .ecdsaWithSHA224: DER.sequence(DER.objectIdentifier(ecdsa + [3, 1]))
        case .ecdsaWithSHA256: DER.sequence(DER.objectIdentifier(ecdsa + [3, 2]))
        case .ecdsaWithSHA384: DER.sequence(DER.objectIdentifier(ecdsa + [3, 3]))
        case .ecdsaWithSHA512: DER.sequence(DER.objectIdentifier(ecdsa + [3, 4]))
        case .sha1WithRSA: DER.sequence(DER.objectIdentifier(rsa + [5]), DER.null)
        case .sha256WithRSA: DER.sequence(DER.objectIdentifier(rsa + [11]), DER.null)
        case .sha384WithRSA: DER.sequence(DER.objectIdentifier(rsa + [12]), DER.null)
        }
    }

    var hash: HashFunction {
        switch self {
        case .ecdsaWithSHA1, .sha1WithRSA: .sha1
        case .ecdsaWithSHA224: .sha224
        case .ecdsaWithSHA256, .sha256WithRSA: .sha256
        case .ecdsaWithSHA384, .sha384WithRSA: .sha384
        case .ecdsaWithSHA512: .sha512
        }
    }

    var isRSA: Bool {
        switch self {
        case .sha1WithRSA, .sha256WithRSA, .sha384WithRSA: true
        case .ecdsaWithSHA1, .ecdsaWithSHA224, .ecdsaWithSHA256, .ecdsaWithSHA384, .ecdsaWithSHA512: false
        }
    }
}

/// The key that signs a certificate.
package enum CertificateSigner: Sendable {
    case ec(TestKey)
    case rsa(RSATestKey)

    /// The contents of the certificate's signature BIT STRING.
    ///
    /// - Throws: `MintingError.algorithmDoesNotFitKey` for ECDSA under an RSA key, and the other way round.
    package func signature(
        of message: [UInt8], _ algorithm: SignatureAlgorithm
    ) throws(MintingError) -> [UInt8] {
        switch self {
        case .ec(let key) where !algorithm.isRSA:
            try key.signature(of: message, hash: algorithm.hash).der
        case .rsa(let key) where algorithm.isRSA:
            try key.signature(of: message, hash: algorithm.hash)
        default:
            throw .algorithmDoesNotFitKey
        }
    }
}
