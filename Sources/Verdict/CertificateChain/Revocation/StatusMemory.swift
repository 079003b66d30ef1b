/// Remembers the status of a certificate, and decides when to ask again. Its callers pass the time.
struct StatusMemory: Sendable {
    /// The advice to a caller.
    enum Advice: Hashable, Sendable {
        /// Use this status.
        case known(RevocationStatus)
        /// Wait until the request ends.
        case wait
    }

    /// Whether a request is under way.
    private enum Request {
        case none
        case underWay
        /// The time of the request is up, and the request has not ended yet.
        case overdue
    }

    private var answer: SignedAnswer?
    private var failure: (why: RevocationUnknown, at: Int64)?
    private var request = Request.none
    /// The first second at which another request may be made.
    private var nextRequest = Int64.min

    /// Returns the status at a second, and whether the caller must start a request, which then counts as
    /// under way.
    mutating func consult(at now: Int64) -> (advice: Advice, startsRequest: Bool) {
        guard let status = status(at: now) else {
            let starts = request == .none
            if starts { request = .underWay }
            return (.wait, starts)
        }
        guard request == .none, isDue(at: now) else { return (.known(status), false) }
        request = .underWay
        return (.known(status), true)
    }

    /// Whether a request is due.
    ///
    /// A time further ahead than this type ever sets one shows that the clock was set back; it counts as
    /// past.
    private func isDue(at now: Int64) -> Bool {
        func hasCome(_ time: Int64, after longest: Int64) -> Bool {
            now >= time || time > now.saturating(+, longest + RevocationLimits.clockSkew)
        }
        return hasCome(nextRequest, after: RevocationLimits.retryInterval)
            && hasCome(freshAnswer(at: now)?.refresh ?? .min, after: RevocationLimits.longestLife)
    }

    /// The status at a second; `nil` if nothing is known. Starts no request.
    func status(at now: Int64) -> RevocationStatus? {
        if let answer = freshAnswer(at: now) { return answer.status }
        guard let failure else { return nil }
        // While an overdue request has not ended, no other is made, and callers do not wait for it.
        return request == .overdue || memory(of: failure.at).contains(now) ? .unknown(failure.why) : nil
    }

    /// The seconds around `now` at which the certificate passes and no request is due.
    func passing(at now: Int64, mode: RevocationMode) -> Range<Int64> {
        let end = request == .none ? nextRequest : .max
        if let answer = freshAnswer(at: now) {
            guard case .good = answer.status else { return 0..<0 }
            let refresh = request == .none ? max(answer.refresh, nextRequest) : .max
            return Self.range(answer.life.lowerBound, min(answer.life.upperBound.saturating(+, 1), refresh))
        }
        guard mode == .soft, let failure else { return 0..<0 }
        let memory = memory(of: failure.at)
        return Self.range(memory.lowerBound, min(memory.upperBound, end))
    }

    /// Whether a request is under way and its time is not up.
    var isAwaited: Bool { request == .underWay }

    /// Records the outcome of a request that has ended.
    mutating func end(with outcome: Result<SignedAnswer, RevocationFailure>, at now: Int64) {
        let wasOverdue = request == .overdue
        request = .none
        switch outcome {
        case .success(let newer):
            // A responder may send a cached answer that is close to its end. Even then it has half a minute's
            // rest.
            nextRequest = now.saturating(+, RevocationLimits.retryInterval)
            if let answer = freshAnswer(at: now), !newer.mayReplace(answer) { return }
            answer = newer
            failure = nil
        case .failure(let failed):
            if !wasOverdue { fail(failed.why, at: now) }
        }
    }

    /// Records that the request's time is up. The request has not ended yet.
    mutating func timeOut(_ why: RevocationUnknown, at now: Int64) {
        guard request == .underWay else { return }
        request = .overdue
        fail(why, at: now)
    }

    private mutating func fail(_ why: RevocationUnknown, at now: Int64) {
        failure = (why, now)
        nextRequest = now.saturating(+, RevocationLimits.retryInterval)
    }

    private func freshAnswer(at now: Int64) -> SignedAnswer? {
        answer.flatMap { $0.counts(at: now) ? $0 : nil }
    }

    private func memory(of second: Int64) -> Range<Int64> {
        second.saturating(
            -, RevocationLimits.clockSkew)..<second.saturating(+, RevocationLimits.failureMemory)
    }

    private static func range(_ first: Int64, _ end: Int64) -> Range<Int64> { first..<max(first, end) }
}
