/// Signs receipts with any content, with one key and the certificates that go into the receipt.
package struct ReceiptMinter: Sendable {
    /// The key that signs. It need not be the leaf's.
    package var signer: CertificateSigner
    /// Leaf, intermediate, root.
    package var certificates: [[UInt8]]
    /// The leaf's issuer and serial number, which identify it in the SignerInfo (RFC 5652, 10.2.4).
    package var issuer: CertificateTemplate.Name
    package var serialNumber: [UInt8]
    package var hash = HashFunction.sha256
    package var form = SignedDataTemplate.Form.definite
    /// The signature's AlgorithmIdentifier; rsaEncryption, as the App Store writes it (RFC 3370, 3.2).
    package var signatureAlgorithm = Self.rsaEncryption

    /// - Parameters:
    ///   - leaf: gives the issuer and the serial number that the receipt names.
    ///   - key: signs. It may be another key than the leaf's, for a receipt that must be refused.
    ///   - certificates: what the receipt embeds, in this order.
    package init(leaf: CertificateTemplate, key: RSATestKey, certificates: [[UInt8]]) {
        signer = .rsa(key)
        issuer = leaf.issuer
        serialNumber = leaf.serialNumber
        self.certificates = certificates
    }

    package static let rsaEncryption =
        DER.sequence(DER.objectIdentifier([1, 2, 840, 113549, 1, 1, 1]), DER.null)

    /// A receipt in base64.
    package func receipt(_ content: ReceiptContent) throws(MintingError) -> String {
        try signedData(content.der).base64
    }

    /// A receipt in parts, so that tests can change them. The signature covers only the content: there are no
    /// signed attributes (RFC 5652, 5.4).
    package func signedData(_ content: [UInt8]) throws(MintingError) -> SignedDataTemplate {
        var template = SignedDataTemplate(
            digestAlgorithms: [hash.der], content: content, certificates: certificates,
            signers: [
                SignedDataTemplate.Signer(
                    identifier: signerIdentifier, digestAlgorithm: hash.der,
                    signatureAlgorithm: signatureAlgorithm, signature: try signature(of: content))
            ])
        template.form = form
        return template
    }

    /// The key's signature of a message.
    package func signature(of message: [UInt8]) throws(MintingError) -> [UInt8] {
        switch signer {
        case .rsa(let key): try key.signature(of: message, hash: hash)
        case .ec(let key): try key.signature(of: message, hash: hash).der
        }
    }

    /// IssuerAndSerialNumber.
    package var signerIdentifier: [UInt8] {
        DER.sequence(issuer.der, DER.integer(contents: serialNumber))
    }
}
