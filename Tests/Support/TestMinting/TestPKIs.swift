package import Minting

extension TestPKI {
    /// A minter that uses another leaf, like the newest one, with its own key and serial number. There is any number
    /// of them.
    package func minter(ofLeaf number: Int) throws(MintingError) -> TokenMinter {
        let leaf = try leaf(number: number)
        return TokenMinter(
            key: leaf.key, x5c: [try leaf.der(), try intermediate.der(), try root.der()])
    }

    /// The leaf of that minter.
    package func leaf(number: Int) throws(MintingError) -> Entity {
        guard var leaf = leaves.last else { return intermediate }
        leaf.key = try TestKey("corpus leaf \(number)")
        leaf.template.publicKeyInfo = leaf.key.publicKeyInfo()
        leaf.template.serialNumber = try CertificateTemplate.serialNumber(
            of: "corpus leaf \(number)", byteCount: 16)
        leaf.template.set(.subjectKeyIdentifier(try leaf.key.keyIdentifier()))
        return leaf
    }
}

extension ReceiptPKI {
    /// The newest leaf.
    package var leaf: Entity {
        get { leaves[leaves.count - 1] }
        set { leaves[leaves.count - 1] = newValue }
    }

    /// 2048 bits and sha256WithRSAEncryption for all certificates.
    package static func standard() throws(MintingError) -> ReceiptPKI { try cachedStandard.get() }

    /// The names of `standard()`, with one key of a forger for all.
    package static func forged() throws(MintingError) -> ReceiptPKI { try cachedForged.get() }

    // A static initializer cannot throw, so the result is stored.
    private static let cachedStandard = Result { () throws(MintingError) in
        try ReceiptPKIBuilder(
            keys: "receipt", root: .root, intermediate: .intermediate,
            leaves: [.leaf2021, .leaf2023, .leaf2025]
        ).pki()
    }
    private static let cachedForged = Result { () throws(MintingError) in
        try ReceiptPKIBuilder(
            keys: "forged receipt", root: .forger, intermediate: .forger,
            leaves: [.forger, .forger, .forger]
        ).pki()
    }
}
