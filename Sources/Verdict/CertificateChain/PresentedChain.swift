package import WireFormats

/// The certificates of an `x5c`, read but not judged. They are claims, and never anchors.
package enum PresentedChain: Sendable {
    /// The App Store's form: leaf, intermediate, and a root that gives no trust.
    case appStore(leaf: Certificate, intermediate: Certificate, root: Certificate)
    /// Xcode's form: one certificate, of use only to a caller who pinned it.
    case pinned(Certificate)

    /// Reads the certificates.
    package init(_ x5c: X5C) throws(CertificateChainError) {
        var presented = PresentedCertificates()
        switch x5c {
        case .single(let der): self = .pinned(try presented.read(der, position: .leaf))
        case .chain(let leaf, let intermediate, let root):
            self = .appStore(
                leaf: try presented.read(leaf, position: .leaf),
                intermediate: try presented.read(intermediate, position: .intermediate),
                root: try presented.read(root, position: .root))
        }
    }
}
