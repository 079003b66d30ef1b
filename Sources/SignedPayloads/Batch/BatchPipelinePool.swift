internal import Synchronization

/// Workers that nobody uses at the moment, with the memory that they have reserved.
final class BatchPipelinePool: Sendable {
    /// A worker that one thread at a time uses.
    private final class Slot: Sendable {
        let worker: Mutex<BatchPipeline>

        init(_ context: BatchContext) { worker = Mutex(BatchPipeline(context)) }
    }

    /// A worker keeps one to two megabytes.
    private let maximumIdle: Int
    private let idle = Mutex<[Slot]>([])

    /// - Parameter maximumIdle: how many are kept for the next use.
    init(maximumIdle: Int) { self.maximumIdle = maximumIdle }

    /// Runs something on a worker of its own.
    func withPipeline<Success>(
        _ context: BatchContext, _ body: (inout BatchPipeline) -> sending Success
    ) -> sending Success {
        let slot = idle.withLock { $0.popLast() } ?? Slot(context)
        defer { idle.withLock { if $0.count < maximumIdle { $0.append(slot) } } }
        return slot.worker.withLock { body(&$0) }
    }
}
