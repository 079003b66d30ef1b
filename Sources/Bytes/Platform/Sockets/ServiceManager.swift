internal import Libc

#if canImport(Darwin) || canImport(Musl)
    private let datagrams = SOCK_DGRAM
#else
    private let datagrams = Int32(SOCK_DGRAM.rawValue)
#endif

/// Notifies the service manager, systemd, of this process's state.
///
/// The protocol is that of sd_notify(3): one datagram with a line for each fact, to the socket that the environment
/// variable `NOTIFY_SOCKET` names. Without the variable there is no manager, and nothing happens.
package enum ServiceManager {
    package enum State: Sendable {
        /// The service answers. A reload ends with it too.
        case ready
        /// The service reads its configuration anew. `ready` must follow.
        case reloading
        /// The service is ending.
        case stopping
    }

    /// Notifies the manager of a state.
    ///
    /// - Parameter status: the line that `systemctl status` shows.
    /// - Throws: why the manager was not notified. The service works all the same.
    package static func notify(_ state: State, status: String) throws(SystemError) {
        guard let name = unsafe getenv("NOTIFY_SOCKET") else { return }
        let line = status.split(whereSeparator: \.isNewline).joined(separator: " ")
        try send(Array("\(assignments(of: state))\nSTATUS=\(line)\n".utf8), to: unsafe String(cString: name))
    }

    /// The manager matches the end of a reload with its request by the time of `CLOCK_MONOTONIC`, in microseconds.
    private static func assignments(of state: State) -> String {
        switch state {
        case .ready: return "READY=1"
        case .stopping: return "STOPPING=1"
        case .reloading:
            var time = timespec()
            guard unsafe clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return "RELOADING=1" }
            let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
            return "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
        }
    }

    /// - Parameter name: a path from the root, or `@` and a name of Linux's abstract space.
    private static func send(_ message: [UInt8], to name: String) throws(SystemError) {
        var (address, bytes) = (sockaddr_un(), Array(name.utf8))
        let room = MemoryLayout.size(ofValue: address.sun_path)
        // The last byte stays 0: a path ends with it.
        guard let first = bytes.first, "/@".utf8.contains(first), bytes.count < room else {
            throw SystemError(number: EINVAL)
        }
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let number = socket(AF_UNIX, datagrams, 0)
        guard number >= 0 else { throw .last }
        let descriptor = FileDescriptor(owning: number)
        // In the abstract space, each byte counts, so the length ends with the name.
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count)
        let sent = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(descriptor.number, message, message.count, 0, address, length)
            }
        }
        guard sent == message.count else { throw .last }
    }
}
