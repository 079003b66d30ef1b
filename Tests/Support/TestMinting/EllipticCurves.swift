package import Minting

/// The curves that a verifier must refuse.
extension EllipticCurve {
    package static let p521 = EllipticCurve(byteCount: 66, objectIdentifier: [1, 3, 132, 0, 35])
    package static let secp256k1 = EllipticCurve(byteCount: 32, objectIdentifier: [1, 3, 132, 0, 10])
    package static let brainpoolP256r1 = EllipticCurve(
        byteCount: 32, objectIdentifier: [1, 3, 36, 3, 3, 2, 8, 1, 1, 7])
}

/// The order n of the generator (SEC 2, 2.4.2 and 2.5.1), big endian.
package enum CurveOrder {
    package static let p256 = bigEndian(
        0xFFFF_FFFF_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, 0xBCE6_FAAD_A717_9E84, 0xF3B9_CAC2_FC63_2551)
    package static let p384 = bigEndian(
        0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0xC763_4D81_F437_2DDF,
        0x581A_0DB2_48B0_A77A, 0xECEC_196A_CCC5_2973)
}

/// A number of 64-bit words in bytes, both the most significant first.
func bigEndian(_ words: UInt64...) -> [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) } }
}
