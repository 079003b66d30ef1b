#if Service
    internal import HTTPTypes
    internal import Synchronization

    /// Bounds how many questions about purchases are answered at a time: each has a customer's payloads in memory, some
    /// ninety megabytes of 20,000 transactions. A few others wait.
    package final class QuestionPlaces: Sendable {
        private typealias Waiter = CheckedContinuation<Outcome, Never>

        private enum Outcome { case taken, tooMany, cancelled }

        private struct State {
            var running = 0
            /// By their numbers, which grow: the smallest has waited longest.
            var waiting: [(number: Int, waiter: Waiter)] = []
            var nextNumber = 0
        }

        package static let maximumRunning = 4
        package static let maximumWaiting = 256

        private let state = Mutex(State())

        package init() {}

        /// How many questions wait.
        package var waiting: Int { state.withLock(\.waiting.count) }

        /// Answers a question when there is a place.
        ///
        /// - Throws: a `Problem` with the status 503 if too many wait; `CancellationError` if the task is cancelled while it
        ///   waits; or the error of `answer`.
        package func withPlace<Answer>(_ answer: () async throws -> Answer) async throws -> Answer {
            switch await take() {
            case .taken: break
            case .cancelled: throw CancellationError()
            case .tooMany:
                throw Problem(
                    .serviceUnavailable, "Too many questions about purchases wait; send this one again.",
                    headers: [.retryAfter: "5"])
            }
            defer { give() }
            return try await answer()
        }

        private func take() async -> Outcome {
            let number = state.withLock { state in
                defer { state.nextNumber += 1 }
                return state.nextNumber
            }
            return await withTaskCancellationHandler {
                await withCheckedContinuation { waiter in
                    if let outcome = enter(number, waiter) { waiter.resume(returning: outcome) }
                }
            } onCancel: {
                leave(number)
            }
        }

        /// A task is marked as cancelled before `leave(_:)` is called. Both take the lock: so either the mark is seen here, or
        /// `leave(_:)` finds the waiter.
        ///
        /// - Returns: the outcome; `nil` if the task waits.
        private func enter(_ number: Int, _ waiter: Waiter) -> Outcome? {
            state.withLock { state in
                if Task.isCancelled { return .cancelled }
                if state.running < Self.maximumRunning {
                    state.running += 1
                    return .taken
                }
                guard state.waiting.count < Self.maximumWaiting else { return .tooMany }
                state.waiting.append((number, waiter))
                return nil
            }
        }

        /// Ends the wait of a task that is cancelled.
        private func leave(_ number: Int) {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
                return state.waiting.remove(at: index).waiter
            }
            waiter?.resume(returning: .cancelled)
        }

        /// Gives the place to the one that has waited longest.
        private func give() {
            let next = state.withLock { state -> Waiter? in
                if !state.waiting.isEmpty { return state.waiting.removeFirst().waiter }
                state.running -= 1
                return nil
            }
            next?.resume(returning: .taken)
        }
    }
#endif
