/// The curve of a test key. P-256 and P-384 occur in Apple's chain.
package struct EllipticCurve: Sendable, Hashable {
    /// The number of bytes of one coordinate, and of a scalar.
    package let byteCount: Int
    /// The named-curve identifier (SEC 2, RFC 5480, RFC 5639).
    package let objectIdentifier: [UInt]

    package init(byteCount: Int, objectIdentifier: [UInt]) {
        self.byteCount = byteCount
        self.objectIdentifier = objectIdentifier
    }

    package static let p256 = EllipticCurve(byteCount: 32, objectIdentifier: [1, 2, 840, 10045, 3, 1, 7])
    package static let p384 = EllipticCurve(byteCount: 48, objectIdentifier: [1, 3, 132, 0, 34])
}
