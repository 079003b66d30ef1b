#if Service
    internal import NIOPosix
    internal import Synchronization

    /// The threads of one app whose verification may wait for an OCSP responder: as many as all other apps share.
    ///
    /// A responder that does not answer holds a thread for seconds. On the shared threads, it would hold up every app.
    final class WaitingThreads: Sendable {
        private enum State {
            /// Most apps get no receipt, batch or inspection.
            case unused
            case running(NIOThreadPool)
            case ended
        }

        private let state = Mutex(State.unused)

        /// - Parameter shared: the threads of the apps that never wait.
        /// - Returns: the app's own threads. They take no work after `end()`.
        func pool(like shared: NIOThreadPool) -> NIOThreadPool {
            state.withLock { state in
                if case .running(let pool) = state { return pool }
                let pool = NIOThreadPool(numberOfThreads: shared.numberOfThreads)
                if case .unused = state {
                    pool.start()
                    state = .running(pool)
                }
                return pool
            }
        }

        /// Ends the threads, when their work is done.
        func end() async {
            let pool = take()
            try? await pool?.shutdownGracefully()
        }

        /// A reload releases an app behind its last request: its threads are idle.
        deinit { take()?.shutdownGracefully { _ in } }

        private func take() -> NIOThreadPool? {
            state.withLock { state in
                defer { state = .ended }
                if case .running(let pool) = state { return pool } else { return nil }
            }
        }
    }
#endif
