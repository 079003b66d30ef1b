#if SQLite
    public import Foundation
    internal import Libcrypto
    internal import WireFormats

    /// The secret that a forwarder shares with the servers that it forwards to, and the header that it makes with it.
    ///
    /// The header `Storekit-Verify-Signature` is `t=SECONDS,v1=HEX`. `SECONDS` is the time of the attempt, in seconds since
    /// 1970. `HEX` is HMAC-SHA256 (RFC 2104) in 64 lower-case hexadecimal digits, under the secret, over the decimal
    /// digits of `SECONDS`, a full stop, and the body's bytes. A receiver computes it anew, compares in constant time, and
    /// refuses a time that is minutes away from its own, which is a request that somebody repeats.
    public struct ForwardingSecret: Sendable {
        /// Why a file holds no secret.
        public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
            /// The file cannot be read, for this reason.
            case unreadable(path: String, reason: String)
            /// The secret has so many bytes, which one can guess, or is too long to be one.
            case length(path: String, bytes: Int)

            /// A sentence with the file's path.
            public var description: String {
                switch self {
                case .unreadable(let path, let reason): "\(path): it cannot be read (\(reason))"
                case .length(let path, let bytes):
                    "\(path): the secret has \(bytes) bytes; it needs 32 to 4096, for instance of: openssl rand -hex 32"
                }
            }
        }

        /// The name of the header.
        public static let headerName = "Storekit-Verify-Signature"

        /// As long as the hash (RFC 2104, section 3, discourages shorter keys).
        private static let bytes = 32...4096

        private let key: [UInt8]

        /// Reads a secret. A line break at the file's end is no part of it.
        ///
        /// - Parameter path: the file. Let only the server's user read it.
        /// - Throws: `Failure` if the file cannot be read, or does not hold 32 to 4096 bytes.
        public init(contentsOf path: String) throws(Failure) {
            var contents: Data
            do {
                let file = try FileHandle(forReadingFrom: URL(filePath: path))
                defer { try? file.close() }
                contents = try file.read(upToCount: Self.bytes.upperBound + 3) ?? Data()
            } catch {
                throw .unreadable(path: path, reason: error.localizedDescription)
            }
            if contents.last == UInt8(ascii: "\n") { contents.removeLast() }
            if contents.last == UInt8(ascii: "\r") { contents.removeLast() }
            guard Self.bytes.contains(contents.count) else {
                throw .length(path: path, bytes: contents.count)
            }
            key = Array(contents)
        }

        /// The header's value for a body; `nil` if libcrypto gets no memory. The time is linear in the body's length.
        ///
        /// - Parameter instant: the time of the attempt. Fractions of a second are cut off.
        public func signature(of body: some Sequence<UInt8>, at instant: Date) -> String? {
            let seconds = "\(Int64(instant.timeIntervalSince1970.rounded(.down)))"
            let message = Array(seconds.utf8) + [UInt8(ascii: ".")] + body
            guard let code = Digest.hmacSHA256(message.span, key: key) else { return nil }
            return "t=\(seconds),v1=" + hexadecimal(code)
        }
    }
#endif
