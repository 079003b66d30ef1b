internal import Libc

/// The addresses of a host, by the system's resolver; owns one list of `addrinfo`.
@safe
struct HostAddresses: ~Copyable {
    private let first: UnsafeMutablePointer<addrinfo>?

    deinit { unsafe freeaddrinfo(first) }

    /// Both IPv4 and IPv6, in the order that the resolver prefers (RFC 6724). The call blocks its thread.
    init(of host: String, port: UInt16) throws(ConnectionError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
            unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            unsafe hints.ai_socktype = SOCK_STREAM
        #endif
        unsafe hints.ai_flags = AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, "\(port)", &hints, &found)
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
    ///
    /// - Parameter index: below `count`. The list is walked each time; it has a few elements.
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
