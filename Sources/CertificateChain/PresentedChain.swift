package import CompactJWS

/// The certificates of an `x5c`, read but not judged. They are claims; none of them is an anchor.
package enum PresentedChain: Sendable {
    /// The App Store's form: leaf, intermediate, and a root that gives no trust. The root is strict DER; libcrypto
    /// reads it last, and only if the other two are good, because a hostile certificate costs it a millisecond.
    case appStore(leaf: Certificate, intermediate: Certificate, root: X5C.Element)
    /// Xcode's form: one certificate, of use only to a caller who pinned it.
    case pinned(Certificate)

    /// Reads the leaf and the intermediate, and checks the encoding of all three.
    package init(_ x5c: X5C) throws(CertificateChainError) {
        switch x5c {
        case .single(let der): self = .pinned(try Certificate(der, position: .leaf))
        case .chain(let leaf, let intermediate, let root):
            let leaf = try Certificate(leaf, position: .leaf)
            let intermediate = try Certificate(intermediate, position: .intermediate)
            try Certificate.checkEncoding(of: root, position: .root)
            self = .appStore(leaf: leaf, intermediate: intermediate, root: root)
        }
    }
}
