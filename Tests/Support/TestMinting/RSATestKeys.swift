package import Minting

extension RSATestKey {
    /// The key of a signer that belongs to no PKI.
    package init() throws(MintingError) { try self.init(.stranger) }
}

/// The holders that the test App Store does not have. All keys but one have 2048 bits.
extension RSATestKey.Holder {
    package static let leaf2023 = Self(material: RSATestKeyMaterial.leaf2023)
    package static let leaf2025 = Self(material: RSATestKeyMaterial.leaf2025)
    /// A signer that belongs to no PKI.
    package static let stranger = Self(material: RSATestKeyMaterial.stranger)
    package static let forger = Self(material: RSATestKeyMaterial.forged)
    /// A leaf with a key of 1024 bits.
    package static let short = Self(material: RSATestKeyMaterial.short)

    package static let all: [Self] = [
        stranger, root, intermediate, leaf2021, leaf2023, leaf2025, xcode, forger, short,
    ]
}
