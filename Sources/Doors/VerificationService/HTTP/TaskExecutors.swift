#if Service
    internal import NIOCore
    internal import NIOPosix

    /// Runs tasks on an event loop's thread, where what they wait for arrives: nothing has to wake another thread.
    final class EventLoopExecutor: TaskExecutor {
        private let eventLoop: any EventLoop

        init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            eventLoop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// Runs tasks on a pool's threads, as many at a time as there are.
    final class ThreadPoolExecutor: TaskExecutor {
        private let threads: NIOThreadPool

        init(_ threads: NIOThreadPool) { self.threads = threads }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            // A task ends, whether or not the pool is ending.
            threads.submit { _ in unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
#endif
