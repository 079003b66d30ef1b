internal import Synchronization

/// Verifies payloads of concurrent requests together.
///
/// No payload waits for later ones to arrive. While a core is free, a payload is verified at once, even
/// alone. The payloads that arrive while all cores are busy form the next batch. So batches grow with the
/// load, as in a database's group commit, and an idle server adds no delay.
final class CoalescedRequests<Input: Sendable, Verdict: Sendable>: Sendable {
    /// Verifies the first payloads of a batch, at least one, and reports each one's index and verdict. Returns the index
    /// of the first payload that is left.
    typealias Verify = @Sendable (ArraySlice<Input>, (Int, Verdict) -> Void) -> Int

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
    private func drain(verifiedBy verify: Verify) async {
        while true {
            let batch = state.withLock { state in
                let batch = state.takeBatch()
                if batch.isEmpty { state.running -= 1 }
                return batch
            }
            guard !batch.isEmpty else { return }
            let tokens = batch.map(\.token)
            var next = 0
            while next < tokens.count {
                next = verify(tokens[next...]) { batch[$0].continuation.resume(returning: $1) }
                await Task.yield()
            }
        }
    }
}
