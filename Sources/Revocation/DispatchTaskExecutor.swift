internal import Dispatch

/// Runs tasks on a thread of its own.
///
/// Whoever verifies synchronously waits for an answer, perhaps on every thread that Swift's tasks have. The task
/// that brings the answer must not need one of those.
final class DispatchTaskExecutor: TaskExecutor {
    // A serial queue gets a thread even where all others are busy.
    private let queue = DispatchQueue(label: "storekit-verify.revocation")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
