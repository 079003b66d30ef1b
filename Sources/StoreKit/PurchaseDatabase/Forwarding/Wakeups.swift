#if SQLite
    internal import Synchronization

    /// Wakes the forwarders of a store. Each gets a signal for all calls since its last one.
    package final class Wakeups: Sendable {
        private struct State {
            var sleepers: [Int: AsyncStream<Void>.Continuation] = [:]
            var count = 0
            var calls = Calls()
        }

        /// How often the forwarders were called.
        struct Calls: Equatable, Sendable {
            /// The file may have something new.
            fileprivate(set) var news = 0
            /// An operator wants the pauses of addresses to end.
            fileprivate(set) var hastened = 0
        }

        private let state = Mutex(State())

        package init() {}

        /// Wakes all, because the file may have something new.
        package func wake() {
            state.withLock { $0.calls.news += 1 }
            tick()
        }

        /// Wakes all, because time has passed.
        func tick() {
            // Not under the lock: a sleeper that is cancelled locks its task and then this, and a signal locks the
            // task, too.
            let sleepers = state.withLock { Array($0.sleepers.values) }
            for sleeper in sleepers { sleeper.yield() }
        }

        /// Wakes all, and ends the pauses of addresses that failed.
        func hasten() {
            state.withLock { $0.calls.hastened += 1 }
            wake()
        }

        /// The calls until now.
        var calls: Calls { state.withLock(\.calls) }

        /// The signals from now on, and a continuation that sends one to this sleeper alone.
        package func signals() -> (AsyncStream<Void>, wake: AsyncStream<Void>.Continuation) {
            let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            let number = state.withLock { state in
                state.count += 1
                state.sleepers[state.count] = continuation
                return state.count
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.sleepers[number] = nil }
            }
            return (stream, continuation)
        }
    }
#endif
