package import Libcrypto

/// The signer of a chain that leads to an anchor. A value of this type proves that the chain was judged.
///
/// The judgement leaves time out, so that one judgement serves payloads of every date.
/// `certificates(validAt:)` compares the dates. Only `TrustAnchors.judge(_:)` makes values of this type.
package final class TrustedSigner: Sendable {
    /// A certificate and its place.
    package typealias Link = (position: CertificateChainError.Position, certificate: CertificateDescription)

    /// Leaf and intermediate, or a pinned certificate alone.
    private let presented: [Link]
    /// The anchors that issued the intermediate. There are several if a root was issued again with its name
    /// and key.
    private let anchors: [Link]
    /// Whether the signer is a pinned certificate (Xcode's form) instead of a chain.
    package let isPinned: Bool
    /// Whether the signer may sign with SHA-1. Only signers of receipts under Apple Root CA may.
    package let mayUseSHA1: Bool
    /// Each presented certificate with its issuers; empty for a pinned certificate.
    package let issuances: [JudgedIssuance]
    /// The certificates that `certificates(validAt:)` returns at every second of `commonValidity`: the presented ones
    /// and the first anchor.
    package let commonCertificates: [CertificateDescription]
    /// Seconds since 1970 at which all of `commonCertificates` are valid; empty without certificates. At other
    /// times, `certificates(validAt:)` decides.
    package let commonValidity: Range<Int64>
    private let publicKey: PublicKey

    init(
        _ presented: [(CertificateChainError.Position, Certificate)], anchors: [Certificate], isPinned: Bool,
        mayUseSHA1: Bool = false, publicKey: consuming PublicKey
    ) {
        self.presented = presented.map { ($0.0, $0.1.description) }
        self.anchors = anchors.map { (.anchor, $0.description) }
        commonCertificates = (self.presented + self.anchors.prefix(1)).map(\.certificate)
        let first = commonCertificates.map(\.notBefore).max() ?? 0
        let last = commonCertificates.map(\.notAfter).min() ?? 0
        commonValidity = first..<max(first, last + 1)
        let certificates = presented.map(\.1)
        let issuers = certificates.dropFirst().map { [$0] } + [anchors]
        issuances =
            isPinned
            ? []
            : zip(presented, issuers).map { presented, issuers in
                JudgedIssuance(
                    position: presented.0, certificate: presented.1.description, der: presented.1.der,
                    issuers: issuers.map(\.der))
            }
        self.isPinned = isPinned
        self.mayUseSHA1 = mayUseSHA1
        self.publicKey = publicKey
    }

    /// The certificate whose key signs.
    package var signingCertificate: CertificateDescription? { presented.first?.certificate }

    /// The point of the signing key, `04 || x || y` (SEC 1, section 2.3.3); `nil` for other keys.
    package var publicPoint: [UInt8]? { publicKey.uncompressedPoint }

    /// A verifier of RSA signatures under the signing key; `nil` for other keys.
    package func rsaVerifier() -> RSASignatureVerifier? { publicKey.rsaVerifier() }

    /// Whether `r` and `s` (each 32 bytes, big endian, in 1…n−1) are the signer's ES256 signature
    /// (RFC 7518, section 3.4) over the message.
    package func signed(_ message: Span<UInt8>, r: Span<UInt8>, s: Span<UInt8>) -> Bool {
        // An error inside libcrypto leaves the signature unproved, so it counts as wrong.
        (try? publicKey.verifies(r: r, s: s, sha256Of: message)) ?? false
    }

    /// Compares a date with the validity of each certificate, both ends included (RFC 5280, section 4.1.2.5).
    ///
    /// - Parameter second: since 1970.
    /// - Returns: the certificates that vouch for the signer at this second: leaf, intermediate and an
    ///   anchor, or the pinned certificate.
    package func certificates(validAt second: Int64) throws(CertificateChainError) -> [CertificateDescription]
    {
        for link in presented { try Self.checkValidity(link, at: second) }
        let certificates = presented.map(\.certificate)
        guard !anchors.isEmpty else { return certificates }
        var failure: CertificateChainError?
        for anchor in anchors {
            do throws(CertificateChainError) {
                try Self.checkValidity(anchor, at: second)
                return certificates + [anchor.certificate]
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? CertificateChainError(presented[0].position, presented[0].certificate, .notPinned)
    }

    private static func checkValidity(_ link: Link, at second: Int64) throws(CertificateChainError) {
        let certificate = link.certificate
        if second < certificate.notBefore {
            throw CertificateChainError(
                link.position, certificate, .notYetValid(at: second, notBefore: certificate.notBefore))
        }
        if second > certificate.notAfter {
            throw CertificateChainError(
                link.position, certificate, .expired(at: second, notAfter: certificate.notAfter))
        }
    }
}

/// A certificate of a judged chain, and the certificates that issued it.
package struct JudgedIssuance: Sendable {
    package let position: CertificateChainError.Position
    /// Its names, dates and algorithms, for people.
    package let certificate: CertificateDescription
    /// Its bytes, in DER.
    package let der: [UInt8]
    /// Its issuers. There are several if an anchor was issued again under the same name and key.
    package let issuers: [[UInt8]]
}

extension TrustAnchors {
    /// Judges everything about a chain but time (RFC 5280, section 6.1, with a fixed length).
    ///
    /// Cheap rules come first, and the anchor comes before the leaf. So a forged chain costs at most one
    /// signature verification for each anchor with the name that it claims.
    package func judge(_ chain: PresentedChain) throws(CertificateChainError) -> TrustedSigner {
        switch chain {
        case .appStore(let leaf, let intermediate, _):
            try CertificateRules(certificate: leaf, position: .leaf).checkLeaf()
            try CertificateRules(certificate: intermediate, position: .intermediate).checkIntermediate()
            let issuance = Issuance(subject: leaf, position: .leaf, issuer: intermediate)
            try issuance.checkNames()
            let anchors = try anchors(of: intermediate)
            try issuance.checkSignature()
            return try TrustedSigner(
                [(.leaf, leaf), (.intermediate, intermediate)], anchors: anchors, isPinned: false,
                publicKey: leaf.publicKey(.leaf))
        case .pinned(let certificate):
            guard certificates.contains(where: { $0.der == certificate.der }) else {
                throw CertificateChainError(.leaf, certificate.description, .notPinned)
            }
            try CertificateRules(certificate: certificate, position: .leaf).checkPinned()
            return try TrustedSigner(
                [(.leaf, certificate)], anchors: [], isPinned: true,
                publicKey: certificate.publicKey(.leaf))
        }
    }

    /// The anchors that issued the intermediate, at least one.
    func anchors(
        of intermediate: Certificate, for purpose: CertificateRules.Purpose = .signedPayloads
    ) throws(CertificateChainError) -> [Certificate] {
        var issuers: [Certificate] = []
        var failure: CertificateChainError?
        for anchor in certificates where intermediate.x509.namesAsIssuer(anchor.x509) {
            do throws(CertificateChainError) {
                let issuance = Issuance(subject: intermediate, position: .intermediate, issuer: anchor)
                try issuance.checkNames()
                try CertificateRules(certificate: anchor, position: .anchor, purpose: purpose)
                    .checkAnchor(authoritiesBelow: intermediate.x509.isSelfIssued ? 0 : 1)
                try issuance.checkSignature()
                issuers.append(anchor)
            } catch {
                failure = error
            }
        }
        guard issuers.isEmpty else { return issuers }
        throw failure
            ?? CertificateChainError(
                .intermediate, intermediate.description, .untrusted(anchors: subjects))
    }
}

extension Certificate {
    func publicKey(
        _ position: CertificateChainError.Position
    ) throws(CertificateChainError) -> PublicKey {
        do throws(LibcryptoError) {
            return try x509.publicKey()
        } catch {
            throw CertificateChainError(position, description, .unreadable(error.description))
        }
    }
}

/// The claim that one certificate issued another.
struct Issuance {
    let subject: Certificate
    let position: CertificateChainError.Position
    let issuer: Certificate

    /// RFC 5280, sections 6.1.3 (a)(4) and 4.2.1.1.
    func checkNames() throws(CertificateChainError) {
        guard subject.x509.namesAsIssuer(issuer.x509) else {
            throw error(
                .issuerMismatch(issuer: subject.description.issuer, expected: issuer.description.subject))
        }
        guard subject.x509.authorityKeyIdentifierFits(issuer.x509) else {
            throw error(.authorityKeyIdentifier(issuer: issuer.description.subject))
        }
    }

    /// RFC 5280, section 6.1.3 (a)(1).
    func checkSignature() throws(CertificateChainError) {
        let signed: Bool
        do throws(LibcryptoError) {
            signed = try issuer.x509.publicKey().verifies(subject.x509)
        } catch {
            signed = false
        }
        guard signed else { throw error(.signature(issuer: issuer.description.subject)) }
    }

    private func error(_ violation: CertificateChainError.Violation) -> CertificateChainError {
        CertificateChainError(position, subject.description, violation)
    }
}
