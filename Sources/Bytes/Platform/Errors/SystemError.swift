internal import Libc

/// A system call that failed.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    package let number: Int32

    /// - Parameter number: the value of `errno`.
    package init(number: Int32) { self.number = number }

    /// The failure of the last call.
    ///
    /// To be read at once: the next call of the system replaces the number.
    package static var last: SystemError { SystemError(number: errno) }
    /// The reader has closed the pipe.
    package static let brokenPipe = SystemError(number: EPIPE)
    /// The file is too large to be read as a whole.
    package static let fileTooLarge = SystemError(number: EFBIG)
    /// A file has fewer bytes than were written to it.
    package static let shortFile = SystemError(number: EIO)

    /// `strerror_r` is safe in threads, unlike `strerror`. Messages have less than 256 bytes.
    package var description: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: text, as: UTF8.self)
    }
}
