/// The curves of test keys. Only P-256 and P-384 occur in Apple's chain; the others must be refused.
package enum EllipticCurve: Sendable, CaseIterable {
    case p256, p384, p521, secp256k1, brainpoolP256r1

    /// The number of bytes of one coordinate, and of a scalar.
    package var byteCount: Int {
        switch self {
        case .p256, .secp256k1, .brainpoolP256r1: 32
        case .p384: 48
        case .p521: 66
        }
    }

    /// The named-curve identifier (SEC 2, RFC 5480, RFC 5639).
    package var objectIdentifier: [UInt] {
        switch self {
        case .p256: [1, 2, 840, 10045, 3, 1, 7]
        case .p384: [1, 3, 132, 0, 34]
        case .p521: [1, 3, 132, 0, 35]
        case .secp256k1: [1, 3, 132, 0, 10]
        case .brainpoolP256r1: [1, 3, 36, 3, 3, 2, 8, 1, 1, 7]
        }
    }
}
