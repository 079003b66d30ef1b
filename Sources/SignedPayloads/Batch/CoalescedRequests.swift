internal import Synchronization

/// Verifies payloads of concurrent requests together.
///
/// No payload waits for later ones to arrive. While a core is free, a payload is verified at once, even
/// alone. The payloads that arrive while all cores are busy form the next batch. So batches grow with the
/// load, as in a database's group commit, and an idle server adds no delay.
final class CoalescedRequests<Input: Sendable, Verdict: Sendable>: Sendable {
    /// Verifies payloads, and reports each one's index and verdict as soon as the verdict is known.
    typealias Verify = @Sendable ([Input], (Int, Verdict) -> Void) -> Void

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
    func verdict(on token: Input, verifiedBy verify: @escaping Verify) async -> Verdict {
        await withCheckedContinuation { continuation in
            let isStarting = state.withLock { state in
                state.waiting.append(Request(token: token, continuation: continuation))
                guard state.running < jobs else { return false }
                state.running += 1
                return true
            }
            if isStarting { Task { await drain(verifiedBy: verify) } }
        }
    }

    /// Verifies batches until no request waits. Between batches, it yields the thread to other tasks.
    private func drain(verifiedBy verify: Verify) async {
        while true {
            let batch = state.withLock { state in
                let batch = state.takeBatch()
                if batch.isEmpty { state.running -= 1 }
                return batch
            }
            guard !batch.isEmpty else { return }
            verify(batch.map(\.token)) { place, verdict in
                batch[place].continuation.resume(returning: verdict)
            }
            await Task.yield()
        }
    }
}
