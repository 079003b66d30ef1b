/// A private PKI in the form of the one that signs receipts: RSA for all keys, and one leaf for each period
/// of two years.
///
/// It is a value: copy it, change a template, and mint receipts under the changed chain.
package struct ReceiptPKI: Sendable {
    /// The template of a certificate, and its subject's key.
    package struct Entity: Sendable {
        package var template: CertificateTemplate
        package var key: RSATestKey

        package func der() throws(MintingError) -> [UInt8] { try template.der() }
    }

    package var root: Entity
    package var intermediate: Entity
    /// The leaves, with the validity periods of `TestPKI`.
    package var leaves: [Entity]

    /// Leaf, intermediate and root, as receipts embed them.
    package func certificates(leaf index: Int = 2) throws(MintingError) -> [[UInt8]] {
        [try leaves[clamped(index)].der(), try intermediate.der(), try root.der()]
    }

    /// A minter for one leaf. An index without a leaf selects the nearest one.
    package func minter(leaf index: Int = 2) throws(MintingError) -> ReceiptMinter {
        let leaf = leaves[clamped(index)]
        return ReceiptMinter(
            leaf: leaf.template, key: leaf.key, certificates: try certificates(leaf: index))
    }

    /// A test may ask for a leaf that a session's PKI does not have.
    private func clamped(_ index: Int) -> Int { max(0, min(index, leaves.count - 1)) }
}

/// A self-signed certificate in the form of Xcode's for receipts, and its key.
///
/// Xcode's receipts have this one certificate, which is leaf and root at once.
package struct XcodeReceiptIdentity: Sendable {
    package var template: CertificateTemplate
    package let key: RSATestKey

    /// Valid for twenty years, as Xcode's is.
    package init(_ holder: RSATestKey.Holder = .xcode) throws(MintingError) {
        let name = CertificateTemplate.Name(
            commonName: "StoreKit (test)", organization: "StoreKit (test)")
        let key = try RSATestKey(holder)
        self.key = key
        typealias Usage = CertificateExtension.KeyUsage
        template = CertificateTemplate(
            serialNumber: [1], issuer: name, subject: name,
            notBefore: CertificateTime(2020, 4, 1, 17, 52, 35),
            notAfter: CertificateTime(2040, 3, 27, 17, 52, 35),
            publicKeyInfo: key.publicKeyInfo,
            extensions: [
                .basicConstraints(isCA: true),
                .keyUsage(Usage.digitalSignature | Usage.keyCertSign),
                .codeSigning,
            ],
            algorithm: .sha256WithRSA, signer: .rsa(key))
    }

    /// A minter of receipts in Xcode's form: indefinite lengths, and the content in one piece.
    package func minter() throws(MintingError) -> ReceiptMinter {
        var minter = ReceiptMinter(leaf: template, key: key, certificates: [try template.der()])
        minter.form = .indefinite(pieceBytes: .max)
        return minter
    }
}
