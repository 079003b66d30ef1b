package import Minting

// The parts that a test PKI needs for OCSP answers about its certificates.

extension TestPKI {
    /// The same PKI with these responders in its certificates.
    package func naming(leafResponder: String?, intermediateResponder: String?) -> TestPKI {
        var pki = self
        pki.intermediate.template.setResponder(intermediateResponder)
        for index in pki.leaves.indices { pki.leaves[index].template.setResponder(leafResponder) }
        return pki
    }

    /// A responder for the certificates that an authority of this PKI has issued: a key, and a certificate
    /// from that authority.
    package static func responder(of issuer: Entity, label: String = "OCSP") throws(MintingError) -> Entity {
        try responder(
            of: issuer.template, signedBy: .ec(issuer.key), keyIdentifier: issuer.key.keyIdentifier(),
            label: label)
    }

    /// A responder for the certificates that an authority of a receipt PKI has issued. Its own key is on an
    /// elliptic curve.
    package static func responder(of issuer: ReceiptPKI.Entity) throws(MintingError) -> Entity {
        try responder(
            of: issuer.template, signedBy: .rsa(issuer.key), keyIdentifier: issuer.key.keyIdentifier(),
            label: "OCSP")
    }

    /// RFC 6960, 4.2.2.2: the authority itself has issued the responder's certificate, for signing answers
    /// alone.
    private static func responder(
        of issuer: CertificateTemplate, signedBy signer: CertificateSigner, keyIdentifier: [UInt8],
        label: String
    ) throws(MintingError) -> Entity {
        let key = try TestKey("\(label) responder of \(issuer.subject.commonName)")
        var template = CertificateTemplate(
            serialNumber: [0x40] + (try HashFunction.sha256.digest(key.point)).prefix(15),
            issuer: issuer.subject,
            subject: CertificateTemplate.Name(
                commonName: "Storekit Verify Test \(label) Responder",
                organization: "Worthless test certificates"),
            notBefore: issuer.notBefore, notAfter: issuer.notAfter,
            publicKeyInfo: key.publicKeyInfo(),
            extensions: [
                .basicConstraints(isCA: false), .keyUsage(CertificateExtension.KeyUsage.digitalSignature),
                .ocspSigning, .ocspNoCheck,
            ],
            algorithm: issuer.algorithm, signer: signer)
        template.set(.authorityKeyIdentifier(keyIdentifier))
        return Entity(template: template, key: key)
    }
}

extension CertificateExtension {
    /// Extended key usage for signing OCSP answers only (RFC 6960, 4.2.2.2).
    package static var ocspSigning: Self {
        let purpose: [UInt] = [1, 3, 6, 1, 5, 5, 7, 3, 9]
        return Self(Identifier.extendedKeyUsage, contents: DER.sequence(DER.objectIdentifier(purpose)))
    }

    /// States that clients need not check the revocation of an OCSP responder's certificate (RFC 6960,
    /// 4.2.2.2.1).
    package static var ocspNoCheck: Self {
        Self([1, 3, 6, 1, 5, 5, 7, 48, 1, 5], contents: DER.null)
    }
}

extension CertificateTemplate {
    /// Sets the responder in authority information access; nil removes it.
    package mutating func setResponder(_ url: String?) {
        if let url {
            set(.ocsp(url))
        } else {
            remove(CertificateExtension.Identifier.authorityInformation)
        }
    }
}

/// The files that `openssl ocsp` reads: the issuer, the status of its certificates, and the signer of
/// answers.
///
/// The tests answer by `openssl ocsp`, so that the answers are made by other code than the one that reads
/// them.
package struct OCSPResponderFiles: Sendable {
    /// The status of a certificate.
    package enum Status: Sendable, Equatable {
        case good
        /// Revoked at a time in the years 1950 to 2049. The reason is OpenSSL's name for it.
        case revoked(CertificateTime, reason: String?)
    }

    /// The issuer's certificate, in PEM.
    package let authority: String
    /// The certificate of the signer of answers, in PEM.
    package let signer: String
    /// The signer's key, in PEM.
    package let signerKey: String
    /// The certificates with their status (`openssl ca`'s database).
    package let index: String

    package init(
        issuer: TestPKI.Entity, signer: TestPKI.Entity, certificates: [(TestPKI.Entity, Status)]
    ) throws(MintingError) {
        try self.init(
            issuer: issuer.template, signer: signer,
            certificates: certificates.map { ($0.template, $1) })
    }

    package init(
        issuer: CertificateTemplate, signer: TestPKI.Entity, certificates: [(CertificateTemplate, Status)]
    ) throws(MintingError) {
        authority = Base64.pem("CERTIFICATE", try issuer.der())
        self.signer = Base64.pem("CERTIFICATE", try signer.der())
        signerKey = Base64.pem("EC PRIVATE KEY", signer.key.privateKeyDER)
        index = certificates.map { Self.line($0, $1) }.joined()
    }

    /// Status, expiry, revocation, serial number, file and name, separated by tabs.
    ///
    /// openssl reads the time of a revocation as UTCTime, with two digits of the year; of an expiry it takes
    /// four.
    private static func line(_ template: CertificateTemplate, _ status: Status) -> String {
        let (letter, revocation) =
            switch status {
            case .good: ("V", "")
            case .revoked(let time, let reason):
                ("R", String(time.digits.dropFirst(2)) + (reason.map { ",\($0)" } ?? ""))
            }
        // These digits are written apart from the verifier's, which reads the serial number.
        let number = template.serialNumber.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count < 2 ? "0" + digits : digits
        }
        let fields = [
            letter, template.notAfter.digits, revocation, number.joined(), "unknown",
            "/CN=\(template.subject.commonName)",
        ]
        return fields.joined(separator: "\t") + "\n"
    }
}
