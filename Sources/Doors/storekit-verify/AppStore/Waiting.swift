#if ServerAPI
    import ArgumentParser
    import CommandSupport
    import Dispatch
    import Platform
    import Synchronization

    /// Runs asynchronous work to its end, while the calling thread waits. A stop request cancels the work.
    ///
    /// - Throws: an exit status, after a message, if the system gives no thread.
    func waiting<Value: Sendable>(
        _ stopRequest: StopRequest, for body: @escaping @Sendable () async -> Value
    ) throws(ExitCode) -> Value {
        let awaited = Awaited<Value>()
        let ended = DispatchSemaphore(value: 0)
        let task = Task {
            let value = await body()
            awaited.value.withLock { $0 = value }
            ended.signal()
        }
        do throws(SystemError) {
            try Threads.detach {
                FileDescriptor(borrowing: stopRequest.descriptor).waitForInput(or: stopRequest.descriptor)
                task.cancel()
            }
        } catch {
            task.cancel()
            StandardError.say("no thread to listen for signals: \(error)")
            throw .noResources
        }
        ended.wait()
        // The work signals after its value is there.
        guard let value = awaited.value.withLock(\.self) else { throw .noResources }
        return value
    }

    private final class Awaited<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
#endif
