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

    private typealias Work = @Sendable (SliceWorker) -> Void

    /// Slices that nobody works on yet, in their order, and the workers that nobody uses.
    private struct State {
        /// Those that were taken are `nil`: nothing of theirs may live on.
        var waiting: [Work?] = []
        var first = 0
        var idle: [SliceWorker]

        mutating func takeWork() -> Work? {
            guard first < waiting.count else { return nil }
            let work = waiting[first]
            waiting[first] = nil
            first += 1
            if first == waiting.count || first >= 1024 {
                waiting.removeFirst(first)
                first = 0
            }
            return work
        }
    }

    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "storekit-verify.verification", attributes: .concurrent)
    private let running = DispatchGroup()

    init(_ workers: [SliceWorker]) { state = Mutex(State(idle: workers)) }

    /// Has a slice verified.
    func start(_ lines: Range<Int>, of batch: LineReader.Batch, writer: VerdictWriter) -> Task {
        let task = Task()
        let worker = state.withLock { state in
            state.waiting.append { worker in
                task.finish(worker.verdicts(on: lines, of: batch, writer: writer))
            }
            return state.idle.popLast()
        }
        if let worker { queue.async(group: running) { [self] in run(worker) } }
        return task
    }

    /// Forgets slices that nobody works on, and waits for the others: a process must not end while its threads
    /// are inside libcrypto, which cleans up at its end.
    func stop() {
        state.withLock { state in
            state.waiting = []
            state.first = 0
        }
        running.wait()
    }

    /// Works until nothing waits.
    private func run(_ worker: SliceWorker) {
        while true {
            let work = state.withLock { state in
                let work = state.takeWork()
                if work == nil { state.idle.append(worker) }
                return work
            }
            guard let work else { return }
            work(worker)
        }
    }
}
