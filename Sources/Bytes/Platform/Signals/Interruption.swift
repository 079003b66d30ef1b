internal import Libc

/// Listens for Ctrl-C and `SIGTERM`. Work that has begun is finished, so that only whole lines are written.
package final class Interruption {
    /// The request that a signal makes.
    package let request: StopRequest

    /// How long to wait until a stop request is met: 200 times 10,000 microseconds, two seconds in all.
    private static let patience = (turns: 200, microseconds: UInt32(10_000))

    /// Listens for signals from now on. Only `write` reports that a reader has closed the pipe.
    package init() throws(SystemError) {
        let request = try StopRequest()
        self.request = request
        WriteSignals.ignore()
        // Threads started from now on inherit this mask, so that signals go to the thread that waits for
        // them.
        Self.setMask(SIG_BLOCK)
        // The parent process may have ignored these signals. An ignored signal need not reach the waiting
        // thread.
        for number in Self.signals { signal(number, SIG_DFL) }
        do throws(SystemError) {
            try Threads.detach { Self.wait(toMake: request) }
        } catch {
            Self.setMask(SIG_UNBLOCK)
            throw error
        }
    }

    private static var signals: [Int32] { [SIGINT, SIGTERM] }

    private static var signalSet: sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in signals { unsafe sigaddset(&set, number) }
        return set
    }

    /// The mask of the calling thread. Threads that exist already keep theirs.
    private static func setMask(_ change: Int32) {
        var set = signalSet
        unsafe pthread_sigmask(change, &set, nil)
    }

    /// Waits for a signal. The process ends at once if a second signal comes, or if the output's reader
    /// stalls so that the request cannot be met.
    private static func wait(toMake request: StopRequest) {
        var set = signalSet
        var number: Int32 = 0
        while unsafe sigwait(&set, &number) != 0 {}
        request.make(number)
        for _ in 0..<patience.turns {
            usleep(patience.microseconds)
            var pending = sigset_t()
            guard unsafe sigpending(&pending) == 0 else { continue }
            for second in signals where unsafe sigismember(&pending, second) == 1 { _exit(128 + second) }
        }
        _exit(128 + number)
    }

    /// Ends the process by the signal that came, so that its parent sees the cause. Does nothing if none
    /// came.
    package func endProcess() {
        let number = request.signalNumber
        guard number != 0 else { return }
        // Raised before it is unblocked, so that this thread gets the signal and ends by it.
        raise(number)
        Self.setMask(SIG_UNBLOCK)
        _exit(128 + number)
    }
}
