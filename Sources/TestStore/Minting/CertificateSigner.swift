/// The signature algorithm of a certificate.
///
/// ECDSA with SHA-256 and SHA-384, and RSA with SHA-256, occur in Apple's chains.
package struct SignatureAlgorithm: Sendable {
    /// AlgorithmIdentifier.
    package let der: [UInt8]
    let hash: HashFunction
    let isRSA: Bool

    package static let ecdsaWithSHA256 = ecdsa([3, 2], .sha256)
    package static let ecdsaWithSHA384 = ecdsa([3, 3], .sha384)
    package static let sha256WithRSA = rsa(11, .sha256)

    /// An algorithm of ANSI X9.62, whose parameters are absent (RFC 5758, 3.2).
    package static func ecdsa(_ arcs: [UInt], _ hash: HashFunction) -> SignatureAlgorithm {
        let identifier = DER.objectIdentifier([1, 2, 840, 10045, 4] + arcs)
        return SignatureAlgorithm(der: DER.sequence(identifier), hash: hash, isRSA: false)
    }

    /// An algorithm of PKCS #1, whose parameters are NULL (RFC 4055, 5).
    package static func rsa(_ arc: UInt, _ hash: HashFunction) -> SignatureAlgorithm {
        let identifier = DER.objectIdentifier([1, 2, 840, 113549, 1, 1, arc])
        return SignatureAlgorithm(der: DER.sequence(identifier, DER.null), hash: hash, isRSA: true)
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
