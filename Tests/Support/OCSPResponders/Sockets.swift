#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// TCP sockets on loopback.
package enum Sockets {
    /// Listens on a free port.
    static func listen() throws -> (socket: Int32, port: UInt16) {
        let socket = try open()
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(socket, pointer, length) == 0 && getsockname(socket, pointer, &length) == 0
            }
        }
        guard isBound, systemListen(socket, 256) == 0 else {
            close(socket)
            throw ResponderError.noSocket
        }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// How many descriptors of this process are connections to a port on loopback.
    package static func connectionCount(to port: UInt16) -> Int {
        unsafe descriptors(with: port) { unsafe getpeername($0, $1, $2) }.count
    }

    /// The descriptors of this process that are sockets of a server on a port, and those of them that a new process
    /// would inherit.
    package static func sockets(ofServer port: UInt16) -> (all: Int, inherited: Int) {
        let all = unsafe descriptors(with: port) { unsafe getsockname($0, $1, $2) }
        return (all.count, all.count { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 })
    }

    /// The descriptors of this process for which the system call gives an IPv4 address with the port.
    private static func descriptors(
        with port: UInt16,
        _ call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> [Int32] {
        (Int32(0)..<8192).filter { descriptor in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isSocket = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe call(descriptor, pointer, &length) == 0
                }
            }
            return isSocket && address.sin_family == sa_family_t(AF_INET)
                && UInt16(bigEndian: address.sin_port) == port
        }
    }

    /// A port without a listener.
    package static func deadPort() throws -> UInt16 {
        let (socket, port) = try listen()
        close(socket)
        return port
    }

    /// The next connection; negative once the listener does not accept any more.
    ///
    /// Other tests start processes meanwhile. A process that inherited a connection would keep it open after the
    /// server has closed it, and the client would wait for its end. Swift sees no `accept4`, which would leave no
    /// moment between the two calls.
    static func accept(_ listener: Int32) -> Int32 {
        let connection = systemAccept(listener, nil, nil)
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        return connection
    }

    /// Makes `accept` fail, also on a thread that already waits in it.
    static func endAccepting(on listener: Int32) { _ = shutdown(listener, Int32(SHUT_RDWR)) }

    static func close(_ socket: Int32) { systemClose(socket) }

    /// The bytes received; empty at the end of the connection.
    static func receive(from socket: Int32) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            count = max(0, unsafe recv(socket, buffer.baseAddress, buffer.count, 0))
        }
    }

    /// Whether all bytes were sent.
    @discardableResult
    static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes { buffer in
                unsafe systemSend(socket, buffer.baseAddress, buffer.count)
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends bytes to a port, and returns all bytes received until the connection ends.
    static func exchange(_ bytes: [UInt8], with port: UInt16) -> [UInt8]? {
        guard let socket = try? open() else { return nil }
        defer { close(socket) }
        var address = loopback(port: port)
        let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(socket, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected, send(bytes, to: socket) else { return nil }
        var answer: [UInt8] = []
        while case let more = receive(from: socket), !more.isEmpty { answer += more }
        return answer
    }

    private static func open() throws -> Int32 {
        #if canImport(Glibc)
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
            let socket = socket(AF_INET, SOCK_STREAM, 0)
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        #endif
        guard socket >= 0 else { throw ResponderError.noSocket }
        return socket
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}

// The C library's functions, under names that do not clash with those above.

private func systemListen(_ socket: Int32, _ backlog: Int32) -> Int32 { listen(socket, backlog) }

private func systemClose(_ socket: Int32) { _ = close(socket) }

private func systemAccept(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: UnsafeMutablePointer<socklen_t>?
) -> Int32 {
    unsafe accept(socket, address, length)
}

private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
        unsafe send(socket, bytes, count, 0)
    #else
        // A reader that closed the connection must not end the tests.
        unsafe send(socket, bytes, count, Int32(MSG_NOSIGNAL))
    #endif
}
