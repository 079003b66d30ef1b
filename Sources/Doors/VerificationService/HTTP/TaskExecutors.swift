#if Service
    internal import NIOCore
    internal import NIOPosix
    internal import Platform

    extension ClosureExecutor {
        /// Runs tasks on an event loop's thread, where the bytes arrive that they wait for: nothing has to wake another thread.
        convenience init(_ eventLoop: any EventLoop) { self.init { eventLoop.execute($0) } }

        /// Runs tasks on a pool's threads, as many at a time as there are.
        convenience init(_ threads: NIOThreadPool) {
            // A task ends, whether or not the pool is ending.
            self.init { work in threads.submit { _ in work() } }
        }
    }
#endif
