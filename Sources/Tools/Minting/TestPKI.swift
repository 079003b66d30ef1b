/// A private PKI shaped like Apple's: root, intermediate, and a leaf for each span of two years.
///
/// It is a value: copy it, change a template, and mint tokens under the changed chain.
package struct TestPKI: Sendable {
    /// One certificate to be, and the key that its subject holds.
    package struct Entity: Sendable {
        package var template: CertificateTemplate
        package var key: TestKey

        package func der() throws(MintingError) -> [UInt8] { try template.der() }
    }

    package var root: Entity
    package var intermediate: Entity
    /// 2021-08 → 2023-09, 2023-09 → 2025-10, 2025-09 → 2027-10, as Apple's were.
    package var leaves: [Entity]

    /// P-384 above, P-256 at the leaf, ecdsa-with-SHA384: Apple's own make-up.
    package static func standard() throws(MintingError) -> TestPKI { try cachedStandard.get() }

    /// P-256 and ecdsa-with-SHA256 throughout, and smaller certificates.
    package static func p256() throws(MintingError) -> TestPKI { try cachedP256.get() }

    /// The names of `standard()` under other keys: what a forger would present.
    package static func forged() throws(MintingError) -> TestPKI { try cachedForged.get() }

    /// The DER of leaf, intermediate and root: the contents of `x5c`.
    package func x5c(leaf index: Int) throws(MintingError) -> [[UInt8]] {
        [try leaves[clamped(index)].der(), try intermediate.der(), try root.der()]
    }

    /// A minter for one leaf. An index without a leaf takes the nearest that has one.
    package func minter(leaf index: Int = 2) throws(MintingError) -> TokenMinter {
        TokenMinter(key: leaves[clamped(index)].key, x5c: try x5c(leaf: index))
    }

    private func clamped(_ index: Int) -> Int { max(0, min(index, leaves.count - 1)) }

    // Errors cannot leave a static initializer, so the outcome is what is kept.
    private static let cachedStandard = outcome { () throws(MintingError) in
        try TestPKIBuilder(name: "Test", keys: "standard", upper: .p384, algorithm: .ecdsaWithSHA384).pki()
    }
    private static let cachedP256 = outcome { () throws(MintingError) in
        try TestPKIBuilder(name: "P-256 Test", keys: "P-256", upper: .p256, algorithm: .ecdsaWithSHA256)
            .pki()
    }
    private static let cachedForged = outcome { () throws(MintingError) in
        try TestPKIBuilder(name: "Test", keys: "forged", upper: .p384, algorithm: .ecdsaWithSHA384).pki()
    }

    private static func outcome(
        _ make: () throws(MintingError) -> TestPKI
    ) -> Result<TestPKI, MintingError> {
        do { return .success(try make()) } catch { return .failure(error) }
    }
}

extension TestPKI.Entity {
    /// Names the key's identifier (RFC 5280, 4.2.1.2, method 1).
    package func keyIdentifier() throws(MintingError) -> [UInt8] {
        try HashFunction.sha1.digest(key.uncompressedPoint)
    }
}
