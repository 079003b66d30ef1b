internal import Libc

/// Files with which a process goes on where an earlier process ended.
extension FileDescriptor {
    /// Locks the file against other processes that call this, until it is closed or the process ends.
    ///
    /// - Returns: whether this process has the lock now; false if another process has it.
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

    /// Cuts the file to a length, and sets the place of the next write to its end.
    package func cut(to bytes: Int) throws(SystemError) {
        while ftruncate(number, off_t(bytes)) != 0 {
            guard errno == EINTR else { throw .last }
        }
        guard lseek(number, off_t(bytes), SEEK_SET) >= 0 else { throw .last }
    }
}
