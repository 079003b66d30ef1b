/// A worthless elliptic-curve key. Its private half is derived from a label that is public.
///
/// A label always gives the same key, on every machine, so that no key file has to be kept.
package struct TestKey: Sendable, Equatable {
    package let curve: EllipticCurve
    package let label: String
    /// The private scalar, most significant byte first.
    package let scalar: [UInt8]
    /// The public point as x‖y.
    package let point: [UInt8]

    /// SHA-512 of the marked label, reduced to the range 1 … n-1.
    ///
    /// 512 bits are reduced, so that the scalar is near to uniform on every curve up to 256 bits.
    package init(_ label: String, on curve: EllipticCurve = .p256) throws(MintingError) {
        let seed = Array("storekit-verify TEST KEY, worthless: \(label)".utf8)
        let group = try CurveGroup.named(curve)
        let n = try group.order()
        let nMinusOne = try n.subtracting(BigNumber.bigEndian([1]))
        let wide = try BigNumber.bigEndian(HashFunction.sha512.digest(seed))
        let reduced = try group.reduced(wide, modulo: nMinusOne)
        let scalar = try nMinusOne.subtracting(reduced)
        self.curve = curve
        self.label = label
        self.scalar = try scalar.bytes(count: curve.byteCount)
        self.point = try group.generatorMultiple(scalar, byteCount: curve.byteCount)
    }

    /// Signs `message`, deterministically.
    package func signature(
        of message: [UInt8], hash: HashFunction = .sha256, sForm: DeterministicECDSA.SForm = .asComputed
    ) throws(MintingError) -> ECDSASignature {
        try DeterministicECDSA(curve: curve, hash: hash, sForm: sForm)
            .signature(message: message, scalar: scalar)
    }

    /// 04‖x‖y (SEC 1, 2.3.3).
    package var uncompressedPoint: [UInt8] { [0x04] + point }

    /// 02 or 03 by the parity of y, then x.
    package var compressedPoint: [UInt8] {
        [0x02 | yParity] + point.prefix(curve.byteCount)
    }

    /// 06 or 07 by the parity of y, then x‖y: X9.62's hybrid form.
    package var hybridPoint: [UInt8] { [0x06 | yParity] + point }

    /// A coordinate is written most significant byte first, so its last bit is its parity.
    private var yParity: UInt8 { (point.last ?? 0) & 1 }

    /// SubjectPublicKeyInfo (RFC 5480): a named curve, and the uncompressed point or the given one.
    ///
    /// - Parameter point: any bytes, for a key that must be refused.
    package func publicKeyInfo(point: [UInt8]? = nil) -> [UInt8] {
        publicKeyInfo(parameters: DER.objectIdentifier(curve.objectIdentifier), point: point)
    }

    /// The same key with explicit curve parameters (`specifiedCurve`, forbidden by RFC 5480, 2.1.1).
    package func publicKeyInfoWithExplicitParameters() throws(MintingError) -> [UInt8] {
        let group = try CurveGroup.named(curve)
        let (p, a, b) = try group.parameters(byteCount: curve.byteCount)
        let one = try BigNumber.bigEndian([1])
        let generator = try group.generatorMultiple(one, byteCount: curve.byteCount)
        let order = try group.order().bytes(count: curve.byteCount)
        let primeField: [UInt] = [1, 2, 840, 10045, 1, 1]
        let parameters = DER.sequence(
            DER.integer(contents: [1]),
            DER.sequence(DER.objectIdentifier(primeField), DER.unsignedInteger(p)),
            DER.sequence(DER.octetString(a), DER.octetString(b)),
            DER.octetString([0x04] + generator),
            DER.unsignedInteger(order),
            DER.integer(contents: [1]))
        return publicKeyInfo(parameters: parameters, point: nil)
    }

    private func publicKeyInfo(parameters: [UInt8], point: [UInt8]?) -> [UInt8] {
        let publicKey: [UInt] = [1, 2, 840, 10045, 2, 1]
        return DER.sequence(
            DER.sequence(DER.objectIdentifier(publicKey), parameters),
            DER.bitString(point ?? uncompressedPoint))
    }

    /// `PrivateKeyInfo` (PKCS #8, RFC 5958) in PEM, as a `.p8` file of App Store Connect has it.
    package var privateKeyPEM: String {
        let (publicKey, curve): ([UInt], [UInt]) = ([1, 2, 840, 10045, 2, 1], curve.objectIdentifier)
        let info = DER.sequence(
            // Version 0, which RFC 5958 calls v1.
            DER.integer(contents: [0]),
            DER.sequence(DER.objectIdentifier(publicKey), DER.objectIdentifier(curve)),
            DER.octetString(privateKeyDER))
        return Base64.pem("PRIVATE KEY", info)
    }

    /// `ECPrivateKey` (RFC 5915, 3).
    package var privateKeyDER: [UInt8] {
        DER.sequence(
            DER.integer(contents: [1]),
            DER.octetString(scalar),
            DER.explicit(0, DER.objectIdentifier(curve.objectIdentifier)),
            DER.explicit(1, DER.bitString(uncompressedPoint)))
    }
}
