/// The moment at which an exchange must have ended.
package struct Deadline: Sendable {
    private let end: ContinuousClock.Instant

    package init(after time: Duration) { end = .now + time }

    private init(end: ContinuousClock.Instant) { self.end = end }

    /// The time that is left; negative after the end.
    private var rest: Duration { ContinuousClock.now.duration(to: end) }

    /// A deadline for one of `count` attempts, all of which have the rest of the time.
    func share(of count: Int) -> Deadline { Deadline(end: .now + rest / max(1, count)) }

    /// How long to wait at once, in milliseconds, of this much at most. Rounded up: a wait of 0 ms would spin.
    func milliseconds(atMost slice: Int32) -> Int32 {
        let rest = min(rest, .milliseconds(Int(slice)))
        return max(1, min(Int32(rest / .milliseconds(1)) + 1, slice))
    }

    /// Throws if the time is up or the task was cancelled.
    func check() throws(ConnectionError) {
        if Task.isCancelled { throw .cancelled }
        if rest <= .zero { throw .timeout }
    }
}
