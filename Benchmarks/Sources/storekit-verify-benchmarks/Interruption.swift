import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Ctrl-C, which must not leave gigabytes of tokens behind: the run ends by an error, and cleans up.
enum Interruption {
    struct Interrupted: Error, CustomStringConvertible {
        let description = "interrupted"
    }

    private static let flag = Atomic(false)

    /// Takes note of Ctrl-C from now on. Processes that are started have it end them, as ever: handlers do not
    /// outlive `exec`.
    static func watch() {
        // Makes the flag, which a signal handler must not.
        flag.store(false, ordering: .relaxed)
        for number in [SIGINT, SIGTERM] {
            _ = signal(number) { _ in Interruption.flag.store(true, ordering: .relaxed) }
        }
    }

    static func check() throws(Interrupted) {
        if flag.load(ordering: .relaxed) { throw Interrupted() }
    }
}
