internal import WireFormats

/// The revocation status of one certificate of a chain.
public struct RevocationFinding: Hashable, Sendable {
    /// The certificate's position in its chain.
    public let position: CertificatePosition
    /// The certificate's names, dates and fingerprint.
    public let certificate: CertificateDescription
    /// The answer of its issuer's responder.
    public let status: RevocationStatus
}

/// The answer of an issuer's responder about a certificate.
public enum RevocationStatus: Hashable, Sendable {
    /// The certificate was not revoked.
    case good(SignedStatus)
    /// The certificate was revoked at a second since 1970, for a reason if the responder gives one.
    case revoked(at: Int64, reason: RevocationReason?, SignedStatus)
    /// Nothing is known, for this reason.
    case unknown(RevocationUnknown)

    /// The times of an answer, and its signer.
    public struct SignedStatus: Hashable, Sendable {
        /// When the responder knew the status to be right, in seconds since 1970.
        public let thisUpdate: Int64
        /// By when the responder will have a newer answer, in seconds since 1970; `nil` if the answer does
        /// not say.
        public let nextUpdate: Int64?
        /// The subject of the certificate that signed the answer, in the form of RFC 2253.
        public let responder: String
    }
}

extension RevocationFinding: CustomStringConvertible {
    /// The status, in a clause.
    public var description: String { "\(position.rawValue): \(status)" }
}

extension RevocationStatus: CustomStringConvertible {
    /// The status, in a clause.
    public var description: String {
        switch self {
        case .good(let signed): "good\(signed)"
        case .revoked(let date, let reason, let signed):
            "revoked at \(CalendarTime.iso8601(date))\(reason.map { " (\($0.rawValue))" } ?? "")\(signed)"
        case .unknown(let why): "not known: \(why)"
        }
    }
}

extension RevocationStatus.SignedStatus: CustomStringConvertible {
    /// The end of a clause.
    public var description: String {
        (nextUpdate.map { " until \(CalendarTime.iso8601($0))" } ?? "") + ", signed by \"\(responder)\""
    }
}

/// The reason why a certificate does not pass: it is revoked, or no good answer about it could be had.
package struct RevocationError: Error, Hashable, Sendable {
    /// The fault of a certificate.
    package enum Violation: Hashable, Sendable {
        /// It was revoked at this time, for this reason if one is given. The effective date is the date of
        /// the judgement. Both are in seconds since 1970.
        case revoked(at: Int64, reason: RevocationReason?, effectiveDate: Int64)
        /// Whether it was revoked is not known.
        case unknown(RevocationUnknown)
    }

    /// The certificate's position in its chain.
    package let position: CertificatePosition
    package let certificate: CertificateDescription
    /// Its fault.
    package let violation: Violation

    /// A stable name for the cause.
    package var detail: String {
        switch violation {
        case .revoked(_, let reason, _): reason?.rawValue ?? "revoked"
        case .unknown(let why): why.detail
        }
    }
}

extension RevocationError: CustomStringConvertible {
    /// The fault, in a sentence.
    package var description: String {
        let name =
            "the \(position.rawValue) certificate \"\(certificate.subject)\" (serial \(certificate.serialNumber))"
        switch violation {
        case .revoked(let date, let reason, let effectiveDate):
            let isLater = date > effectiveDate
            return "\(name) was revoked at \(CalendarTime.iso8601(date))"
                + (reason.map { " (\($0.rawValue))" } ?? " (no reason given)")
                + ", and the effective date is \(CalendarTime.iso8601(effectiveDate))"
                + (isLater ? ", which a thief of the key can choose" : "")
        case .unknown(let why): return "whether \(name) was revoked is not known: \(why)"
        }
    }
}
