package import Libcrypto

/// The certificates of a receipt, read but not believed, and in no order.
package struct ReceiptCertificates: Sendable {
    fileprivate let certificates: [Certificate]

    /// The most bytes of all certificates of a receipt: six times what Apple's receipts hold. libcrypto takes up to
    /// 0.2 ms for a kilobyte of names.
    static let maximumBytes = 24_576

    /// Reads the certificates, which differ from one another.
    package init(_ certificates: [[UInt8]]) throws(CertificateChainError) {
        var read: [Certificate] = []
        var bytes = 0
        for (index, der) in certificates.enumerated() {
            // Which part a certificate has shows only once all are read; this is the usual order.
            let usual: CertificateChainError.Position =
                index == 0 ? .leaf : index == 1 ? .intermediate : .root
            guard der.count <= Certificate.maximumBytes else {
                throw CertificateChainError(
                    usual, nil, .tooLarge(bytes: der.count, limit: Certificate.maximumBytes))
            }
            bytes += der.count
            guard bytes <= Self.maximumBytes else {
                throw CertificateChainError(
                    usual, nil, .tooLargeTogether(bytes: bytes, limit: Self.maximumBytes))
            }
            let certificate = try Certificate(der: der, position: usual)
            guard !read.contains(where: { $0.der == der }) else {
                throw CertificateChainError(usual, certificate.description, .unused)
            }
            read.append(certificate)
        }
        self.certificates = read
    }
}

/// The certificates of a receipt and the one that signs: claims, of which none is an anchor.
package struct PresentedReceiptChain: Sendable {
    /// The one that the receipt names as its signer's, by issuer and serial number.
    let leaf: Certificate?
    /// The others, in their order.
    let others: [Certificate]

    /// Finds the one that signed.
    ///
    /// - Parameter issuerAndSerialNumber: the signer's name as the receipt encodes it, byte for byte as the
    ///   certificate has it; libcrypto would take names that differ in case or spaces for one.
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

    /// The message's content, if the leaf's key signed it (RFC 5652, section 5.6), by libcrypto's judgement.
    package func content(of message: borrowing SignedMessage) throws(LibcryptoError) -> [UInt8]? {
        guard let leaf else { return nil }
        return try message.content(signedBy: leaf.x509)
    }
}

extension TrustAnchors {
    /// Judges everything about a receipt's chain but time (RFC 5280, section 6.1, with a fixed length), by the
    /// rules for payloads but for the algorithm, which is RSA.
    ///
    /// Every certificate in the receipt has a part: leaf, intermediate, or byte for byte an anchor. Cheap rules
    /// come first and the anchor before the leaf, so that a forged chain costs at most one signature verification for
    /// each certificate in it that has the name of the leaf's issuer, and each anchor that has the name of its.
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
        // Apple's intermediates of 2008 and 2013 have one name.
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
        // Another anchor among the issuers would vouch for SHA-1 too.
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
    /// Whether these bytes, an issuer and a serial number, are this certificate's.
    package func isNamed(by issuerAndSerialNumber: [UInt8]) -> Bool {
        x509.issuerAndSerialNumber == issuerAndSerialNumber
    }
}
