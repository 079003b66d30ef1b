internal import Libcrypto
internal import WireFormats

/// The rules that a certificate must meet by itself. Validity and the issuer's signature are checked
/// elsewhere.
///
/// RFC 5280 section by section, plus Apple's two markers. These are not checked, because no verdict depends
/// on them: names beyond issuer and subject, non-critical policies, and CRL distribution points. Nor must an
/// authority's basic constraints be critical (4.2.1.9): libcrypto does not require it either.
struct CertificateRules {
    /// Marks the certificates that sign for the App Store: receipts and transactions.
    static let leafMarker = "1.2.840.113635.100.6.11.1"
    /// Marks Apple's Worldwide Developer Relations intermediates.
    static let intermediateMarker = "1.2.840.113635.100.6.2.1"

    private static let basicConstraints = "2.5.29.19"
    private static let keyUsage = "2.5.29.15"
    private static let extendedKeyUsage = "2.5.29.37"

    /// The extensions that may be critical. Most are checked here. Key identifiers and alternative names
    /// decide nothing in a chain whose length, names and markers are fixed. Policies, constraints, extended
    /// key usage and others are refused if critical (RFC 5280, section 4.2).
    private static let understood: Set<String> = [
        leafMarker, intermediateMarker, basicConstraints, keyUsage, "2.5.29.14", "2.5.29.17", "2.5.29.35",
    ]

    /// Prefixes of object identifiers: RFC 5280, sections 4.2.1 and 4.2.2, and related RFCs. Values under
    /// them are ASN.1.
    private static let standardized = ["2.5.29.", "1.3.6.1.5.5.7.1."]

    /// Extensions that restrict a certificate or those below it, and that are not judged here. They are name
    /// constraints (RFC 5280, section 4.2.1.10, always critical), addresses and system numbers (RFC 3779),
    /// and proxies (RFC 3820). libcrypto honours them whether critical or not.
    private static let restricting: Set<String> = [
        "2.5.29.30", "1.3.6.1.5.5.7.1.7", "1.3.6.1.5.5.7.1.8", "1.3.6.1.5.5.7.1.14",
    ]

    /// What the chain signs. The allowed algorithms and keys depend on it.
    enum Purpose: Sendable {
        /// Signed payloads (JWS): ECDSA with SHA-256 or better, and a leaf on P-256.
        case signedPayloads
        /// App receipts: RSA with SHA-256 or better. SHA-1 is allowed too if Apple Root CA issued the chain.
        case receipts(allowsSHA1: Bool)
    }

    /// The minimum length of an RSA key. All of Apple's have it (NIST SP 800-131A, section 3).
    private static let minimumRSABits = 2048

    private static let distributionPoints = "2.5.29.31"

    let certificate: Certificate
    let position: CertificateChainError.Position
    var purpose = Purpose.signedPayloads

    /// Checks the leaf.
    func checkLeaf() throws(CertificateChainError) {
        try checkVersionAndSerialNumber()
        try checkSignatureAlgorithm()
        try checkExtensions()
        try checkLeafKey()
        try checkMarker(Self.leafMarker)
        guard !certificate.x509.isCertificateAuthority else { throw error(.certificateAuthority) }
        if let usage = certificate.x509.keyUsage, !usage.digitalSignature {
            throw error(.keyUsageLacks("digitalSignature"))
        }
    }

    /// Checks the intermediate.
    func checkIntermediate() throws(CertificateChainError) {
        try checkVersionAndSerialNumber()
        try checkSignatureAlgorithm()
        try checkExtensions()
        try checkAuthorityKey()
        try checkMarker(Self.intermediateMarker)
        guard certificate.x509.isCertificateAuthority else { throw error(.notCertificateAuthority) }
        guard let usage = certificate.x509.keyUsage else { throw error(.keyUsageMissing) }
        guard usage.keyCertSign else { throw error(.keyUsageLacks("keyCertSign")) }
    }

    /// Checks an anchor. Its own constraints count. Its signature does not, because the caller trusts it.
    ///
    /// - Parameter authoritiesBelow: how many authorities the chain has below it, not counting those of its
    ///   own name.
    func checkAnchor(authoritiesBelow: Int) throws(CertificateChainError) {
        try checkVersionAndSerialNumber()
        try checkExtensions()
        try checkAuthorityKey()
        guard certificate.x509.isCertificateAuthority else { throw error(.notCertificateAuthority) }
        if let usage = certificate.x509.keyUsage, !usage.keyCertSign {
            throw error(.keyUsageLacks("keyCertSign"))
        }
        if let allowed = certificate.x509.pathLength, authoritiesBelow > allowed {
            throw error(.pathLength(allowed: allowed, found: authoritiesBelow))
        }
    }

