#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A port on loopback. The system accepts its connections, but no byte is ever read from them.
package final class DeafServer: Sendable {
    /// The port.
    package let port: UInt16
    private let listener: Int32

    /// Starts to listen.
    package init() throws { (listener, port) = try Sockets.listen() }

    deinit { Sockets.close(listener) }

    /// Accepts the next connection, shuts down its sending side, and closes it a little later without reading
    /// from it.
    ///
    /// In this order, a client that is still sending gets the error EPIPE, with the signal SIGPIPE.
    package func closeNextConnection() {
        let connection = Sockets.accept(listener)
        _ = shutdown(connection, Int32(SHUT_WR))
        usleep(200_000)
        Sockets.close(connection)
    }

    /// The server's address, as a certificate names it.
    package var url: String { "http://127.0.0.1:\(port)/ocsp" }
}

/// Detects whether SIGPIPE was raised on a thread of this process.
package enum BrokenPipes {
    /// Blocks the signal, so that it stays pending and does not end the process. For a thread that ends soon.
    package static func block() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Whether the signal was raised on this thread after `block()`.
    package static var wasRaised: Bool {
        var signals = sigset_t()
        unsafe sigpending(&signals)
        return unsafe sigismember(&signals, SIGPIPE) == 1
    }

    /// Raises the signal by a write to a pipe without a reader.
    package static func writeIntoBrokenPipe() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        // A process that another test starts now would be a reader.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        Sockets.close(ends[0])
        _ = unsafe write(ends[1], "x", 1)
        Sockets.close(ends[1])
    }
}
