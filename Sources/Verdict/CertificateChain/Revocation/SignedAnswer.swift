internal import Libcrypto

/// A signed answer, good or revoked, and the times at which it is used.
struct SignedAnswer: Hashable, Sendable {
    /// The status of the certificate.
    let status: RevocationStatus
    /// When the responder knew the status to be right.
    let thisUpdate: Int64
    /// The seconds at which the answer counts.
    let life: ClosedRange<Int64>
    /// The second from which on a newer answer is fetched.
    let refresh: Int64

    /// Judges an answer's nonce and times (RFC 6960, sections 3.2 and 4.4.1).
    ///
    /// A nonce other than the request's is refused. Responders that prepare their answers send no nonce: such
    /// an answer counts within its times (RFC 5019, section 4). Without an end, it counts if it is at most
    /// ten minutes old.
    init(_ answer: OCSPAnswer, at now: Int64) throws(RevocationFailure) {
        let skew = RevocationLimits.clockSkew
        guard answer.nonce != .other else { throw RevocationFailure(.nonceMismatch) }
        // All times of an answer lie within the years 1 to 9999; the caller's clock may say anything.
        guard answer.thisUpdate <= now.saturating(+, skew) else {
            throw RevocationFailure(.notYetValid(thisUpdate: answer.thisUpdate, at: now))
        }
        let end: Int64
        if let nextUpdate = answer.nextUpdate {
            end = nextUpdate.saturating(+, skew)
            guard nextUpdate >= answer.thisUpdate, now <= end else {
                throw RevocationFailure(.expired(nextUpdate: nextUpdate, at: now))
            }
            let rest = min(max(0, nextUpdate.saturating(-, now)), RevocationLimits.longestLife)
            refresh = now.saturating(+, rest / 4 * 3)
        } else {
            let isFresh = answer.thisUpdate >= now.saturating(-, RevocationLimits.undatedAge)
            guard answer.nonce == .matching || isFresh else {
                throw RevocationFailure(.stale(thisUpdate: answer.thisUpdate, at: now))
            }
            end = now.saturating(+, RevocationLimits.undatedLife)
            refresh = now.saturating(+, RevocationLimits.undatedLife / 4 * 3)
        }
        life = now.saturating(-, skew)...end
        thisUpdate = answer.thisUpdate
        let signed = RevocationStatus.SignedStatus(
            thisUpdate: answer.thisUpdate, nextUpdate: answer.nextUpdate, responder: answer.responder)
        switch answer.status {
        case .good: status = .good(signed)
        case .revoked(let date, let reason):
            status = .revoked(at: date, reason: reason.flatMap(RevocationReason.init(number:)), signed)
        case .unknown: throw RevocationFailure(.unknownCertificate)
        }
    }

    /// Whether this answer may replace another that still counts. An older answer that is sent again must
    /// not.
    func mayReplace(_ other: SignedAnswer) -> Bool {
        if case .revoked = other.status, case .good = status { return thisUpdate > other.thisUpdate }
        return thisUpdate >= other.thisUpdate
    }

    /// Whether the answer counts at a second. A revocation counts until a newer answer takes it back.
    func counts(at now: Int64) -> Bool {
        if case .revoked = status { return true }
        return life.contains(now)
    }
}

/// The reason why a request brought no usable answer.
struct RevocationFailure: Error {
    let why: RevocationUnknown

    init(_ why: RevocationUnknown) { self.why = why }
}

extension Int64 {
    /// The sum or difference of two bounded numbers: the caller's clock may say anything.
    func saturating(_ operation: (Int64, Int64) -> Int64, _ other: Int64) -> Int64 {
        // Two numbers within a quarter of the range have a sum within half of it.
        let bound = Int64.max / 4
        return operation(
            Swift.min(Swift.max(self, -bound), bound), Swift.min(Swift.max(other, -bound), bound))
    }
}
