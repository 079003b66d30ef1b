internal import Dispatch

/// Runs tasks on a thread of its own.
///
/// Synchronous verification may block every thread that Swift's tasks share until an answer is there. The
/// task that fetches the answer therefore needs another thread, which it may block as well.
final class DispatchTaskExecutor: TaskExecutor {
    // Dispatch starts a thread for a serial queue even if the threads of its concurrent queues are all busy.
    private let queue = DispatchQueue(label: "storekit-verify.revocation")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
