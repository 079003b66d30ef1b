internal import Synchronization

/// Payloads of requests that came at about the same time, verified together.
///
/// Nobody waits for others to come: while there is a core to spare, a payload is verified at once, alone if it
/// is alone. What comes while all cores are verifying is the next batch. So batches grow with the load, as with
/// a database's group commit, and an idle server adds no delay.
final class CoalescedRequests: Sendable {
    typealias Verdict = Result<VerifiedPayload, VerificationError>
    /// Verifies payloads, and gives the place of each and the verdict as soon as it is there.
    typealias Verify = @Sendable ([String], (Int, Verdict) -> Void) -> Void

    /// How many payloads are verified together at most. More would save little (see the benchmarks' batch
    /// sizes), and keep each of them waiting.
    static let maximumBatch = 64

    private struct Request {
        let token: String
        let continuation: CheckedContinuation<Verdict, Never>
    }

    private struct State {
        /// Requests in the order in which they came; those before `first` have been taken.
        var waiting: [Request] = []
        var first = 0
        /// How many batches are being verified.
        var running = 0

        mutating func takeBatch() -> [Request] {
            let batch = Array(waiting[first..<min(first + CoalescedRequests.maximumBatch, waiting.count)])
            first += batch.count
            // Those that were taken are let go of now and then, for the rest has to move.
            if first == waiting.count || first >= 1024 {
                waiting.removeFirst(first)
                first = 0
            }
            return batch
        }
    }

    private let state = Mutex(State())
    private let jobs: Int

    /// - Parameter jobs: how many batches may be verified at a time.
    init(jobs: Int) { self.jobs = jobs }

    /// Verifies a payload, together with others that are there.
    func verdict(on token: String, verifiedBy verify: @escaping Verify) async -> Verdict {
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

    /// Verifies batches until nobody waits. Between batches, others get the thread.
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
