/// A public key on NIST P-256: a point of the curve y^2 = x^3 - 3x + b (SEC 2, section 2.4.2).
///
/// Every point of the curve but infinity generates the whole group, whose order is prime. So it is enough to
/// check that the point is on the curve (SEC 1, section 3.2.2.1).
public struct P256PublicKey: Hashable, Sendable {
    /// The coordinates, below p, not in Montgomery's form.
    let x, y: Words256

    /// Reads an uncompressed point: 65 bytes, `04 || x || y` (SEC 1, section 2.3.3).
    ///
    /// - Returns: `nil` for anything else: another length or form, a coordinate not below p, or a point not
    ///   on the curve.
    public init?(uncompressedPoint bytes: Span<UInt8>) {
        guard bytes.count == 65, bytes[0] == 4 else { return nil }
        let (x, y) = (Words256(bigEndian: bytes, at: 1), Words256(bigEndian: bytes, at: 33))
        guard x < FieldElement.modulus, y < FieldElement.modulus else { return nil }
        guard AffinePoint(x: FieldElement(x), y: FieldElement(y)).isOnCurve else { return nil }
        self.init(x: x, y: y)
    }

    private init(x: Words256, y: Words256) {
        self.x = x
        self.y = y
    }

    /// The generator G.
    static let generator = P256PublicKey(
        x: Words256(
            0xf4a1_3945_d898_c296, 0x7703_7d81_2deb_33a0, 0xf8bc_e6e5_63a4_40f2, 0x6b17_d1f2_e12c_4247),
        y: Words256(
            0xcbb6_4068_37bf_51f5, 0x2bce_3357_6b31_5ece, 0x8ee7_eb4a_7c0f_9e16, 0x4fe3_42e2_fe1a_7f9b))
}
