internal import Libc

/// A file descriptor: those that are opened here are closed at the end, those of the process are borrowed.
///
/// Calls that a signal interrupts are repeated, and a descriptor that does not block is waited for. So another's
/// `O_NONBLOCK` on a stream that is shared with us does no harm.
package struct FileDescriptor: ~Copyable {
    package static let standardInput: Int32 = 0
    package static let standardOutput: Int32 = 1
    package static let standardError: Int32 = 2

    let number: Int32
    private let isOwned: Bool

    /// The caller keeps the descriptor open as long as this value is used.
    package init(borrowing number: Int32) {
        self.number = number
        isOwned = false
    }

    /// Takes over a descriptor, to close it.
    init(owning number: Int32) {
        self.number = number
        isOwned = true
    }

    deinit { if isOwned { _ = close(number) } }

    /// Opens a file for reading.
    package static func open(_ file: FileName) throws(SystemError) -> FileDescriptor {
        try open(file.bytes, O_RDONLY)
    }

    /// Makes a file, or empties it, for writing.
    package static func create(_ file: FileName) throws(SystemError) -> FileDescriptor {
        try open(file.bytes, O_WRONLY | O_CREAT | O_TRUNC)
    }

    /// Opens a file for reading and writing, and makes it if it does not exist.
    package static func update(_ file: FileName) throws(SystemError) -> FileDescriptor {
        try open(file.bytes, O_RDWR | O_CREAT)
    }

    /// Opens a substitute for each standard stream that the caller closed. This must come before any other
    /// file is opened: an input file or a pipe would otherwise take the stream's number. It would then
    /// receive our results, or be read as standard input. The substitute fails as a closed stream does,
    /// because it is open for the wrong direction.
    package static func reserveStandardStreams() {
        for number in standardInput...standardError where fcntl(number, F_GETFD) == -1 {
            _ = systemOpen(Array("/dev/null".utf8), number == standardInput ? O_WRONLY : O_RDONLY)
        }
    }

    /// Opening may be interrupted by a signal while a named pipe waits for its other end.
    private static func open(_ path: [UInt8], _ mode: Int32) throws(SystemError) -> FileDescriptor {
        while true {
            let opened = systemOpen(path, mode)
            if opened >= 0 { return FileDescriptor(owning: opened) }
            guard errno == EINTR else { throw .last }
        }
    }
}

/// The system's `open`, which a method of the same name hides. Programs that this one starts do not inherit the file.
///
/// The permissions are 0666 without the bits of the process's `umask`.
private func systemOpen(_ path: [UInt8], _ mode: Int32) -> Int32 {
    let path = path.map { CChar(bitPattern: $0) } + [0]
    return unsafe open(path, mode | O_CLOEXEC, 0o666)
}
