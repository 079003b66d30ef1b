internal import Libc

/// The signals that end a process because of a write.
package enum WriteSignals {
    /// Makes `write` report a reader that closed the pipe, and a file that would exceed its size limit. Otherwise
    /// these would end the process.
    package static func ignore() {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
    }

    /// Blocks `SIGPIPE` on the calling thread, which then gets the error alone.
    ///
    /// For the threads of libraries, which cannot decide for the whole process.
    package static func blockHere() {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }
}
