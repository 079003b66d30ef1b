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

    /// Object identifiers, whole elements of DER: Swift strings would cost a hostile certificate's two thousand
    /// extensions a millisecond.
    private typealias Identifier = ArraySlice<UInt8>

    private static let keyUsage: Identifier = [0x06, 0x03, 0x55, 0x1d, 0x0f]
    private static let extendedKeyUsage: Identifier = [0x06, 0x03, 0x55, 0x1d, 0x25]

    /// The extensions that may be critical, because they are read here, or ask for nothing here: key identifiers
    /// and alternative names bear on no decision of a chain whose length, names and markers are fixed. Policies,
    /// constraints, extended key usage and the like would ask for something, and are refused where they are critical
    /// (RFC 5280, section 4.2).
    private static let understood: Set<Identifier> = [
        // The markers, 1.2.840.113635.100.6.11.1 and 1.2.840.113635.100.6.2.1.
        [0x06, 0x0a, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x06, 0x0b, 0x01],
        [0x06, 0x0a, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x06, 0x02, 0x01],
        // Basic constraints and key usage; 2.5.29.14, 17 and 35.
        [0x06, 0x03, 0x55, 0x1d, 0x13], keyUsage,
        [0x06, 0x03, 0x55, 0x1d, 0x0e], [0x06, 0x03, 0x55, 0x1d, 0x11], [0x06, 0x03, 0x55, 0x1d, 0x23],
    ]

    /// The extensions of RFC 5280, sections 4.2.1 and 4.2.2, and of its relatives: values of ASN.1. Their identifiers
    /// begin with 2.5.29 and 1.3.6.1.5.5.7.1, whose lengths are left out.
    private static let standardized: [[UInt8]] = [
        [0x55, 0x1d], [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01],
    ]

    /// Extensions that take something away from a certificate or from those below it, and that nothing here
    /// judges: name constraints (RFC 5280, section 4.2.1.10, where they are always critical), addresses and
    /// system numbers (RFC 3779), and proxies (RFC 3820). libcrypto honours them critical or not.
    private static let restricting: Set<Identifier> = [
        // 2.5.29.30; 1.3.6.1.5.5.7.1.7, 8 and 14.
        [0x06, 0x03, 0x55, 0x1d, 0x1e],
        [0x06, 0x08, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x07],
        [0x06, 0x08, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x08],
        [0x06, 0x08, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x0e],
    ]

    /// The purpose of the chain: payloads or receipts. The allowed algorithms and keys depend on it.
    enum Purpose: Sendable {
        /// Signed payloads (JWS): ECDSA with SHA-256 or better, and a leaf on P-256.
        case signedPayloads
        /// App receipts: RSA with SHA-256 or better. SHA-1 is allowed too if Apple Root CA issued the chain.
        case receipts(allowsSHA1: Bool)
    }

    /// The minimum length of an RSA key. All of Apple's have it (NIST SP 800-131A, section 3).
    private static let minimumRSABits = 2048

    private static let distributionPoints: Identifier = [0x06, 0x03, 0x55, 0x1d, 0x1f]

    let certificate: Certificate
    let position: CertificateChainError.Position
    var purpose = Purpose.signedPayloads

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

    /// RFC 5280, section 4.2: no extension twice, no critical one that is unknown, and those of the RFC in DER. libcrypto
    /// would accept BER, and bytes behind a value.
    private func checkExtensions(besides others: Set<Identifier> = []) throws(CertificateChainError) {
        var seen: Set<Identifier> = []
        var violation: CertificateChainError.Violation?
        do throws(DERError) {
            var extensions = try EncodedExtensions(ofCertificate: certificate.der)
            while violation == nil, let found = try extensions.next() {
                let isNew = seen.insert(found.identifier).inserted
                violation = Self.violation(of: found, isNew: isNew, others)
            }
        } catch {
            violation = .malformedExtension(nil)
        }
        if let violation { throw error(violation) }
        guard certificate.x509.extensionsAreWellFormed else { throw error(.malformedExtension(nil)) }
    }

    /// The rule that an extension breaks, if it breaks one.
    private static func violation(
        of found: EncodedExtensions.Element, isNew: Bool, _ others: Set<Identifier>
    ) -> CertificateChainError.Violation? {
        let identifier = found.identifier
        guard isNew else { return .duplicateExtension(found.name) }
        if found.isCritical, !understood.contains(identifier), !others.contains(identifier) {
            return .unknownCriticalExtension(found.name)
        }
        let numbers = found.numbers
        guard standardized.contains(where: { numbers.count > $0.count && numbers.starts(with: $0) })
        else { return nil }
        guard !restricting.contains(identifier) else { return .restrictingExtension(found.name) }
        let value = Array(found.value)
        guard (try? StrictDER.check(value)) != nil,
            identifier != keyUsage || StrictDER.isNamedBitList(value)
        else { return .malformedExtension(found.name) }
        // libcrypto copies the issuer's name for each of these: seconds for a certificate of 16 kB. RFC 5280,
        // section 4.2.1.13, advises against them.
        let isRelative = identifier == distributionPoints && StrictDER.hasRelativeDistributionPoint(value)
        return isRelative ? .relativeDistributionPoint : nil
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
