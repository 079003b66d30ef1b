internal import Libcrypto
internal import WireFormats

/// Why it is not known whether a certificate was revoked. All of it may be otherwise a little later.
public enum RevocationUnknown: Hashable, Sendable {
    /// The certificate names no responder that is reached by HTTP.
    case noResponder
    /// The answer has not come yet.
    case pending
    /// No answer came within this many milliseconds.
    case timeout(milliseconds: Int64)
    /// No answer could be fetched, by the transport's words.
    case unreachable(String)
    /// The answer has more bytes than the limit.
    case tooLarge(bytes: Int, limit: Int)
    /// The request could not be made, or the answer is not of a form that can be read.
    case unreadable(String)
    /// The responder says that it did not answer, by the name of RFC 6960, section 4.2.1: `tryLater`, for instance.
    case unsuccessful(String)
    /// The answer is signed with an algorithm other than RSA or ECDSA with SHA-256 or better.
    case algorithm(String)
    /// The answer's signature is not good, or whoever signed may not speak for the issuer.
    case untrustedResponder(String)
    /// The answer is about other certificates.
    case otherCertificate
    /// The answer has a nonce, and not the request's.
    case nonceMismatch
    /// The answer is of the future. Seconds since 1970.
    case notYetValid(thisUpdate: Int64, at: Int64)
    /// There should be a newer answer. Seconds since 1970.
    case expired(nextUpdate: Int64, at: Int64)
    /// The answer names no end, has no nonce, and is not of the last minutes. Seconds since 1970.
    case stale(thisUpdate: Int64, at: Int64)
    /// The responder signed that it does not know the certificate.
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
    /// A clause that says why.
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
