internal import Libc

extension FileDescriptor {
    /// Makes a file without a name in a folder, to write and to read. Its bytes are gone when it is closed, also when the
    /// process is killed. No other user can open it.
    ///
    /// It has a name for an instant: `O_TMPFILE` is not there on every file system.
    package static func unnamed(in folder: FileName) throws(SystemError) -> FileDescriptor {
        var path = (folder.bytes + Array("/storekit-verify-XXXXXX".utf8)).map { CChar(bitPattern: $0) } + [0]
        // The permissions are 0600.
        let number = unsafe mkstemp(&path)
        guard number >= 0 else { throw .last }
        let file = FileDescriptor(owning: number)
        guard unsafe unlink(path) == 0, fcntl(number, F_SETFD, FD_CLOEXEC) == 0 else { throw .last }
        return file
    }

    /// Writes all bytes to a file, from an offset.
    ///
    /// - Throws: if the disk is full, for instance. Some of the bytes may then be in the file.
    package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let result = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    number, buffer.baseAddress.map { unsafe $0 + written }, bytes.count - written,
                    off_t(offset + written))
            }
            if result >= 0 {
                written += result
            } else if errno != EINTR {
                throw .last
            }
        }
    }

    /// The bytes of a file from an offset: as many as are asked for, or fewer at the file's end.
    package func read(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var read = 0
        while read < count {
            let result = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    number, buffer.baseAddress.map { unsafe $0 + read }, count - read, off_t(offset + read))
            }
            if result == 0 { break }
            if result > 0 {
                read += result
            } else if errno != EINTR {
                throw .last
            }
        }
        bytes.removeLast(count - read)
        return bytes
    }

    /// Gives all of a file's room on the disk back.
    package func empty() throws(SystemError) { try cut(to: 0) }
}
