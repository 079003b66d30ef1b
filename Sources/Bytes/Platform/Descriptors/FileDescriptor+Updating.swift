#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Files that a process goes on with after it was ended.
extension FileDescriptor {
    /// Keeps the file from others who ask for the same, until it is closed or the process ends.
    ///
    /// - Returns: whether no one else has it.
    package func lock() throws(SystemError) -> Bool {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw .last }
        }
        return true
    }

    /// Lets no other user read or write the file.
    package func makePrivate() throws(SystemError) {
        guard fchmod(number, S_IRUSR | S_IWUSR) == 0 else { throw .last }
    }

    /// Cuts the file off, and writes on from there.
    package func cut(to bytes: Int) throws(SystemError) {
        while ftruncate(number, off_t(bytes)) != 0 {
            guard errno == EINTR else { throw .last }
        }
        guard lseek(number, off_t(bytes), SEEK_SET) >= 0 else { throw .last }
    }
}
