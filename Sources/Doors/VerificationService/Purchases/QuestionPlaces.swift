#if Service
    internal import HTTPTypes
    internal import Synchronization

    /// Bounds how many questions about purchases are answered at a time: each has a customer's payloads in memory, some
    /// ninety megabytes of 20,000 transactions. A few others wait.
    final class QuestionPlaces: Sendable {
        private struct State {
            var running = 0
            var waiting: [CheckedContinuation<Bool, Never>] = []
        }

        private static let maximumRunning = 4
        private static let maximumWaiting = 256

        private let state = Mutex(State())

        /// Answers a question when there is a place.
        ///
        /// - Throws: a `Problem` with the status 503 if too many wait; or the error of `answer`.
        func withPlace<Answer>(_ answer: () async throws -> Answer) async throws -> Answer {
            guard await take() else {
                throw Problem(
                    .serviceUnavailable, "Too many questions about purchases wait; send this one again.",
                    headers: [.retryAfter: "5"])
            }
            defer { give() }
            return try await answer()
        }

        private func take() async -> Bool {
            await withCheckedContinuation { continuation in
                let isTaken: Bool? = state.withLock { state in
                    if state.running < Self.maximumRunning {
                        state.running += 1
                        return true
                    }
                    guard state.waiting.count < Self.maximumWaiting else { return false }
                    state.waiting.append(continuation)
                    return nil
                }
                if let isTaken { continuation.resume(returning: isTaken) }
            }
        }

        /// Gives the place to the one that has waited longest.
        private func give() {
            let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                state.running -= 1
                return nil
            }
            next?.resume(returning: true)
        }
    }
#endif
