package import Minting

// Encodings of a public key that a verifier must refuse.
extension TestKey {
    /// 02 or 03 by the parity of y, then x.
    package var compressedPoint: [UInt8] {
        [0x02 | yParity] + point.prefix(curve.byteCount)
    }

    /// 06 or 07 by the parity of y, then x‖y: X9.62's hybrid form.
    package var hybridPoint: [UInt8] { [0x06 | yParity] + point }

    /// A coordinate is written most significant byte first, so its last bit is its parity.
    private var yParity: UInt8 { (point.last ?? 0) & 1 }

    /// The public key on P-256 with explicit curve parameters (`specifiedCurve`, forbidden by RFC 5480, 2.1.1).
    package func publicKeyInfoWithExplicitParameters() -> [UInt8] {
        // The field's prime, the coefficients and the generator of SEC 2, 2.4.2.
        let p = bigEndian(0xFFFF_FFFF_0000_0001, 0, 0x0000_0000_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF)
        let a = bigEndian(0xFFFF_FFFF_0000_0001, 0, 0x0000_0000_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFC)
        let b = bigEndian(
            0x5AC6_35D8_AA3A_93E7, 0xB3EB_BD55_7698_86BC, 0x651D_06B0_CC53_B0F6, 0x3BCE_3C3E_27D2_604B)
        let generator = bigEndian(
            0x6B17_D1F2_E12C_4247, 0xF8BC_E6E5_63A4_40F2, 0x7703_7D81_2DEB_33A0, 0xF4A1_3945_D898_C296,
            0x4FE3_42E2_FE1A_7F9B, 0x8EE7_EB4A_7C0F_9E16, 0x2BCE_3357_6B31_5ECE, 0xCBB6_4068_37BF_51F5)
        let primeField: [UInt] = [1, 2, 840, 10045, 1, 1]
        let parameters = DER.sequence(
            DER.integer(contents: [1]),
            DER.sequence(DER.objectIdentifier(primeField), DER.unsignedInteger(p)),
            DER.sequence(DER.octetString(a), DER.octetString(b)),
            DER.octetString([0x04] + generator),
            DER.unsignedInteger(CurveOrder.p256),
            DER.integer(contents: [1]))
        return publicKeyInfo(parameters: parameters)
    }
}
