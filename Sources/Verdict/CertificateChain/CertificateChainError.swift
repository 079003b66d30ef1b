internal import Libcrypto
package import WireFormats

/// A certificate's place in the chain.
public enum CertificatePosition: String, Hashable, Sendable {
    /// `x5c[0]`, whose key signs payloads.
    case leaf
    /// `x5c[1]`, which issued the leaf.
    case intermediate
    /// `x5c[2]`. It must be a certificate, but it gives no trust.
    case root
    /// A certificate that the caller trusts.
    case anchor
}

/// Why a chain is not trusted: the certificate, the rule, and the values that were compared.
package struct CertificateChainError: Error, Hashable, Sendable {
    package typealias Position = CertificatePosition

    /// The rule that was broken, with both sides of the comparison.
    package enum Violation: Hashable, Sendable {
        /// It is not strict DER.
        case malformed(DERError)
        /// It is DER, but not a certificate.
        case unreadable(String)
        /// It is of this version, not of version 3.
        case version(Int)
        /// Its serial number is negative.
        case negativeSerialNumber
        /// Its signature algorithm is not ECDSA with SHA-256, SHA-384 or SHA-512. The value is libcrypto's
        /// name.
        case signatureAlgorithm(String)
        /// It is in a receipt, and its signature algorithm is not allowed there. Allowed are RSA with
        /// SHA-256, SHA-384 or SHA-512, and SHA-1 under Apple Root CA. The value is libcrypto's name.
        case receiptSignatureAlgorithm(String)
        /// The certificate names two different signature algorithms: one in the signed part, one beside the
        /// signature.
        case signatureAlgorithmMismatch(signed: String, outer: String)
        /// Its key is of the wrong kind.
        case publicKey(found: String, expected: String)
        /// It is in a receipt, and its key is not RSA of at least 2048 bits.
        case rsaKey(found: String)
        /// It lacks the extension that marks Apple's certificates of this position. The value is the object
        /// identifier.
        case missingMarker(String)
        /// It is a certificate authority, but must not be one.
        case certificateAuthority
        /// It is not a certificate authority, but must be one.
        case notCertificateAuthority
        /// It has no key usage extension.
        case keyUsageMissing
        /// Its key usage lacks this purpose, by the name of RFC 5280, section 4.2.1.3.
        case keyUsageLacks(String)
        /// Its path length allows fewer authorities below it than the chain has.
        case pathLength(allowed: Int, found: Int)
        /// It has a critical extension that this library does not know. The value is the object identifier.
        case unknownCriticalExtension(String)
        /// It has an extension with restrictions that this library does not judge. The value is the object
        /// identifier.
        case restrictingExtension(String)
        /// It has an extension twice. The value is the object identifier.
        case duplicateExtension(String)
        /// An extension cannot be read. The value is its object identifier; `nil` if that is unknown.
        case malformedExtension(String?)
        /// Its issuer is not the subject of the certificate after it.
        case issuerMismatch(issuer: String, expected: String)
        /// Its authority key identifier does not fit the certificate after it.
        case authorityKeyIdentifier(issuer: String)
        /// Its signature does not verify under its issuer's key.
        case signature(issuer: String)
        /// It was not issued by an anchor.
        case untrusted(anchors: [String])
        /// It has more bytes than the limit.
        case tooLarge(bytes: Int, limit: Int)
        /// It is in a receipt. Together with the certificates before it, it has more bytes than the limit.
        case tooLargeTogether(bytes: Int, limit: Int)
        /// It names a CRL distribution point relative to its issuer.
        case relativeDistributionPoint
        /// The receipt does not present it.
        case absent
        /// It is in a receipt but not part of the chain: it is not an anchor byte for byte, or it comes
        /// twice.
        case unused
        /// It is presented alone, and is not an anchor byte for byte.
        case notPinned
        /// It was not yet valid. Seconds since 1970.
        case notYetValid(at: Int64, notBefore: Int64)
        /// It was no longer valid. Seconds since 1970.
        case expired(at: Int64, notAfter: Int64)
    }

    package let position: Position
    /// The certificate; `nil` if it could not be read.
    package let certificate: CertificateDescription?
    /// The rule that was broken.
    package let violation: Violation

    package init(_ position: Position, _ certificate: CertificateDescription?, _ violation: Violation) {
        self.position = position
        self.certificate = certificate
        self.violation = violation
    }

    /// A stable name for the cause, finer than the error's code.
    package var detail: String {
        switch violation {
        case .malformed: "malformedCertificate"
        case .unreadable: "unreadableCertificate"
        case .version: "certificateVersion"
        case .negativeSerialNumber: "negativeSerialNumber"
        case .signatureAlgorithm, .receiptSignatureAlgorithm: "certificateSignatureAlgorithm"
        case .signatureAlgorithmMismatch: "certificateSignatureAlgorithmMismatch"
        case .publicKey, .rsaKey: "certificatePublicKey"
        case .missingMarker: "missingMarker"
        case .certificateAuthority: "leafIsCertificateAuthority"
        case .notCertificateAuthority: "notCertificateAuthority"
        case .keyUsageMissing, .keyUsageLacks: "keyUsage"
        case .pathLength: "pathLength"
        case .unknownCriticalExtension: "unknownCriticalExtension"
        case .restrictingExtension: "restrictingExtension"
        case .tooLarge, .tooLargeTogether: "certificateTooLarge"
        case .relativeDistributionPoint: "relativeDistributionPoint"
        case .duplicateExtension: "duplicateExtension"
        case .malformedExtension: "malformedExtension"
        case .issuerMismatch: "issuerMismatch"
        case .authorityKeyIdentifier: "authorityKeyIdentifier"
        case .signature: "certificateSignature"
        case .untrusted: "untrustedIssuer"
        case .absent: "missingCertificate"
        case .unused: "unusedCertificate"
        case .notPinned: "notPinned"
        case .notYetValid: "notYetValid"
        case .expired: "expired"
        }
    }
}

