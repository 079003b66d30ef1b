#if SQLite
    internal import GRDB
    public import SignedPayloads

    /// The failure of a store in a file. Nothing was changed then.
    public struct SQLiteStoreError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The kinds of failures.
        public enum Code: String, Hashable, Sendable, CaseIterable {
            /// The file cannot be opened: it is missing, or the system allows no access.
            case cannotOpen
            /// The file is no database, or one of another program.
            case notAStore
            /// A newer version of this library made the file.
            case newerVersion
            /// The file is damaged.
            case damaged
            /// The file, its folder or its file system allows no writing.
            case readOnly
            /// The disk is full.
            case full
            /// Another process kept the file locked for too long.
            case busy
            /// A payload of the file is not verified: the file was changed, or the verifier's anchors and policy are
            /// not those of the verifier that let the payload in.
            case unverified
            /// A value was given without its token, or with the token of another value.
            case noToken
            /// The task that asked was cancelled before the answer. The file is not at fault.
            case cancelled
            /// The system failed in another way, for instance at reading the disk.
            case system
        }

        /// The kind of failure.
        public let code: Code
        /// The failure, in a sentence, with the file's path.
        public let description: String
        /// Why a payload of the file is not verified; `nil` for other failures.
        public let payloadError: PayloadError?

        /// Whether the same call may succeed later without a change of the file: the disk was full, the file
        /// locked, or the task cancelled.
        public var isTransient: Bool { code == .full || code == .busy || code == .cancelled }

        package init(_ code: Code, _ description: String, _ payloadError: PayloadError? = nil) {
            self.code = code
            self.description = description
            self.payloadError = payloadError
        }

        /// A failure of SQLite, in the library's words.
        init(_ error: any Error, _ path: String) {
            switch error {
            case let error as SQLiteStoreError: self = error
            case let error as DatabaseError: self.init(error, path)
            case is CancellationError: self.init(cancelled: path)
            case is RowDecodingError:
                self.init(
                    .damaged, "\(path): it is damaged (a value is of another type): restore it from a copy")
            default: self.init(.system, "\(path): \(error)")
            }
        }

        private init(cancelled path: String) {
            self.init(.cancelled, "\(path): the task was cancelled before the file's answer")
        }

        /// The sentence gives the remedy, because an operator reads it in a log.
        private init(_ error: DatabaseError, _ path: String) {
            let said = error.message ?? "SQLite's code \(error.extendedResultCode.rawValue)"
            guard error.extendedResultCode != .SQLITE_READONLY_ROLLBACK else {
                self.init(
                    .readOnly,
                    "\(path): a write of it was cut off (\(said)): open it for writing, which undoes that write"
                )
                return
            }
            switch error.resultCode {
            case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
                self.init(
                    .cannotOpen,
                    "\(path): it cannot be opened (\(said)): the file and its folder must exist and allow access"
                )
            case .SQLITE_NOTADB: self.init(.notAStore, "\(path): it is not a SQLite database (\(said))")
            case .SQLITE_CORRUPT:
                self.init(
                    .damaged, "\(path): it is damaged (\(said)): restore it from a copy, or make it anew")
            case .SQLITE_READONLY:
                self.init(
                    .readOnly, "\(path): it cannot be written (\(said)): the file or its folder is read-only")
            case .SQLITE_FULL: self.init(.full, "\(path): it cannot grow (\(said)): the disk is full")
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                self.init(.busy, "\(path): it is locked by another process (\(said)): try again")
            // A statement that is under way is interrupted when its task is cancelled, and at no other time.
            case .SQLITE_INTERRUPT: self.init(cancelled: path)
            default: self.init(.system, "\(path): \(said)")
            }
        }
    }
#endif
