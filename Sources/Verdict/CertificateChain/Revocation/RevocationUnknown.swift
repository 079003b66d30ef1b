internal import Libcrypto
internal import WireFormats

/// The reason why nothing is known about a certificate. A later question may have another result in every
/// case.
public enum RevocationUnknown: Hashable, Sendable {
    /// The certificate names no responder with an `http` or `https` address.
    case noResponder
    /// The answer has not come yet.
    case pending
    /// No answer came within this many milliseconds.
    case timeout(milliseconds: Int64)
    /// The transport brought no answer, for this reason.
    case unreachable(String)
    /// The answer has this many bytes, more than the limit.
    case tooLarge(bytes: Int, limit: Int)
    /// The request could not be made, or the answer could not be parsed.
    case unreadable(String)
    /// The responder refused to answer, with a status of RFC 6960, section 4.2.1, such as `tryLater`.
    case unsuccessful(String)
    /// The answer is signed with an algorithm other than RSA or ECDSA with SHA-256 or better.
    case algorithm(String)
    /// The answer's signature is wrong, or its signer may not answer for the issuer.
    case untrustedResponder(String)
    /// The answer is about other certificates.
    case otherCertificate
    /// The answer's nonce is not the request's.
    case nonceMismatch
    /// The answer begins to hold later. Seconds since 1970.
    case notYetValid(thisUpdate: Int64, at: Int64)
    /// The answer no longer holds. Seconds since 1970.
    case expired(nextUpdate: Int64, at: Int64)
    /// The answer has neither an end nor a nonce, and is older than ten minutes. Seconds since 1970.
    case stale(thisUpdate: Int64, at: Int64)
    /// The responder signed that the certificate is unknown to it.
    case unknownCertificate

    /// A stable name for the cause.
    public var detail: String {
        switch self {
        case .noResponder: "noResponder"
        case .pending: "responderPending"
        case .timeout: "responderTimeout"
        case .unreachable: "responderUnreachable"
        case .tooLarge, .unreadable: "responseMalformed"
        case .unsuccessful: "responseUnsuccessful"
        case .algorithm: "responseAlgorithm"
        case .untrustedResponder: "responseUntrusted"
        case .otherCertificate: "responseOtherCertificate"
        case .nonceMismatch: "responseNonce"
        case .notYetValid, .expired, .stale: "responseNotCurrent"
        case .unknownCertificate: "unknownToResponder"
        }
    }
}

extension RevocationUnknown: CustomStringConvertible {
    /// The reason, in a clause.
    public var description: String {
        switch self {
        case .noResponder: "it names no OCSP responder that is reached by HTTP"
        case .pending: "the responder's answer has not come yet"
        case .timeout(let milliseconds): "the responder gave no answer within \(milliseconds) ms"
        case .unreachable(let reason): "no answer could be fetched: \(reason)"
        case .tooLarge(let bytes, let limit): "the answer is \(bytes) bytes long, and the limit is \(limit)"
        case .unreadable(let reason): "the answer cannot be read: \(reason)"
        case .unsuccessful(let status): "the responder answered \(status)"
        case .algorithm(let name): "the answer is signed with \(name), not with SHA-256 or better"
        case .untrustedResponder(let reason): "the answer is not to be trusted: \(reason)"
        case .otherCertificate: "the answer is about another certificate"
        case .nonceMismatch: "the answer has another nonce than the question"
        case .notYetValid(let thisUpdate, let second):
            "the answer is of \(CalendarTime.iso8601(thisUpdate)), and it is \(CalendarTime.iso8601(second))"
        case .expired(let nextUpdate, let second):
            "the answer was to be replaced by \(CalendarTime.iso8601(nextUpdate)), and it is "
                + CalendarTime.iso8601(second)
        case .stale(let thisUpdate, let second):
            "the answer names no end and is of \(CalendarTime.iso8601(thisUpdate)), and it is "
                + CalendarTime.iso8601(second)
        case .unknownCertificate: "the responder does not know it"
        }
    }
}
