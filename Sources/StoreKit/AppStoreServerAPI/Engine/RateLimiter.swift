#if ServerAPI
    /// Spaces requests so that each endpoint gets no more of them than Apple allows within a second.
    ///
    /// A bucket has as many tokens as the limit. A token comes back a second after it was taken. So no window of a second, by
    /// whatever clock, has more requests than the limit. Requests get their turns in the order in which they asked.
    actor RateLimiter {
        /// Each endpoint at each host has its own bucket.
        struct Key: Hashable {
            let host: String
            let endpoint: APIEndpoint
        }

        /// When a request is made.
        enum Turn: Equatable {
            case now
            /// Earlier requests have all turns until its deadline.
            case tooLate
            /// The App Store asked for a pause that ends after its deadline.
            case paused(until: ContinuousClock.Instant)
        }

        private struct Bucket {
            /// When requests are made: those of the last second and those that wait, the oldest first.
            var turns: [ContinuousClock.Instant] = []
            /// No request is made before this instant, because the App Store asked for a pause.
            var pause: ContinuousClock.Instant?
        }

        private let clock = ContinuousClock()
        private var buckets: [Key: Bucket] = [:]

        /// Waits for a turn.
        ///
        /// - Parameters:
        ///   - limit: the most requests within a second; `nil` waits only for pauses that the App Store asked for.
        ///   - deadline: the last instant of a turn.
        /// - Returns: whether the request has its turn now. One that has no turn before its deadline takes no token.
        /// - Throws: `CancellationError`.
        func turn(
            _ key: Key, limit: Int?, deadline: ContinuousClock.Instant
        ) async throws(CancellationError) -> Turn {
            while true {
                let instant = take(key, limit)
                let pause = buckets[key]?.pause
                guard instant <= deadline else {
                    giveBack(instant, key)
                    return pause.map { $0 > deadline } == true ? .paused(until: instant) : .tooLate
                }
                if instant <= clock.now { return .now }
                do {
                    try await clock.sleep(until: instant)
                } catch {
                    giveBack(instant, key)
                    throw CancellationError()
                }
                // The App Store may have asked for another pause since. Then this request waits for a turn after that.
                if buckets[key]?.pause == pause { return .now }
                giveBack(instant, key)
            }
        }

        /// Takes the next turn.
        private func take(_ key: Key, _ limit: Int?) -> ContinuousClock.Instant {
            let now = clock.now
            var bucket = buckets[key] ?? Bucket()
            bucket.turns.removeFirst(bucket.turns.prefix { $0 + .seconds(1) <= now }.count)
            var instant = max(now, bucket.pause ?? now, bucket.turns.last ?? now)
            if let limit, bucket.turns.count >= limit {
                instant = max(instant, bucket.turns[bucket.turns.count - limit] + .seconds(1))
            }
            if limit != nil { bucket.turns.append(instant) }
            buckets[key] = bucket
            return instant
        }

        /// Makes no request before an instant.
        func pause(_ key: Key, until instant: ContinuousClock.Instant) {
            buckets[key, default: Bucket()].pause = max(buckets[key]?.pause ?? instant, instant)
        }

        /// Takes back a turn that was not used. Later turns keep their instants.
        private func giveBack(_ instant: ContinuousClock.Instant, _ key: Key) {
            guard let place = buckets[key]?.turns.lastIndex(of: instant) else { return }
            buckets[key]?.turns.remove(at: place)
        }
    }
#endif
