#if Service
    internal import Synchronization

    /// The places of the batches that are running. A batch that comes when all are taken gets the place of one that is hardly
    /// sending: otherwise a few clients that send a byte now and then would keep all others out.
    ///
    /// Nothing waits for a place, because it would hold its connection and the client's patience.
    final class RunningBatches: Sendable {
        /// Each batch may hold a few megabytes of lines and verdicts. More at a time would only share the same threads.
        static let maximum = 16
        /// A batch that sends less may lose its place. A file sends a thousand times as much; who pipes a quiet log keeps a
        /// place as long as there are others.
        private static let leastBytesPerSecond = 1_024.0

        /// Another batch has the place. The connection ends, without an end of the verdicts.
        struct PlaceTaken: Error {}

        private let window: Duration
        private let places = Mutex<[ObjectIdentifier: WeakPlace]>([:])

        /// - Parameter window: in which the bytes of a batch are counted.
        init(window: Duration) { self.window = window }

        /// Takes a place; `nil` if there is none.
        func take() -> Place? {
            // The references live on until the lock is free: the last one to a place takes the lock again.
            let running = places.withLock { $0.values.compactMap(\.place) }
            let now = ContinuousClock.now
            let slowest =
                running.count < Self.maximum
                ? nil : running.min { $0.recentBytes(now) < $1.recentBytes(now) }
            let place = Place(self, window)
            let isFree = places.withLock { places in
                if places.count >= Self.maximum {
                    guard let slowest, slowest.recentBytes(now) < leastBytes,
                        places.removeValue(forKey: ObjectIdentifier(slowest)) != nil
                    else { return false }
                }
                places[ObjectIdentifier(place)] = WeakPlace(place: place)
                return true
            }
            guard isFree else { return nil }
            if running.count >= Self.maximum { slowest?.give() }
            return place
        }

        private var leastBytes: Int { Int(Self.leastBytesPerSecond * (window / .seconds(1))) }

        private func leave(_ place: ObjectIdentifier) { places.withLock { $0[place] = nil } }

        private struct WeakPlace: Sendable { weak let place: Place? }

        /// The place of a batch. It is free again when nothing refers to it.
        final class Place: Sendable {
            private struct State {
                let start: ContinuousClock.Instant
                var windowStart: ContinuousClock.Instant
                /// In this window, and in the one before.
                var bytes = 0
                var before = 0
                var isTaken = false
                var end: (@Sendable () -> Void)?

                mutating func move(to now: ContinuousClock.Instant, _ window: Duration) {
                    guard now - windowStart > window else { return }
                    before = now - windowStart > window * 2 ? 0 : bytes
                    (windowStart, bytes) = (now, 0)
                }
            }

            private let batches: RunningBatches
            private let window: Duration
            private let state: Mutex<State>

            fileprivate init(_ batches: RunningBatches, _ window: Duration) {
                (self.batches, self.window) = (batches, window)
                let now = ContinuousClock.now
                state = Mutex(State(start: now, windowStart: now))
            }

            deinit { batches.leave(ObjectIdentifier(self)) }

            /// Whether another batch has the place.
            var isTaken: Bool { state.withLock(\.isTaken) }

            /// - Parameter end: ends the batch.
            func whenTaken(_ end: @escaping @Sendable () -> Void) {
                let isTaken = state.withLock { state in
                    state.end = end
                    return state.isTaken
                }
                if isTaken { end() }
            }

            /// Counts bytes that have come.
            func count(_ bytes: Int) {
                let now = ContinuousClock.now
                state.withLock { state in
                    state.move(to: now, window)
                    state.bytes += bytes
                }
            }

            /// The bytes of this window and the one before; enough for a batch that is younger than a window.
            fileprivate func recentBytes(_ now: ContinuousClock.Instant) -> Int {
                state.withLock { state in
                    guard now - state.start > window else { return .max }
                    state.move(to: now, window)
                    return state.before + state.bytes
                }
            }

            fileprivate func give() {
                let end = state.withLock { state in
                    state.isTaken = true
                    return state.end
                }
                end?()
            }
        }
    }
#endif
