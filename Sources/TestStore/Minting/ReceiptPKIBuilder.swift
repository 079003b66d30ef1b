/// Makes the templates of a `ReceiptPKI`.
///
/// Names and dates differ from Apple's where they may; the extensions and the markers are those of Apple's
/// certificates.
package struct ReceiptPKIBuilder {
    /// Part of every serial number's label.
    private let keys: String
    private let root: RSATestKey.Holder
    private let intermediate: RSATestKey.Holder
    /// The holder of the leaf's key in each period.
    private let leaves: [RSATestKey.Holder]

    package init(
        keys: String, root: RSATestKey.Holder, intermediate: RSATestKey.Holder,
        leaves: [RSATestKey.Holder]
    ) {
        self.keys = keys
        self.root = root
        self.intermediate = intermediate
        self.leaves = leaves
    }

    private typealias Identifier = CertificateExtension.Identifier
    private typealias Usage = CertificateExtension.KeyUsage

    /// The leaves have the periods of `TestPKI`'s, so that one date selects the leaf of a token and of a
    /// receipt.
    package func pki() throws(MintingError) -> ReceiptPKI {
        let root = try rootEntity()
        let intermediate = try intermediateEntity(under: root)
        let model = try TestPKI.standard().leaves
        var entities: [ReceiptPKI.Entity] = []
        for (holder, span) in zip(leaves, model) {
            let number = entities.count + 1
            entities.append(try leafEntity(number, holder, like: span.template, under: intermediate))
        }
        return ReceiptPKI(root: root, intermediate: intermediate, leaves: entities)
    }

    /// Short names and few extensions, because hundreds of receipts in the test vectors embed them.
    private func subject(_ role: String) -> CertificateTemplate.Name {
        CertificateTemplate.Name(commonName: "Receipt Test \(role)", organization: "Storekit Verify")
    }

    private func rootEntity() throws(MintingError) -> ReceiptPKI.Entity {
        let key = try RSATestKey(root)
        let name = subject("Root")
        let identifier = try key.keyIdentifier()
        let template = CertificateTemplate(
            serialNumber: [2], issuer: name, subject: name,
            notBefore: CertificateTime(2006, 4, 25, 21, 40, 36),
            notAfter: CertificateTime(2035, 2, 9, 21, 40, 36),
            publicKeyInfo: key.publicKeyInfo,
            extensions: [
                .keyUsage(Usage.keyCertSign | Usage.cRLSign),
                .basicConstraints(isCA: true),
                .subjectKeyIdentifier(identifier),
                .authorityKeyIdentifier(identifier),
            ],
            algorithm: .sha256WithRSA, signer: .rsa(key))
        return ReceiptPKI.Entity(template: template, key: key)
    }

    private func intermediateEntity(
        under root: ReceiptPKI.Entity
    ) throws(MintingError) -> ReceiptPKI.Entity {
        let key = try RSATestKey(intermediate)
        let template = CertificateTemplate(
            serialNumber: try CertificateTemplate.serialNumber(of: "\(keys) intermediate", byteCount: 20),
            issuer: root.template.subject,
            subject: subject("Intermediate"),
            notBefore: CertificateTime(2020, 12, 16, 19, 38, 56),
            notAfter: CertificateTime(2030, 12, 10),
            publicKeyInfo: key.publicKeyInfo,
            extensions: [
                .basicConstraints(isCA: true, pathLength: 0),
                .authorityKeyIdentifier(try root.key.keyIdentifier()),
                .ocsp("http://ocsp.storekit-verify.invalid/root"),
                .subjectKeyIdentifier(try key.keyIdentifier()),
                .keyUsage(Usage.keyCertSign | Usage.cRLSign),
                .marker(Identifier.intermediateMarker),
            ],
            algorithm: .sha256WithRSA, signer: .rsa(root.key))
        return ReceiptPKI.Entity(template: template, key: key)
    }

    private func leafEntity(
        _ number: Int, _ holder: RSATestKey.Holder, like span: CertificateTemplate,
        under issuer: ReceiptPKI.Entity
    ) throws(MintingError) -> ReceiptPKI.Entity {
        let key = try RSATestKey(holder)
        let template = CertificateTemplate(
            serialNumber: try CertificateTemplate.serialNumber(of: "\(keys) leaf \(number)", byteCount: 16),
            issuer: issuer.template.subject,
            subject: subject("Leaf"),
            notBefore: span.notBefore, notAfter: span.notAfter,
            publicKeyInfo: key.publicKeyInfo,
            extensions: [
                .basicConstraints(isCA: false),
                .authorityKeyIdentifier(try issuer.key.keyIdentifier()),
                .ocsp("http://ocsp.storekit-verify.invalid/leaf"),
                .subjectKeyIdentifier(try key.keyIdentifier()),
                .keyUsage(Usage.digitalSignature),
                .marker(Identifier.leafMarker),
            ],
            algorithm: .sha256WithRSA, signer: .rsa(issuer.key))
        return ReceiptPKI.Entity(template: template, key: key)
    }
}
