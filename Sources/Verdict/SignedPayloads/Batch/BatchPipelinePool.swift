internal import Synchronization

/// Idle workers, with the memory that they have reserved.
package final class BatchPipelinePool: Sendable {
    /// A worker that only one thread uses at a time.
    private final class Slot: Sendable {
        let worker: Mutex<BatchPipeline>

        init(_ context: BatchContext) { worker = Mutex(BatchPipeline(context)) }
    }

    /// An idle worker keeps 1 to 2 MB.
    private let maximumIdle: Int
    private let idle = Mutex<[Slot]>([])

    /// - Parameter maximumIdle: the maximum number of idle workers to keep.
    package init(maximumIdle: Int) { self.maximumIdle = maximumIdle }

    /// Runs a closure on a worker that no other thread uses meanwhile.
    package func withPipeline<Success>(
        _ context: BatchContext, _ body: (inout BatchPipeline) -> sending Success
    ) -> sending Success {
        let slot = idle.withLock { $0.popLast() } ?? Slot(context)
        defer { idle.withLock { if $0.count < maximumIdle { $0.append(slot) } } }
        return slot.worker.withLock { body(&$0) }
    }
}