    /// Checks a certificate that is both anchor and leaf (Xcode's).
    ///
    /// The caller chose it byte for byte, so the only question is whether its key can have made the
    /// signature. Xcode's certificate for receipts has an extended key usage: code signing.
    func checkPinned() throws(CertificateChainError) {
        try checkVersionAndSerialNumber()
        if case .receipts = purpose {
            try checkExtensions(besides: [Self.extendedKeyUsage])
        } else {
            try checkExtensions()
        }
        try checkLeafKey()
        if let usage = certificate.x509.keyUsage, !usage.digitalSignature {
            throw error(.keyUsageLacks("digitalSignature"))
        }
    }

    // MARK: One rule each

    /// RFC 5280, sections 4.1.2.1 and 4.1.2.2. Serial numbers longer than twenty bytes are accepted.
    private func checkVersionAndSerialNumber() throws(CertificateChainError) {
        guard certificate.x509.version == 3 else { throw error(.version(certificate.x509.version)) }
        guard !certificate.x509.serialNumber.isNegative else { throw error(.negativeSerialNumber) }
    }

    /// RFC 5280, section 4.1.1.2, and the algorithms that the purpose allows.
    private func checkSignatureAlgorithm() throws(CertificateChainError) {
        let algorithm = certificate.x509.signatureAlgorithm
        guard algorithm.agree else {
            throw error(.signatureAlgorithmMismatch(signed: algorithm.signed, outer: algorithm.outer))
        }
        switch (purpose, algorithm.family) {
        case (.signedPayloads, .ecdsaWithSHA2), (.receipts, .rsaWithSHA2),
            (.receipts(allowsSHA1: true), .rsaWithSHA1):
            return
        case (.signedPayloads, _): throw error(.signatureAlgorithm(algorithm.outer))
        case (.receipts, _): throw error(.receiptSignatureAlgorithm(algorithm.outer))
        }
    }

    /// RFC 5280, section 4.2: no extension twice, and no unknown critical one. Values of the RFC's extensions
    /// must be DER. libcrypto would accept BER, and bytes after a value.
    private func checkExtensions(
        besides others: Set<String> = []
    ) throws(CertificateChainError) {
        var seen: Set<String> = []
        for found in certificate.x509.extensions {
            guard seen.insert(found.identifier).inserted else {
                throw error(.duplicateExtension(found.identifier))
            }
            let isUnderstood =
                Self.understood.contains(found.identifier) || others.contains(found.identifier)
            guard !found.isCritical || isUnderstood else {
                throw error(.unknownCriticalExtension(found.identifier))
            }
            guard !Self.restricting.contains(found.identifier) else {
                throw error(.restrictingExtension(found.identifier))
            }
            guard Self.standardized.contains(where: found.identifier.hasPrefix) else { continue }
            do throws(DERError) {
                try StrictDER.check(found.value)
            } catch {
                throw self.error(.malformedExtension(found.identifier))
            }
            guard found.identifier != Self.keyUsage || StrictDER.isNamedBitList(found.value) else {
                throw error(.malformedExtension(found.identifier))
            }
            // libcrypto copies the issuer's name for each of these. A certificate of 16 kB would take it
            // seconds. RFC 5280, section 4.2.1.13, advises against them.
            guard
                found.identifier != Self.distributionPoints
                    || !StrictDER.hasRelativeDistributionPoint(found.value)
            else { throw error(.relativeDistributionPoint) }
        }
        guard certificate.x509.extensionsAreWellFormed else { throw error(.malformedExtension(nil)) }
    }

    /// RFC 7518, section 3.4: ES256 is ECDSA on P-256.
    private func checkLeafKey() throws(CertificateChainError) {
        guard case .signedPayloads = purpose else { return try checkRSAKey() }
        let key = certificate.x509.publicKeyKind
        guard key.curve == .p256 else { throw error(.publicKey(found: key.name, expected: "P-256")) }
    }

    private func checkRSAKey() throws(CertificateChainError) {
        guard let bits = certificate.x509.rsaModulusBits else {
            throw error(.rsaKey(found: certificate.x509.publicKeyKind.name))
        }
        guard bits >= Self.minimumRSABits else { throw error(.rsaKey(found: "RSA of \(bits) bits")) }
    }

    private func checkAuthorityKey() throws(CertificateChainError) {
        guard case .signedPayloads = purpose else { return try checkRSAKey() }
        let key = certificate.x509.publicKeyKind
        guard key.curve != nil else {
            throw error(.publicKey(found: key.name, expected: "P-256, P-384 or P-521"))
        }
    }

    private func checkMarker(_ identifier: String) throws(CertificateChainError) {
        guard certificate.x509.hasExtension(identifier) else { throw error(.missingMarker(identifier)) }
    }

    func error(_ violation: CertificateChainError.Violation) -> CertificateChainError {
        CertificateChainError(position, certificate.description, violation)
    }
}
