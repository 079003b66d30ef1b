/// A private PKI in the form of Apple's: root, intermediate, and one leaf for each period of two years.
///
/// It is a value: copy it, change a template, and mint tokens under the changed chain.
///
/// This module makes what Apple would sign. Nothing that verifies may import it, and it imports no code that
/// verifies.
package struct TestPKI: Sendable {
    /// The template of a certificate, and its subject's key.
    package struct Entity: Sendable {
        package var template: CertificateTemplate
        package var key: TestKey

        package init(template: CertificateTemplate, key: TestKey) {
            (self.template, self.key) = (template, key)
        }

        package func der() throws(MintingError) -> [UInt8] { try template.der() }
    }

    package var root: Entity
    package var intermediate: Entity
    /// The leaves' periods are those of Apple's: 2021-08 → 2023-09, 2023-09 → 2025-10, 2025-09 → 2027-10.
    package var leaves: [Entity]

    /// P-384 for root and intermediate, P-256 for the leaf, ecdsa-with-SHA384, as in Apple's chain.
    package static func standard() throws(MintingError) -> TestPKI { try cachedStandard.get() }

    /// P-256 and ecdsa-with-SHA256 for all certificates, which are also smaller.
    package static func p256() throws(MintingError) -> TestPKI { try cachedP256.get() }

    /// The names of `standard()` under other keys, as a forger would present them.
    package static func forged() throws(MintingError) -> TestPKI { try cachedForged.get() }

    /// The DER of leaf, intermediate and root, for `x5c`.
    package func x5c(leaf index: Int) throws(MintingError) -> [[UInt8]] {
        [try leaves[clamped(index)].der(), try intermediate.der(), try root.der()]
    }

    /// A minter for one leaf. An index without a leaf selects the nearest one.
    package func minter(leaf index: Int = 2) throws(MintingError) -> TokenMinter {
        TokenMinter(key: leaves[clamped(index)].key, x5c: try x5c(leaf: index))
    }

    /// A test may ask for a leaf that a session's PKI does not have.
    private func clamped(_ index: Int) -> Int { max(0, min(index, leaves.count - 1)) }

    // A static initializer cannot throw, so the result is stored.
    private static let cachedStandard = Result { () throws(MintingError) in
        try TestPKIBuilder(name: "Test", keys: "standard", upper: .p384, algorithm: .ecdsaWithSHA384).pki()
    }
    private static let cachedP256 = Result { () throws(MintingError) in
        try TestPKIBuilder(name: "P-256 Test", keys: "P-256", upper: .p256, algorithm: .ecdsaWithSHA256)
            .pki()
    }
    private static let cachedForged = Result { () throws(MintingError) in
        try TestPKIBuilder(name: "Test", keys: "forged", upper: .p384, algorithm: .ecdsaWithSHA384).pki()
    }
}
