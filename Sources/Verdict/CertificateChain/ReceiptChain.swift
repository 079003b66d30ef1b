package import Libcrypto
internal import WireFormats

/// The certificates of a receipt, read but not judged, in any order.
package struct ReceiptCertificates: Sendable {
    fileprivate let certificates: [Certificate]

    /// Reads the certificates. Throws if one comes twice.
    package init(_ certificates: [[UInt8]]) throws(CertificateChainError) {
        var read: [Certificate] = []
        var presented = PresentedCertificates()
        for (index, der) in certificates.enumerated() {
            // Positions are known only when all certificates are read. Until then, errors use the usual
            // order.
            let usual: CertificateChainError.Position =
                index == 0 ? .leaf : index == 1 ? .intermediate : .root
            let certificate = try presented.read(X5C.Element(der), position: usual)
            guard !read.contains(where: { $0.der == der }) else {
                throw CertificateChainError(usual, certificate.description, .unused)
            }
            read.append(certificate)
        }
        self.certificates = read
    }
}

/// The certificates of a receipt, and which of them signed. They are claims, and never anchors.
package struct PresentedReceiptChain: Sendable {
    /// The certificate that the receipt names as its signer's, by issuer and serial number.
    let leaf: Certificate?
    /// The other certificates, in the receipt's order.
    let others: [Certificate]

    /// Finds the signer's certificate.
    ///
    /// - Parameter issuerAndSerialNumber: the signer's name as the receipt encodes it. The certificate must
    ///   have the same bytes. libcrypto would ignore differences in case and spaces.
    package init(_ presented: ReceiptCertificates, issuerAndSerialNumber: [UInt8]) {
        var leaf: Certificate?
        var others: [Certificate] = []
        for certificate in presented.certificates {
            if leaf == nil, certificate.isNamed(by: issuerAndSerialNumber) {
                leaf = certificate
            } else {
                others.append(certificate)
            }
        }
        self.leaf = leaf
        self.others = others
    }

    /// The message's content, if libcrypto confirms that the leaf's key signed it (RFC 5652, section 5.6).
    package func content(of message: borrowing SignedMessage) throws(LibcryptoError) -> [UInt8]? {
        guard let leaf else { return nil }
        return try message.content(signedBy: leaf.x509)
    }
}

extension TrustAnchors {
    /// Judges everything about a receipt's chain but time (RFC 5280, section 6.1, with a fixed length). The
    /// rules are those for payloads, but the algorithm is RSA.
    ///
    /// Every certificate in the receipt must be the leaf, the intermediate, or an anchor byte for byte. Cheap
    /// rules come first, and the anchor comes before the leaf. This bounds the signature verifications that a
    /// forged chain costs: at most one for each certificate with the name of the leaf's issuer, and one for
    /// each anchor with the name of that certificate's issuer.
    package func judge(_ chain: PresentedReceiptChain) throws(CertificateChainError) -> TrustedSigner {
        guard let leaf = chain.leaf else { throw CertificateChainError(.leaf, nil, .absent) }
        if chain.others.isEmpty {
            // One certificate is Xcode's form.
            if contains(leaf) { return try judge(pinned: leaf) }
            if leaf.x509.isSelfIssued { throw CertificateChainError(.leaf, leaf.description, .notPinned) }
        }
        let purpose = CertificateRules.Purpose.receipts(allowsSHA1: contains(TrustAnchor.appleRootCA.der))
        try CertificateRules(certificate: leaf, position: .leaf, purpose: purpose).checkLeaf()
        var failure: CertificateChainError?
        // Apple's intermediates of 2008 and 2013 have the same name.
        for intermediate in chain.others where leaf.x509.namesAsIssuer(intermediate.x509) {
            do throws(CertificateChainError) {
                let signer = try judge(leaf, intermediate, purpose)
                for other in chain.others where other !== intermediate && !contains(other) {
                    throw CertificateChainError(.root, other.description, .unused)
                }
                return signer
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? CertificateChainError(.intermediate, nil, .absent)
    }

    private func judge(
        _ leaf: Certificate, _ intermediate: Certificate, _ purpose: CertificateRules.Purpose
    ) throws(CertificateChainError) -> TrustedSigner {
        try CertificateRules(certificate: intermediate, position: .intermediate, purpose: purpose)
            .checkIntermediate()
        let issuance = Issuance(subject: leaf, position: .leaf, issuer: intermediate)
        try issuance.checkNames()
        let anchors = try anchors(of: intermediate, for: purpose)
        // SHA-1 is accepted only if Apple Root CA is the only anchor that issued the intermediate.
        let isAppleAlone = anchors.allSatisfy { $0.der == TrustAnchor.appleRootCA.der }
        if !isAppleAlone {
            let strict = CertificateRules.Purpose.receipts(allowsSHA1: false)
            try CertificateRules(certificate: leaf, position: .leaf, purpose: strict).checkLeaf()
            try CertificateRules(certificate: intermediate, position: .intermediate, purpose: strict)
                .checkIntermediate()
        }
        try issuance.checkSignature()
        return try TrustedSigner(
            [(.leaf, leaf), (.intermediate, intermediate)], anchors: anchors, isPinned: false,
            mayUseSHA1: isAppleAlone, publicKey: leaf.publicKey(.leaf))
    }

    private func judge(pinned certificate: Certificate) throws(CertificateChainError) -> TrustedSigner {
        try CertificateRules(
            certificate: certificate, position: .leaf, purpose: .receipts(allowsSHA1: false)
        ).checkPinned()
        return try TrustedSigner(
            [(.leaf, certificate)], anchors: [], isPinned: true, publicKey: certificate.publicKey(.leaf))
    }

    private func contains(_ certificate: Certificate) -> Bool { contains(certificate.der) }

    private func contains(_ der: [UInt8]) -> Bool { certificates.contains { $0.der == der } }
}

extension Certificate {
    /// Whether this encoded issuer and serial number are the certificate's.
    package func isNamed(by issuerAndSerialNumber: [UInt8]) -> Bool {
        x509.issuerAndSerialNumber == issuerAndSerialNumber
    }
}
