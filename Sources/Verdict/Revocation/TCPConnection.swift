#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The moment at which an exchange must have ended.
struct Deadline: Sendable {
    let end: ContinuousClock.Instant

    init(after time: Duration) { end = .now + time }

    private init(end: ContinuousClock.Instant) { self.end = end }

    /// The time that is left; negative after the end.
    var rest: Duration { ContinuousClock.now.duration(to: end) }

    /// A deadline for one of `count` attempts, all of which have the rest of the time.
    func share(of count: Int) -> Deadline { Deadline(end: .now + rest / max(1, count)) }

    /// Throws if the time is up or the task was cancelled.
    func check() throws(OCSPHTTPError) {
        if Task.isCancelled { throw .cancelled }
        if rest <= .zero { throw .timeout }
    }
}

/// A TCP connection that never blocks beyond a deadline; owns one descriptor.
struct TCPConnection: ~Copyable {
    private let descriptor: Int32

    deinit { _ = close(descriptor) }

    /// How long one wait takes at most, in milliseconds. A cancelled task ends after one wait.
    private static let slice: Int64 = 50

    /// How many bytes are received at once at most: several times a genuine answer.
    private static let chunk = 16_384

    /// The most addresses of a host that are tried.
    private static let maximumAddresses = 8

    /// Connects to the first address of the host that accepts a connection. Each address is tried once.
    ///
    /// The system's resolver has time-outs of its own and cannot be interrupted: where it answers late, this
    /// ends late.
    static func open(
        to address: ResponderAddress, within deadline: Deadline
    ) throws(OCSPHTTPError) -> TCPConnection {
        let list = try AddressList(of: address)
        let count = min(list.count, maximumAddresses)
        var failure = OCSPHTTPError.name("the resolver found none")
        for index in 0..<count {
            try deadline.check()
            do throws(OCSPHTTPError) {
                let candidate = try TCPConnection(list.entry(index))
                try candidate.establish(list.entry(index), within: deadline.share(of: count - index))
                return candidate
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Makes a socket that neither blocks nor outlives an `exec`.
    private init(_ entry: AddressList.Entry) throws(OCSPHTTPError) {
        descriptor = socket(entry.family, entry.type | Self.closesOnExec, entry.protocol)
        guard descriptor >= 0 else { throw Self.error("no socket") }
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw Self.error("no socket") }
        #if canImport(Darwin)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            // Where the peer has closed, a write fails and raises no signal. Linux has a flag for each write.
            var isOn: Int32 = 1
            let length = socklen_t(MemoryLayout<Int32>.size)
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, length)
        #endif
    }

    private func establish(_ entry: AddressList.Entry, within deadline: Deadline) throws(OCSPHTTPError) {
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
    func sendAll(_ bytes: [UInt8], within deadline: Deadline) throws(OCSPHTTPError) {
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
    func receive(
        into bytes: inout [UInt8], maximum: Int, within deadline: Deadline
    ) throws(OCSPHTTPError) -> Bool {
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
    private func wait(for events: Int16, within deadline: Deadline) throws(OCSPHTTPError) {
        while true {
            try deadline.check()
            // Rounded up: a wait of 0 ms would spin.
            let milliseconds = min(deadline.rest.milliseconds + 1, Self.slice)
            var request = pollfd(fd: descriptor, events: events, revents: 0)
            let count = unsafe poll(&request, 1, Int32(max(1, milliseconds)))
            if count > 0 { return }
            guard count == 0 || errno == EINTR || errno == EAGAIN else { throw Self.error("waiting failed") }
        }
    }

    private static func error(_ action: String, _ number: Int32 = errno) -> OCSPHTTPError {
        let reason = unsafe strerror(number).map { unsafe String(cString: $0) }
        return .connection("\(action): \(reason ?? "error \(number)")")
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

/// The addresses of a host, by the system's resolver; owns one list of `addrinfo`.
@safe
private struct AddressList: ~Copyable {
    private let first: UnsafeMutablePointer<addrinfo>?

    deinit { unsafe freeaddrinfo(first) }

    init(of address: ResponderAddress) throws(OCSPHTTPError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
            unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            unsafe hints.ai_socktype = SOCK_STREAM
        #endif
        unsafe hints.ai_flags = AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(address.host, "\(address.port)", &hints, &found)
        guard status == 0 else {
            throw .name(unsafe gai_strerror(status).map { unsafe String(cString: $0) } ?? "error \(status)")
        }
        unsafe first = found
    }

    var count: Int {
        var (count, next) = unsafe (0, first)
        while let entry = unsafe next {
            count += 1
            unsafe next = entry.pointee.ai_next
        }
        return count
    }

    /// One address; it belongs to the list.
    func entry(_ index: Int) -> Entry {
        var next = unsafe first
        for _ in 0..<index { unsafe next = next?.pointee.ai_next }
        return unsafe Entry(info: next)
    }

    /// One address of a list that must outlive it.
    @safe
    struct Entry {
        let info: UnsafeMutablePointer<addrinfo>?

        var family: Int32 { unsafe info?.pointee.ai_family ?? AF_UNSPEC }
        var type: Int32 { unsafe info?.pointee.ai_socktype ?? 0 }
        var `protocol`: Int32 { unsafe info?.pointee.ai_protocol ?? 0 }

        /// The status of `connect(2)` to this address.
        func connect(_ descriptor: Int32) -> Int32 {
            guard let info = unsafe info else { return -1 }
            return unsafe systemConnect(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen)
        }
    }
}

/// The system's `connect`, which a method of the same name hides.
private func systemConnect(
    _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: socklen_t
) -> Int32 {
    unsafe connect(descriptor, address, length)
}
