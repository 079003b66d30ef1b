import Dispatch
import Synchronization

/// Cores that verify slices of lines, as many at a time as there are jobs; whoever handed a slice in waits for
/// its verdicts when it is their turn to be written.
final class VerificationPool: Sendable {
    /// A slice that is or will be worked on.
    final class Task: Sendable {
        private let verdicts = Mutex<VerdictSlice?>(nil)
        private let isDone = DispatchSemaphore(value: 0)

        fileprivate func finish(_ slice: VerdictSlice) {
            verdicts.withLock { $0 = slice }
            isDone.signal()
        }

        /// Waits for the verdicts; once only.
        func wait() -> VerdictSlice {
            isDone.wait()
            return verdicts.withLock { verdicts in
                defer { verdicts = nil }
                return verdicts ?? VerdictSlice()
            }
        }
    }

    /// Slices that nobody works on yet, and the workers that nobody uses.
    private struct State: ~Copyable {
        var waiting: [@Sendable (SliceWorker) -> Void] = []
        var next = 0
        var idle: [SliceWorker]
    }

    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "storekit-verify.verification", attributes: .concurrent)

    init(_ workers: [SliceWorker]) { state = Mutex(State(idle: workers)) }

    /// Has a slice verified.
    func start(_ lines: Range<Int>, of batch: LineReader.Batch, writer: VerdictWriter) -> Task {
        let task = Task()
        let work: @Sendable (SliceWorker) -> Void = { worker in
            task.finish(worker.verdicts(on: lines, of: batch, writer: writer))
        }
        let worker = state.withLock { state in
            if state.idle.isEmpty { state.waiting.append(work) }
            return state.idle.popLast()
        }
        // A worker that is awake goes on until nothing waits.
        if let worker { queue.async { [self] in run(work, on: worker) } }
        return task
    }

    private func run(_ first: @escaping @Sendable (SliceWorker) -> Void, on worker: SliceWorker) {
        var work = first
        while true {
            work(worker)
            let next = state.withLock { state -> (@Sendable (SliceWorker) -> Void)? in
                guard state.next < state.waiting.count else {
                    state.waiting.removeAll(keepingCapacity: true)
                    state.next = 0
                    state.idle.append(worker)
                    return nil
                }
                defer { state.next += 1 }
                return state.waiting[state.next]
            }
            guard let next else { return }
            work = next
        }
    }
}
