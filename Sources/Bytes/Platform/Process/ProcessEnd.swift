internal import Libc

/// How a process ends when it cannot go on.
package enum ProcessEnd {
    /// Writes bytes to standard error and ends the process at once. Nothing on this path allocates, so it works
    /// without memory, and in any thread.
    package static func now(_ status: Int32, saying message: [UInt8]) -> Never {
        try? FileDescriptor(borrowing: FileDescriptor.standardError).write(message)
        _exit(status)
    }
}
