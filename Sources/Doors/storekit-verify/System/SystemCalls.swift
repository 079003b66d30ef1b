import Platform

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file descriptor. Those of the process are borrowed; those opened here are closed at the end.
struct FileDescriptor: ~Copyable {
    static let standardInput: Int32 = 0
    static let standardOutput: Int32 = 1
    static let standardError: Int32 = 2

    let number: Int32
    private let isOwned: Bool

    init(borrowing number: Int32) {
        self.number = number
        isOwned = false
    }

    private init(owning number: Int32) {
        self.number = number
        isOwned = true
    }

    /// Opens a file for reading.
    static func open(_ file: FileName) throws(SystemError) -> FileDescriptor {
        let opened = retrying { systemOpen(file.bytes, O_RDONLY) }
        guard opened >= 0 else { throw .last }
        return FileDescriptor(owning: opened)
    }

    /// Makes a file, or empties it, for writing.
    static func create(_ file: FileName) throws(SystemError) -> FileDescriptor {
        let opened = retrying { systemOpen(file.bytes, O_WRONLY | O_CREAT | O_TRUNC) }
        guard opened >= 0 else { throw .last }
        return FileDescriptor(owning: opened)
    }

    /// Opens a substitute for each standard stream that the caller closed. This must come before any other
    /// file is opened: an input file or a pipe would otherwise take the stream's number. It would then
    /// receive our results, or be read as standard input. The substitute fails as a closed stream does,
    /// because it is open for the wrong direction.
    static func reserveStandardStreams() {
        for number in standardInput...standardError where fcntl(number, F_GETFD) == -1 {
            _ = systemOpen(Array("/dev/null".utf8), number == standardInput ? O_WRONLY : O_RDONLY)
        }
    }

    deinit { if isOwned { close(number) } }

    /// Whether it is a terminal.
    static func isTerminal(_ number: Int32) -> Bool { isatty(number) == 1 }

    /// The length of a regular file, in bytes.
    var regularFileBytes: Int? {
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Whether it is a pipe.
    var isPipe: Bool {
        var status = stat()
        return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Reads the available bytes, at most `count`, into the buffer from `start`. Returns 0 at the end of the
    /// file.
    func read(into buffer: inout [UInt8], at start: Int, atMost count: Int) throws(SystemError) -> Int {
        while true {
            let result = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe systemRead(number, bytes.baseAddress.map { unsafe $0 + start }, count)
            }
            if result >= 0 { return result }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilReady(number, for: Int16(POLLIN))
            default: throw .last
            }
        }
    }

    /// Writes all bytes.
    func write(_ bytes: [UInt8]) throws(SystemError) { try write(bytes, bytes.indices) }

    /// Writes all bytes of the range.
    func write(_ bytes: [UInt8], _ range: Range<Int>) throws(SystemError) {
        var written = range.lowerBound
        while written < range.upperBound {
            let result = unsafe bytes.withUnsafeBytes { buffer in
                unsafe systemWrite(
                    number, buffer.baseAddress.map { unsafe $0 + written }, range.upperBound - written)
            }
            if result >= 0 {
                written += result
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilReady(number, for: Int16(POLLOUT))
            default: throw .last
            }
        }
    }

    /// Whether there is input, or its end, within this many milliseconds.
    func hasInput(within milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&descriptor, 1, milliseconds) > 0
    }

    /// Gives a pipe a larger capacity, so that its reader and its writer switch less often. Does nothing if this is not
    /// a pipe, and if the system allows no more.
    ///
    /// - Parameter bytes: every user may request up to 1 MiB for a pipe, and 64 MiB for all pipes together.
    func enlargePipe(to bytes: Int32) {
        #if os(Linux)
            // F_SETPIPE_SZ, which Glibc's module map does not show.
            _ = fcntl(number, 1031, bytes)
        #endif
    }

    /// Waits until this descriptor or the other one is readable.
    func waitForInput(or other: Int32) {
        var descriptors = [
            pollfd(fd: number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        // A signal can end the wait before a stop request makes a descriptor readable, so wait again.
        while unsafe poll(&descriptors, 2, -1) < 0, errno == EINTR {}
    }
}

/// The content of a file, or of standard input for `-`.
func readFile(_ name: FileName, maximumBytes: Int) throws(SystemError) -> [UInt8] {
    let file =
        name == .standardInput
        ? FileDescriptor(borrowing: FileDescriptor.standardInput) : try FileDescriptor.open(name)
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = try file.read(into: &chunk, at: 0, atMost: chunk.count), count > 0 {
        content.append(contentsOf: chunk[..<count])
        guard content.count <= maximumBytes else { throw .fileTooLarge }
    }
    return content
}

private func waitUntilReady(_ number: Int32, for event: Int16) {
    var descriptor = pollfd(fd: number, events: event, revents: 0)
    _ = unsafe poll(&descriptor, 1, -1)
}

private func retrying(_ call: () -> Int32) -> Int32 {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

private func systemOpen(_ path: [UInt8], _ mode: Int32) -> Int32 {
    let path = path.map { CChar(bitPattern: $0) } + [0]
    return unsafe open(path, mode | O_CLOEXEC, 0o666)
}

private func systemRead(_ number: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(number, start, count)
}

private func systemWrite(_ number: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(number, start, count)
}
