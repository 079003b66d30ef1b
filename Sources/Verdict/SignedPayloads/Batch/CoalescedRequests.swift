internal import Synchronization

/// Verifies payloads of concurrent requests together.
///
/// No payload waits for later ones to arrive. While a core is free, a payload is verified at once, even
/// alone. The payloads that arrive while all cores are busy form the next batch. So batches grow with the
/// load, as in a database's group commit, and an idle server adds no delay.
final class CoalescedRequests<Input: Sendable, Verdict: Sendable>: Sendable {
    /// Verifies the first of some payloads, at least one, and reports each one's index and verdict. Returns how many.
    typealias Verify = @Sendable ([Input], (Int, Verdict) -> Void) -> Int

    /// The maximum number of payloads in a batch. Larger batches would save little (see the batch sizes in
    /// the benchmarks) and delay each payload more.
    static var maximumBatch: Int { 64 }

    private struct Request {
        let token: Input
        let continuation: CheckedContinuation<Verdict, Never>
    }

    private struct State {
        /// Requests in order of arrival. Those before `first` were already taken.
        var waiting: [Request] = []
        var first = 0
        /// The number of batches that are being verified.
        var running = 0

        mutating func takeBatch() -> [Request] {
            let batch = Array(waiting[first..<min(first + CoalescedRequests.maximumBatch, waiting.count)])
            first += batch.count
            // Taken requests are removed only now and then, because each removal moves the rest.
            if first == waiting.count || first >= 1024 {
                waiting.removeFirst(first)
                first = 0
            }
            return batch
        }
    }

    private let state = Mutex(State())
    private let jobs: Int

    /// - Parameter jobs: the maximum number of batches that are verified at the same time.
    init(jobs: Int) { self.jobs = jobs }

    /// Verifies a payload, together with others that are waiting.
    ///
    /// - Parameter executor: runs the batch that the payload begins; `nil` for the threads of all tasks.
    func verdict(
        on token: Input, executor: (any TaskExecutor)? = nil, verifiedBy verify: @escaping Verify
    ) async -> Verdict {
        await withCheckedContinuation { continuation in
            let isStarting = state.withLock { state in
                state.waiting.append(Request(token: token, continuation: continuation))
                guard state.running < jobs else { return false }
                state.running += 1
                return true
            }
            if isStarting { Task(executorPreference: executor) { await self.drain(verifiedBy: verify) } }
        }
    }

    /// Verifies batches until no request waits. It yields the thread to other tasks each time that it has verified
    /// payloads.
    ///
    /// If some payloads of a batch take long, the rest of it goes to the threads of all tasks: an executor may have one
    /// thread alone, which others need.
    private func drain(verifiedBy verify: @escaping Verify) async {
        while true {
            let batch = state.withLock { state in
                let batch = state.takeBatch()
                if batch.isEmpty { state.running -= 1 }
                return batch
            }
            guard !batch.isEmpty else { return }
            let left = Self.verifySome(of: batch[...], verify)
            if !left.isEmpty {
                await withTaskExecutorPreference(globalConcurrentExecutor) {
                    var left = left
                    while !left.isEmpty {
                        left = Self.verifySome(of: left, verify)
                        await Task.yield()
                    }
                }
            }
            await Task.yield()
        }
    }

    /// Verifies the first of these requests, at least one, and returns the others.
    private static func verifySome(of requests: ArraySlice<Request>, _ verify: Verify) -> ArraySlice<Request>
    {
        let next = verify(requests.map(\.token)) { place, verdict in
            requests[requests.startIndex + place].continuation.resume(returning: verdict)
        }
        return requests[(requests.startIndex + next)...]
    }
}
