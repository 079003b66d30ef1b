#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A system call that failed.
struct SystemError: Error, Equatable, CustomStringConvertible {
    let number: Int32

    /// The failure of the call just made.
    static var last: SystemError { SystemError(number: errno) }
    /// A reader that went away.
    static let brokenPipe = SystemError(number: EPIPE)
    /// A file larger than anybody would want to read whole.
    static let fileTooLarge = SystemError(number: EFBIG)

    var description: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: text, as: UTF8.self)
    }
}

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

    /// Puts something in the place of each standard stream that the caller closed, before anything else is
    /// opened: otherwise an input file or a pipe would take its number, and get our results or be read as
    /// standard input. The stand-in fails as a closed stream does, for it is open the wrong way round.
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

    /// Reads what is there, at most so many bytes, to the place in the buffer; 0 at the end of the file.
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

    /// Whether there is something to read, or the end of it, within so many milliseconds.
    func hasInput(within milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&descriptor, 1, milliseconds) > 0
    }

    /// Lets a pipe hold as much as the system allows everyone, so that a fast writer and this reader take
    /// fewer turns; of no consequence where it is no pipe.
    func enlargePipe() {
        #if os(Linux)
            // F_SETPIPE_SZ, which Glibc's module map does not show.
            _ = fcntl(number, 1031, 1 << 20)
        #endif
    }

    /// Waits until the descriptor or the other one has something to read.
    func waitForInput(or other: Int32) {
        var descriptors = [
            pollfd(fd: number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        // A signal ends the wait before anybody has written that it came; what was waited for is not there yet.
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
    return unsafe open(path, mode | O_CLOEXEC)
}

private func systemRead(_ number: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(number, start, count)
}

private func systemWrite(_ number: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(number, start, count)
}
