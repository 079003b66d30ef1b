internal import Libcrypto

/// An answer that a responder signed, good or revoked, and how long it is of use.
struct SignedAnswer: Hashable, Sendable {
    /// What it says.
    let status: RevocationStatus
    /// When the status was known to be right.
    let thisUpdate: Int64
    /// The seconds at which it counts.
    let life: ClosedRange<Int64>
    /// From when on a newer one is asked for.
    let refresh: Int64

    /// Judges an answer's nonce and times (RFC 6960, sections 3.2 and 4.4.1).
    ///
    /// A nonce that is not the request's is refused. An answer without one, as responders that prepare their answers
    /// give, counts within its times (RFC 5019, section 4), and where it names no end, if it is of the last minutes.
    init(_ answer: OCSPAnswer, at now: Int64) throws(RevocationFailure) {
        let skew = RevocationLimits.clockSkew
        guard answer.nonce != .other else { throw RevocationFailure(.nonceMismatch) }
        // Whatever was signed lies within the years 1 to 9999, and so do the sums below.
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

    /// Whether it may take the place of another that still counts: an older one, sent again, takes nothing back.
    func mayReplace(_ other: SignedAnswer) -> Bool {
        if case .revoked = other.status, case .good = status { return thisUpdate > other.thisUpdate }
        return thisUpdate >= other.thisUpdate
    }

    /// Whether it counts at a second. That a certificate was revoked counts until a newer answer says otherwise.
    func counts(at now: Int64) -> Bool {
        if case .revoked = status { return true }
        return life.contains(now)
    }
}

/// Why a question brought nothing.
struct RevocationFailure: Error {
    let why: RevocationUnknown

    init(_ why: RevocationUnknown) { self.why = why }
}

extension Int64 {
    /// A sum or difference, or the number that comes closest: the caller's clock may say anything.
    func saturating(_ operation: (Int64, Int64) -> Int64, _ other: Int64) -> Int64 {
        // Within a quarter of the range, nothing overflows.
        let bound = Int64.max / 4
        return operation(
            Swift.min(Swift.max(self, -bound), bound), Swift.min(Swift.max(other, -bound), bound))
    }
}
