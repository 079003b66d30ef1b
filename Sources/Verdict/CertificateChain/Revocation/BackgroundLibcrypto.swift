internal import Synchronization

/// Serialises the calls into libcrypto that background threads make, and refuses them once the process is
/// about to end.
///
/// libcrypto frees its state when a process exits. A thread that still ran in it would read freed memory.
final class BackgroundLibcrypto: Sendable {
    private let isClosed = Mutex(false)

    /// Runs the body while no other caller's body runs. After `close()`, it returns `closed` instead.
    func run<Success, Failure>(
        orIfClosed closed: Failure, _ body: () -> Result<Success, Failure>
    ) -> Result<Success, Failure> {
        isClosed.withLock { isClosed in isClosed ? .failure(closed) : body() }
    }

    /// Waits for the body that runs, and lets no other begin.
    func close() { isClosed.withLock { $0 = true } }
}
