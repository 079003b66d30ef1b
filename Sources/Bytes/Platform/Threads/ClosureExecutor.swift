/// Runs tasks wherever a closure takes their work: on an event loop, a pool's threads, or a thread of its own.
package final class ClosureExecutor: TaskExecutor {
    private let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter run: gets each piece of work, and must run it once, sooner or later. A task whose work is dropped
    ///   never ends.
    package init(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.run = run }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
