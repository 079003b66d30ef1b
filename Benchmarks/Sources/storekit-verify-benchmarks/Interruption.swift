import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Handles Ctrl-C, so that it does not leave gigabytes of tokens behind: the run ends with an error and
/// cleans up.
enum Interruption {
    struct Interrupted: Error, CustomStringConvertible {
        let description = "interrupted"
    }

    private static let flag = Atomic(false)

    /// Records Ctrl-C from now on. Ctrl-C still ends the processes that are started, because handlers do not
    /// survive `exec`.
    static func watch() {
        // Initializes the flag here, because a signal handler must not do it.
        flag.store(false, ordering: .relaxed)
        for number in [SIGINT, SIGTERM] {
            _ = signal(number) { _ in Interruption.flag.store(true, ordering: .relaxed) }
        }
    }

    static func check() throws(Interrupted) {
        if flag.load(ordering: .relaxed) { throw Interrupted() }
    }
}
