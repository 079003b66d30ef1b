/// A certificate before it is signed. Changing one field makes exactly one thing wrong.
///
/// Nothing here is checked: a template may describe a certificate that every verifier must refuse.
package struct CertificateTemplate: Sendable {
    /// A Name with one attribute in each RDN (RFC 5280, 4.1.2.4).
    package struct Name: Sendable, Equatable {
        package var commonName: String
        package var organizationalUnit: String?
        package var organization: String

        package init(commonName: String, organizationalUnit: String? = nil, organization: String) {
            self.commonName = commonName
            self.organizationalUnit = organizationalUnit
            self.organization = organization
        }

        package var der: [UInt8] {
            let unit = organizationalUnit.map { attribute(11, $0) } ?? []
            return DER.sequence(attribute(3, commonName), unit, attribute(10, organization))
        }

        /// The attribute types are under 2.5.4: 3 common name, 10 organization, 11 organizational unit
        /// (X.520).
        private func attribute(_ type: UInt, _ text: String) -> [UInt8] {
            DER.set(DER.sequence(DER.objectIdentifier([2, 5, 4, type]), DER.utf8String(text)))
        }
    }

    /// The encoded number: 2 means version 3. nil leaves the member out, which means version 1.
    package var version: UInt8? = 2
    /// The contents of the INTEGER.
    package var serialNumber: [UInt8]
    package var issuer: Name
    package var subject: Name
    package var notBefore: CertificateTime
    package var notAfter: CertificateTime
    /// Replaces the two times, to make them malformed.
    package var validityDER: [UInt8]?
    package var publicKeyInfo: [UInt8]
    package var extensions: [CertificateExtension]
    /// The algorithm that signs, which is also named in the outer certificate.
    package var algorithm: SignatureAlgorithm
    /// The algorithm named inside the signed part, if it differs.
    package var innerAlgorithm: SignatureAlgorithm?
    package var signer: CertificateSigner

    package init(
        serialNumber: [UInt8], issuer: Name, subject: Name, notBefore: CertificateTime,
        notAfter: CertificateTime, publicKeyInfo: [UInt8], extensions: [CertificateExtension],
        algorithm: SignatureAlgorithm, signer: CertificateSigner
    ) {
        self.serialNumber = serialNumber
        self.issuer = issuer
        self.subject = subject
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.publicKeyInfo = publicKeyInfo
        self.extensions = extensions
        self.algorithm = algorithm
        self.signer = signer
    }

    /// TBSCertificate (RFC 5280, 4.1).
    ///
    /// The order of the members is that of RFC 5280. An empty list of extensions is left out, as the RFC
    /// demands.
    package var tbsCertificate: [UInt8] {
        let version = version.map { DER.explicit(0, DER.integer(contents: [$0])) } ?? []
        let list = extensions.flatMap(\.der)
        return DER.sequence(
            version,
            DER.integer(contents: serialNumber),
            (innerAlgorithm ?? algorithm).der,
            issuer.der,
            validityDER ?? DER.sequence(notBefore.der, notAfter.der),
            subject.der,
            publicKeyInfo,
            list.isEmpty ? [] : DER.explicit(3, DER.value(tag: 0x30, list)))
    }

    /// The whole certificate, signed.
    package func der() throws(MintingError) -> [UInt8] { try der(signing: tbsCertificate) }

    /// The whole certificate with another signed part, which may be malformed.
    ///
    /// The signature is right for the malformed part, so that a verifier cannot refuse it for the signature
    /// alone.
    package func der(signing tbs: [UInt8]) throws(MintingError) -> [UInt8] {
        der(signing: tbs, signatureValue: try signer.signature(of: tbs, algorithm))
    }

    /// The whole certificate with any bytes as its signature.
    package func der(signing tbs: [UInt8], signatureValue: [UInt8]) -> [UInt8] {
        DER.sequence(tbs, algorithm.der, DER.bitString(signatureValue))
    }

    /// A serial number that follows from a label: hashed bytes with the sign bit clear and a first byte that is not zero.
    ///
    /// A serial number is positive and has at most 20 bytes (RFC 5280, 4.1.2.2). Apple's have 8, 20 and 16
    /// bytes.
    package static func serialNumber(
        of label: String, byteCount: Int
    ) throws(MintingError) -> [UInt8] {
        let hash = try HashFunction.sha256.digest(Array("serial number of \(label)".utf8))
        return [hash[0] & 0x3F | 0x40] + hash[1..<byteCount]
    }
}
