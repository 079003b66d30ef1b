/// Makes the templates of a `TestPKI`.
///
/// The certificates have the form of Apple's: the same extensions in the same order, the same dates, and names as long, so
/// that what is verified in tests costs as much as in production. Keys and serial numbers follow from labels: the same
/// labels give the same bytes.
struct TestPKIBuilder {
    /// Part of every subject name.
    let name: String
    /// Part of every key's label.
    let keys: String
    /// The curve of root and intermediate.
    let upper: EllipticCurve
    let algorithm: SignatureAlgorithm

    private typealias Identifier = CertificateExtension.Identifier
    private typealias Usage = CertificateExtension.KeyUsage

    func pki() throws(MintingError) -> TestPKI {
        let root = try root()
        let intermediate = try intermediate(under: root)
        // The validity of Apple's leaves since 2021. They overlap, as Apple's do.
        let spans = [
            (CertificateTime(2021, 8, 25, 2, 50, 34), CertificateTime(2023, 9, 24, 2, 50, 33)),
            (CertificateTime(2023, 9, 12, 19, 51, 53), CertificateTime(2025, 10, 11, 19, 51, 52)),
            (CertificateTime(2025, 9, 19, 19, 44, 51), CertificateTime(2027, 10, 13, 17, 47, 23)),
        ]
        var leaves: [TestPKI.Entity] = []
        for (notBefore, notAfter) in spans {
            let number = leaves.count + 1
            leaves.append(
                try leaf(number, from: notBefore, to: notAfter, under: intermediate))
        }
        return TestPKI(root: root, intermediate: intermediate, leaves: leaves)
    }

    /// A subject that says what the certificate is worth.
    private func subject(_ role: String, unit: String) -> CertificateTemplate.Name {
        CertificateTemplate.Name(
            commonName: "Storekit Verify \(name) \(role)", organizationalUnit: unit,
            organization: "Worthless test certificates")
    }

    /// As Apple Root CA - G3: self-signed, without a path length.
    private func root() throws(MintingError) -> TestPKI.Entity {
        let key = try TestKey("\(keys) root", on: upper)
        let name = subject("Root CA - G3", unit: "Test Certification Authority")
        let template = CertificateTemplate(
            serialNumber: try CertificateTemplate.serialNumber(of: "\(keys) root", byteCount: 8),
            issuer: name, subject: name,
            notBefore: CertificateTime(2014, 4, 30, 18, 19, 6),
            notAfter: CertificateTime(2039, 4, 30, 18, 19, 6),
            publicKeyInfo: key.publicKeyInfo(),
            extensions: [
                .subjectKeyIdentifier(try key.keyIdentifier()),
                .basicConstraints(isCA: true),
                .keyUsage(Usage.keyCertSign | Usage.cRLSign),
            ],
            algorithm: algorithm, signer: .ec(key))
        return TestPKI.Entity(template: template, key: key)
    }

    /// As Apple's WWDR G6: a path length of 0, and the marker by which the chain of a payload is known.
    private func intermediate(under root: TestPKI.Entity) throws(MintingError) -> TestPKI.Entity {
        let key = try TestKey("\(keys) intermediate", on: upper)
        let template = CertificateTemplate(
            serialNumber: try CertificateTemplate.serialNumber(of: "\(keys) intermediate", byteCount: 20),
            issuer: root.template.subject,
            subject: subject("Developer Relations Certification Authority", unit: "G6"),
            notBefore: CertificateTime(2021, 3, 17, 20, 37, 10),
            notAfter: CertificateTime(2036, 3, 19),
            publicKeyInfo: key.publicKeyInfo(),
            extensions: [
                .basicConstraints(isCA: true, pathLength: 0),
                .authorityKeyIdentifier(try root.key.keyIdentifier()),
                .ocsp("http://ocsp.storekit-verify.invalid/root"),
                .subjectKeyIdentifier(try key.keyIdentifier()),
                .keyUsage(Usage.keyCertSign | Usage.cRLSign),
                .marker(Identifier.intermediateMarker),
            ],
            algorithm: algorithm, signer: .ec(root.key))
        return TestPKI.Entity(template: template, key: key)
    }

    /// As the signer of payloads: no CA, and the marker of a leaf.
    private func leaf(
        _ number: Int, from notBefore: CertificateTime, to notAfter: CertificateTime,
        under issuer: TestPKI.Entity
    ) throws(MintingError) -> TestPKI.Entity {
        let key = try TestKey("\(keys) leaf \(number)")
        var template = CertificateTemplate(
            serialNumber: try CertificateTemplate.serialNumber(of: "\(keys) leaf \(number)", byteCount: 16),
            issuer: issuer.template.subject,
            subject: subject("Receipt Signing", unit: "Test Developer Relations"),
            notBefore: notBefore, notAfter: notAfter,
            publicKeyInfo: key.publicKeyInfo(),
            extensions: [
                .basicConstraints(isCA: false),
                .authorityKeyIdentifier(try issuer.key.keyIdentifier()),
                .ocsp("http://ocsp.storekit-verify.invalid/leaf"),
                .subjectKeyIdentifier(try key.keyIdentifier()),
                .keyUsage(Usage.digitalSignature),
                .marker(Identifier.leafMarker),
            ],
            algorithm: algorithm, signer: .ec(issuer.key))
        // The standard PKI is Apple's in this too; the one on P-256 alone is small.
        if upper == .p384 {
            template.extensions.insert(.certificatePolicies(notice: Self.notice), at: 3)
        }
        return TestPKI.Entity(template: template, key: key)
    }

    /// As long as the notice in Apple's leaves, so that tokens have a realistic size.
    private static let notice = """
        This certificate belongs to a test. Its private key is derived from a sentence in the source code of \
        the project, and anybody may sign anything with it. Rely on it for nothing at all.
        """
}
