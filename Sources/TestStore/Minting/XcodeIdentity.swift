/// A self-signed certificate in the form of Xcode's for StoreKit testing, with its key.
///
/// Each installation of Xcode makes its own certificate, so a verifier trusts it only if it is told to.
package struct XcodeIdentity: Sendable {
    package var template: CertificateTemplate
    package let key: TestKey

    /// Valid for one year from `notBefore` on. Each label gives another identity.
    package init(
        _ label: String = "Xcode", notBefore: CertificateTime = CertificateTime(2024, 12, 10, 13, 24, 47)
    ) throws(MintingError) {
        let name = CertificateTemplate.Name(
            commonName: "StoreKit Testing in Xcode (test)", organization: "StoreKit Testing in Xcode (test)")
        let key = try TestKey(label)
        self.key = key
        template = CertificateTemplate(
            serialNumber: [1], issuer: name, subject: name,
            notBefore: notBefore, notAfter: notBefore.advanced(by: 365 * 86_400),
            publicKeyInfo: key.publicKeyInfo(),
            extensions: [
                .basicConstraints(isCA: true, pathLength: 0),
                .keyUsage(CertificateExtension.KeyUsage.digitalSignature),
            ],
            algorithm: .ecdsaWithSHA256, signer: .ec(key))
    }

    /// A minter of tokens with Xcode's form of header.
    package func minter() throws(MintingError) -> TokenMinter {
        TokenMinter(key: key, x5c: [try template.der()], form: .xcode)
    }
}