extension CertificateChainError: CustomStringConvertible {
    /// The chain's fault, in a sentence.
    package var description: String {
        let name = position == .anchor ? "trust anchor" : "\(position.rawValue) certificate"
        guard let certificate else { return "the \(name) \(violation)" }
        return "the \(name) \"\(certificate.subject)\" (serial \(certificate.serialNumber)) \(violation)"
    }
}

extension CertificateChainError.Violation: CustomStringConvertible {
    /// The fault, as the rest of a sentence that begins with the certificate.
    package var description: String {
        switch self {
        case .malformed(let error): "is not strict DER: \(error)"
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .version(let version): "is of version \(version), not 3"
        case .negativeSerialNumber: "has a negative serial number"
        case .signatureAlgorithm(let found): "is signed with \(found), not with ECDSA and SHA-256 or better"
        case .receiptSignatureAlgorithm(let found):
            "is signed with \(found), not with RSA and SHA-256 or better, their parameters NULL (RFC 4055); "
                + "SHA-1 is accepted under Apple Root CA alone"
        case .signatureAlgorithmMismatch(let signed, let outer):
            "names two signature algorithms: \(signed) under the signature, \(outer) beside it"
        case .publicKey(let found, let expected):
            "has a key on \(found), not an uncompressed one on \(expected)"
        case .rsaKey(let found): "has a key of another kind (\(found)) than RSA of 2048 bits or more"
        case .missingMarker(let identifier): "lacks Apple's marker extension \(identifier)"
        case .certificateAuthority: "is a certificate authority, which a leaf must not be"
        case .notCertificateAuthority: "is not a certificate authority"
        case .keyUsageMissing: "has no key usage, which must allow keyCertSign"
        case .keyUsageLacks(let usage): "has a key usage without \(usage)"
        case .pathLength(let allowed, let found):
            "allows \(allowed) authorities below it, and there is \(found)"
        case .unknownCriticalExtension(let identifier): "has an unknown critical extension \(identifier)"
        case .restrictingExtension(let identifier):
            "has the extension \(identifier), which restricts certificates in a way that is not judged here"
        case .tooLarge(let bytes, let limit): "is \(bytes) bytes long, and the limit is \(limit)"
        case .tooLargeTogether(let bytes, let limit):
            "and those before it are \(bytes) bytes long, and the limit is \(limit)"
        case .relativeDistributionPoint:
            "has a CRL distribution point that is named relative to its issuer"
        case .duplicateExtension(let identifier): "has the extension \(identifier) twice"
        case .malformedExtension(let identifier):
            "has a malformed extension \(identifier ?? "of a known kind")"
        case .issuerMismatch(let issuer, let expected):
            "was issued by \"\(issuer)\", but the next certificate is \"\(expected)\""
        case .authorityKeyIdentifier(let issuer): "was issued with another key than that of \"\(issuer)\""
        case .signature(let issuer): "is not signed by \"\(issuer)\""
        case .untrusted(let anchors):
            "was issued by none of the trust anchors: "
                + anchors.prefix(4).map { "\"\($0)\"" }.joined(separator: ", ")
                + (anchors.count > 4 ? " and \(anchors.count - 4) more" : "")
        case .absent: "is not in the receipt"
        case .unused:
            "is in the receipt without need: neither in the chain nor a trust anchor, or there again"
        case .notPinned:
            "stands alone, as in what Xcode signs, and is not one of the trust anchors; it would have to be "
                + "given as one"
        case .notYetValid(let date, let notBefore):
            "is not valid before \(CalendarTime.iso8601(notBefore)), and the effective date is "
                + CalendarTime.iso8601(date)
        case .expired(let date, let notAfter):
            "is not valid after \(CalendarTime.iso8601(notAfter)), and the effective date is "
                + CalendarTime.iso8601(date)
        }
    }
}
