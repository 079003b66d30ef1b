internal import Libc

extension FileDescriptor {
    /// Whether it is a terminal.
    package static func isTerminal(_ number: Int32) -> Bool { isatty(number) == 1 }

    /// The length of a regular file, in bytes.
    package var regularFileBytes: Int? {
        status.flatMap { $0.st_mode & S_IFMT == S_IFREG ? Int($0.st_size) : nil }
    }

    /// Whether it is a pipe.
    package var isPipe: Bool { status.map { $0.st_mode & S_IFMT == S_IFIFO } ?? false }

    /// The number of a pipe: both of its ends have it, and no other open pipe does. `nil` if this is not a pipe.
    package var pipeNumber: Int? {
        status.flatMap { $0.st_mode & S_IFMT == S_IFIFO ? Int(truncatingIfNeeded: $0.st_ino) : nil }
    }

    /// The permissions of a file that other users may read or write; `nil` if only its owner may, or if this process's
    /// group may read a file that another user, such as root, owns.
    ///
    /// The second case is how service managers and orchestrators hand over secrets. PostgreSQL has the same rule for the
    /// private key of its server (its page "Secure TCP/IP Connections with SSL"). A device such as `/dev/null` keeps no
    /// content that others could read.
    package func openPermissions() throws(SystemError) -> UInt32? {
        guard let status else { throw .last }
        guard status.st_mode & S_IFMT != S_IFCHR else { return nil }
        let forbidden: UInt32 = status.st_uid == geteuid() ? 0o077 : 0o037
        let permissions = UInt32(status.st_mode) & 0o777
        return permissions & forbidden == 0 ? nil : permissions
    }

    /// `nil` if the system does not say, for instance for a closed descriptor.
    private var status: stat? {
        var status = stat()
        return unsafe fstat(number, &status) == 0 ? status : nil
    }

    /// Gives a pipe a larger capacity, so that its reader and its writer switch less often. Does nothing if this is not
    /// a pipe, and if the system allows no more.
    ///
    /// - Parameter bytes: every user may request up to 1 MiB for a pipe, and 64 MiB for all pipes together.
    package func enlargePipe(to bytes: Int32) {
        #if os(Linux)
            // F_SETPIPE_SZ, which Glibc's module map does not show.
            _ = fcntl(number, 1031, bytes)
        #endif
    }
}

extension FileName {
    /// The system's facts about the file. It is not opened: closing it again would end the locks that this process has on
    /// it.
    fileprivate var status: stat? {
        var status = stat()
        let path = bytes.map { CChar(bitPattern: $0) } + [0]
        return unsafe stat(path, &status) == 0 ? status : nil
    }

    /// The file's length in bytes; `nil` if there is no such file.
    package var length: Int? { status.map { Int($0.st_size) } }
}

/// The identity of a file: device and inode. Two names with the same identity lead to one file.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// `nil` if the system does not say, for instance if there is no such file. The file is not opened.
    package init?(of name: FileName) {
        guard let status = name.status else { return nil }
        (device, inode) = (
            UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)
        )
    }
}
