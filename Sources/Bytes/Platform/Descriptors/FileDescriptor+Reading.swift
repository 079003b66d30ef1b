internal import Libc

extension FileDescriptor {
    /// Reads the available bytes, at most `count`, into the buffer from `start`. Returns 0 at the end of the
    /// file.
    ///
    /// - Parameters:
    ///   - buffer: has at least `start + count` bytes.
    ///   - start: where the first byte goes.
    ///   - count: more than 0; with 0 the answer is 0, as at the end of the file.
    package func read(
        into buffer: inout [UInt8], at start: Int, atMost count: Int
    ) throws(SystemError) -> Int {
        while true {
            let result = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe systemRead(number, bytes.baseAddress.map { unsafe $0 + start }, count)
            }
            if result >= 0 { return result }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilReady(for: Int16(POLLIN))
            default: throw .last
            }
        }
    }
}

extension FileName {
    /// The content of the file, or of standard input for `-`.
    ///
    /// At most 64 KiB more than the maximum are held: a file that grows, or never ends, is noticed while it
    /// is read.
    ///
    /// - Throws: `SystemError.fileTooLarge` if there are more bytes than the maximum.
    package func read(maximumBytes: Int) throws(SystemError) -> [UInt8] {
        let file =
            self == .standardInput
            ? FileDescriptor(borrowing: FileDescriptor.standardInput) : try FileDescriptor.open(self)
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = try file.read(into: &chunk, at: 0, atMost: chunk.count), count > 0 {
            content.append(contentsOf: chunk[..<count])
            guard content.count <= maximumBytes else { throw .fileTooLarge }
        }
        return content
    }
}

/// The system's `read`, which a method of the same name hides.
private func systemRead(_ number: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(number, start, count)
}
