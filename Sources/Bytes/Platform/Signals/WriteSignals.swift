#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The signals that end a process because of a write.
package enum WriteSignals {
    /// Makes `write` report a reader that closed the pipe, and a file that would exceed its size limit. Otherwise
    /// these would end the process.
    package static func ignore() {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
    }
}
