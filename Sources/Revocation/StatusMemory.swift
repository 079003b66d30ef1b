/// What is known about a certificate, and when to ask about it: a value that is told the time.
struct StatusMemory: Sendable {
    /// What somebody who asks is to do.
    enum Advice: Hashable, Sendable {
        /// This is known.
        case known(RevocationStatus)
        /// Wait for the request that is under way.
        case wait
    }

    /// Whether a request is under way.
    private enum Request {
        case none
        case underWay
        /// Its time is up, and it has not ended yet.
        case overdue
    }

    private var answer: SignedAnswer?
    private var failure: (why: RevocationUnknown, at: Int64)?
    private var request = Request.none
    /// No request is made before.
    private var nextRequest = Int64.min

    /// What is known at a second, and whether to make a request now, which then counts as under way.
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

    /// Whether it is time for a request. A time that is further ahead than any is set was set by another clock.
    private func isDue(at now: Int64) -> Bool {
        func hasCome(_ time: Int64, after longest: Int64) -> Bool {
            now >= time || time > now.saturating(+, longest + RevocationLimits.clockSkew)
        }
        return hasCome(nextRequest, after: RevocationLimits.retryInterval)
            && hasCome(freshAnswer(at: now)?.refresh ?? .min, after: RevocationLimits.longestLife)
    }

    /// What is known at a second, if anything; makes no request.
    func status(at now: Int64) -> RevocationStatus? {
        if let answer = freshAnswer(at: now) { return answer.status }
        guard let failure else { return nil }
        // A request that does not end keeps others from being made, and nobody waits for it.
        return request == .overdue || memory(of: failure.at).contains(now) ? .unknown(failure.why) : nil
    }

    /// The seconds at which the certificate passes without another look, as of one of them.
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

    /// Whether a request is under way whose time is not up.
    var isAwaited: Bool { request == .underWay }

    /// Takes the outcome of a request, which has ended.
    mutating func end(with outcome: Result<SignedAnswer, RevocationFailure>, at now: Int64) {
        let wasOverdue = request == .overdue
        request = .none
        switch outcome {
        case .success(let newer):
            // Answers close to their end come from the responder's cache: it is not asked all the time.
            nextRequest = now.saturating(+, RevocationLimits.retryInterval)
            if let answer = freshAnswer(at: now), !newer.mayReplace(answer) { return }
            answer = newer
            failure = nil
        case .failure(let failed):
            if !wasOverdue { fail(failed.why, at: now) }
        }
    }

    /// Notes that the request's time is up. It has not ended yet.
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
