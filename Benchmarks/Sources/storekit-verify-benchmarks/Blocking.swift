import Dispatch
import Synchronization

/// Waits for asynchronous work from synchronous code, because the call of a benchmark must end synchronously.
enum Blocking {
    /// Runs the work on another thread and waits for its value.
    static func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
        let result = Box<Value>()
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            let value = await work()
            result.value.withLock { $0 = value }
            done.signal()
        }
        while true {
            done.wait()
            if let value = result.value.withLock({ $0 }) { return value }
        }
    }

    private final class Box<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}
