internal import Libc

/// A TCP connection that never blocks beyond a deadline; owns one descriptor.
package struct TCPConnection: ~Copyable {
    private let socket: FileDescriptor

    private var descriptor: Int32 { socket.number }

    /// How long one wait takes at most, in milliseconds. A cancelled task ends after one wait.
    private static let slice: Int32 = 50

    /// How many bytes are received at once at most: several times a genuine answer.
    private static let chunk = 16_384

    /// The most addresses of a host that are tried.
    private static let maximumAddresses = 8

    /// Connects to the first address of the host that accepts a connection. Each address is tried once.
    ///
    /// The system's resolver has time-outs of its own and cannot be interrupted: where it answers late, this
    /// ends late.
    package static func open(
        host: String, port: UInt16, within deadline: Deadline
    ) throws(ConnectionError) -> TCPConnection {
        let list = try HostAddresses(of: host, port: port)
        let count = min(list.count, maximumAddresses)
        var failure = ConnectionError.name("the resolver found none")
        for index in 0..<count {
            try deadline.check()
            do throws(ConnectionError) {
                let candidate = TCPConnection(try socket(for: list.entry(index)))
                try candidate.establish(list.entry(index), within: deadline.share(of: count - index))
                return candidate
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private init(_ socket: consuming FileDescriptor) { self.socket = socket }

    /// Makes a socket that neither blocks nor outlives an `exec`.
    ///
    /// - Throws: `ConnectionError.call` if the process has no descriptor left.
    private static func socket(for entry: HostAddresses.Entry) throws(ConnectionError) -> FileDescriptor {
        let descriptor = systemSocket(entry.family, entry.type | closesOnExec, entry.protocol)
        guard descriptor >= 0 else { throw error("no socket") }
        let socket = FileDescriptor(owning: descriptor)
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw error("no socket") }
        #if canImport(Darwin)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            // Where the peer has closed, a write fails and raises no signal. Linux has a flag for each write.
            var isOn: Int32 = 1
            let length = socklen_t(MemoryLayout<Int32>.size)
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, length)
        #endif
        return socket
    }

    /// A connection in progress becomes writable when it stands or has failed; `SO_ERROR` says which
    /// (connect(2)).
    private func establish(_ entry: HostAddresses.Entry, within deadline: Deadline) throws(ConnectionError) {
        if entry.connect(descriptor) == 0 { return }
        guard errno == EINPROGRESS || errno == EINTR else { throw Self.error("no connection") }
        try wait(for: Int16(POLLOUT), within: deadline)
        var failure: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &length) == 0 else {
            throw Self.error("no connection")
        }
        guard failure == 0 else { throw Self.error("no connection", failure) }
    }

    /// Sends all bytes. A peer that has closed is an error, and raises no SIGPIPE.
    package func sendAll(_ bytes: [UInt8], within deadline: Deadline) throws(ConnectionError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            try wait(for: Int16(POLLOUT), within: deadline)
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe send(descriptor, buffer.baseAddress, buffer.count, Self.raisesNoSignal)
            }
            if count < 0 {
                guard errno == EAGAIN || errno == EINTR else { throw Self.error("the request was not sent") }
            } else {
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Waits for bytes, and appends at most `maximum` of them. False at the end of the connection.
    package func receive(
        into bytes: inout [UInt8], maximum: Int, within deadline: Deadline
    ) throws(ConnectionError) -> Bool {
        while true {
            try wait(for: Int16(POLLIN), within: deadline)
            var count = 0
            let room = min(maximum, Self.chunk)
            let more = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, length in
                count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
                length = max(0, count)
            }
            bytes += more
            if count >= 0 { return count > 0 }
            guard errno == EAGAIN || errno == EINTR else { throw Self.error("the answer broke off") }
        }
    }

    /// Waits until the socket is ready, has failed, the time is up or the task is cancelled.
    private func wait(for events: Int16, within deadline: Deadline) throws(ConnectionError) {
        while true {
            try deadline.check()
            var request = pollfd(fd: descriptor, events: events, revents: 0)
            let count = unsafe poll(&request, 1, deadline.milliseconds(atMost: Self.slice))
            if count > 0 { return }
            guard count == 0 || errno == EINTR || errno == EAGAIN else { throw Self.error("waiting failed") }
        }
    }

    private static func error(_ action: String, _ number: Int32 = errno) -> ConnectionError {
        .call(action, SystemError(number: number))
    }

    #if canImport(Darwin)
        private static let raisesNoSignal: Int32 = 0
        private static let closesOnExec: Int32 = 0
    #else
        private static let raisesNoSignal = Int32(MSG_NOSIGNAL)
        #if canImport(Musl)
            private static let closesOnExec = Int32(SOCK_CLOEXEC)
        #else
            private static let closesOnExec = Int32(SOCK_CLOEXEC.rawValue)
        #endif
    #endif
}

/// The system's `socket`, which a property of the same name hides.
private func systemSocket(_ family: Int32, _ type: Int32, _ protocol: Int32) -> Int32 {
    socket(family, type, `protocol`)
}
