internal import WireFormats

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
        of message: [UInt8], hash: HashFunction = .sha256
    ) throws(MintingError) -> ECDSASignature {
        try DeterministicECDSA(curve: curve, hash: hash).signature(message: message, scalar: scalar)
    }

    /// 04‖x‖y (SEC 1, 2.3.3).
    package var uncompressedPoint: [UInt8] { [0x04] + point }

    /// The identifier of the key (RFC 5280, 4.2.1.2, method 1).
    package func keyIdentifier() throws(MintingError) -> [UInt8] {
        try HashFunction.sha1.digest(uncompressedPoint)
    }

    /// SubjectPublicKeyInfo (RFC 5480): a named curve, and the uncompressed point.
    ///
    /// - Parameters:
    ///   - parameters: other parameters than the curve's name.
    ///   - point: any bytes, for a key that must be refused.
    package func publicKeyInfo(parameters: [UInt8]? = nil, point: [UInt8]? = nil) -> [UInt8] {
        DER.sequence(algorithmIdentifier(parameters), DER.bitString(point ?? uncompressedPoint))
    }

    /// id-ecPublicKey (RFC 5480, 2.1.1) with the curve's name, or other parameters.
    private func algorithmIdentifier(_ parameters: [UInt8]? = nil) -> [UInt8] {
        DER.sequence(
            DER.objectIdentifier([1, 2, 840, 10045, 2, 1]),
            parameters ?? DER.objectIdentifier(curve.objectIdentifier))
    }

    /// `PrivateKeyInfo` (PKCS #8, RFC 5958) in PEM, as a `.p8` file of App Store Connect has it.
    package var privateKeyPEM: String {
        // Version 0, which RFC 5958 calls v1.
        let info = DER.sequence(
            DER.integer(contents: [0]), algorithmIdentifier(), DER.octetString(privateKeyDER))
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
