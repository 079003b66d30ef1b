#if SQLite
    internal import Platform
    internal import Synchronization

    /// Tells whether an open file still has its name, and is still whole. SQLite does not tell: it goes on with a
    /// file that was removed, and everything that it writes is lost.
    final class OpenedFile: Sendable {
        private let path: String
        private let identity: FileIdentity?
        /// SQLite's log. It is there as long as the file is open for writing.
        private let log: FileIdentity?
        /// The greatest length that the file has had, in bytes. It grows; only SQLite's VACUUM makes it shorter.
        private let longest: Mutex<Int>

        /// - Parameter path: of a file that was just opened for writing.
        init(_ path: String) {
            self.path = path
            identity = FileIdentity(of: FileName(path: path))
            log = FileIdentity(of: FileName(path: path + "-wal"))
            longest = Mutex(FileName(path: path).length ?? 0)
        }

        /// Refuses to go on with a file that has lost its name, its log, or its end.
        func check() throws {
            guard let identity, identity == FileIdentity(of: FileName(path: path)) else {
                throw SQLiteStoreError(
                    .cannotOpen,
                    "\(path): the file was removed or replaced while it was open: put it back, or start again"
                )
            }
            guard log == FileIdentity(of: FileName(path: path + "-wal")) else {
                throw SQLiteStoreError(
                    .cannotOpen,
                    "\(path)-wal: SQLite's log was removed or replaced while it was open: put it back, or start again"
                )
            }
            let length = FileName(path: path).length ?? 0
            let isShorter = longest.withLock { longest in
                longest = max(longest, length)
                return length < longest
            }
            guard isShorter else { return }
            let file = RawDatabaseFile(path: PayloadFile.absolute(path))
            guard let header = file?.bytes(Self.headerBytes, at: 0),
                Self.statedBytes(header).map({ $0 <= length }) ?? true
            else {
                throw SQLiteStoreError(
                    .damaged, "\(path): it was cut off while it was open: restore it from a copy")
            }
        }

        /// The length of the smallest page of SQLite.
        static let headerBytes = 512

        /// The length that a header states, if it is in use: the size of a page at 16, the number of pages at 28, and
        /// the two counters at 24 and 92 are the same (SQLite's file format, section 1.3).
        static func statedBytes(_ header: [UInt8]) -> Int? {
            func number(_ range: Range<Int>) -> Int {
                header.dropFirst(range.lowerBound).prefix(range.count).reduce(0) { $0 << 8 | Int($1) }
            }
            guard number(24..<28) == number(92..<96) else { return nil }
            let page = number(16..<18)
            return number(28..<32) * (page == 1 ? 65_536 : page)
        }
    }
#endif
