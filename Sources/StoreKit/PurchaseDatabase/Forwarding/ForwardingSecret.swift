#if SQLite
    public import Foundation
    internal import Libcrypto
    internal import WireFormats

    /// The secret that a forwarder shares with the servers that it forwards to, and the headers that it makes with it.
    ///
    /// Each request has the headers of [Standard Webhooks](https://www.standardwebhooks.com) 1.0: `webhook-id` is the
    /// notification's `notificationUUID`, `webhook-timestamp` the time of the attempt in seconds since 1970, and
    /// `webhook-signature` is `v1,` and HMAC-SHA256 in base64, under the secret, over the identifier, the time and the
    /// body, with a full stop between them. That standard's libraries, in many languages, check them.
    ///
    /// The header `Storekit-Verify-Signature` is `t=SECONDS,v1=HEX`, with the same HMAC over the time, a full stop and
    /// the body, in 64 lower-case hexadecimal digits.
    ///
    /// A secret that begins with `whsec_` is base64, as that standard writes it. The file may then have two, a line
    /// each: both sign, so that receivers can change from one to the other at their own time. The first is the new one.
    public struct ForwardingSecret: Sendable {
        /// Why a file holds no secret.
        public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
            /// The file cannot be read, for this reason.
            case unreadable(path: String, reason: String)
            /// The secret has so many bytes, which one can guess, or is too long to be one.
            case length(path: String, bytes: Int)
            /// A line does not have the form of Standard Webhooks, or there are more than two.
            case form(path: String)

            /// A sentence with the file's path.
            public var description: String {
                switch self {
                case .unreadable(let path, let reason): "\(path): it cannot be read (\(reason))"
                case .length(let path, let bytes):
                    "\(path): the secret has \(bytes) bytes; it needs 32 to 4096, for instance of: openssl rand -hex 32"
                case .form(let path):
                    "\(path): give one or two lines of whsec_ and base64 of 24 to 64 bytes, for instance: "
                        + "echo whsec_$(openssl rand -base64 32)"
                }
            }
        }

        /// The name of the header of this project.
        public static let headerName = "Storekit-Verify-Signature"
        static let identifierName = "webhook-id"

        /// As long as the hash (RFC 2104, section 3, discourages shorter keys).
        private static let bytes = 32...4096
        /// As Standard Webhooks has it.
        private static let standardBytes = 24...64
        private static let prefix = "whsec_"
        /// The one that is used, and the one before.
        private static let maximumKeys = 2

        /// All of them sign.
        private let keys: [[UInt8]]

        /// Reads a secret. A line break at the file's end is no part of it.
        ///
        /// - Parameter path: the file. Let only the server's user read it.
        /// - Throws: `Failure` if the file cannot be read, or does not hold 32 to 4096 bytes, or one or two lines of
        ///   `whsec_` and base64 of 24 to 64 bytes.
        public init(contentsOf path: String) throws(Failure) {
            var contents: Data
            do {
                let file = try FileHandle(forReadingFrom: URL(filePath: path))
                defer { try? file.close() }
                contents = try file.read(upToCount: Self.bytes.upperBound + 3) ?? Data()
            } catch {
                throw .unreadable(path: path, reason: error.localizedDescription)
            }
            if contents.starts(with: Self.prefix.utf8) {
                guard let keys = Self.standardKeys(Array(contents)) else { throw .form(path: path) }
                self.keys = keys
                return
            }
            if contents.last == UInt8(ascii: "\n") { contents.removeLast() }
            if contents.last == UInt8(ascii: "\r") { contents.removeLast() }
            guard Self.bytes.contains(contents.count) else {
                throw .length(path: path, bytes: contents.count)
            }
            keys = [Array(contents)]
        }

        /// The keys of a file in the form of Standard Webhooks; `nil` if a line is in another form.
        private static func standardKeys(_ contents: [UInt8]) -> [[UInt8]]? {
            let lines = String(decoding: contents, as: UTF8.self).split(whereSeparator: \.isNewline)
            guard lines.count <= maximumKeys else { return nil }
            var keys: [[UInt8]] = []
            for line in lines {
                let text = Array(line.dropFirst(prefix.count).utf8)
                guard line.hasPrefix(prefix),
                    let key = try? Base64.decode(text.span, in: text.indices, alphabet: .standard),
                    standardBytes.contains(key.count)
                else { return nil }
                keys.append(key)
            }
            return keys
        }

        /// The value of `Storekit-Verify-Signature` for a body; `nil` if libcrypto gets no memory. The time is linear
        /// in the body's length. With two secrets it has two `v1`.
        ///
        /// - Parameter instant: the time of the attempt. Fractions of a second are cut off.
        public func signature(of body: some Sequence<UInt8>, at instant: Date) -> String? {
            let seconds = Self.seconds(instant)
            let message = Array(seconds.utf8) + [UInt8(ascii: ".")] + body
            return codes(of: message)?.reduce("t=\(seconds)") { $0 + ",v1=" + hexadecimal($1) }
        }

        /// All headers of a request that prove its origin; `nil` if libcrypto gets no memory.
        ///
        /// - Parameters:
        ///   - identifier: the notification's, without a full stop.
        ///   - instant: the time of the attempt. Fractions of a second are cut off.
        func headers(
            for body: Data, identifier: String, at instant: Date
        ) -> [(name: String, value: String)]? {
            let seconds = Self.seconds(instant)
            let message = Array("\(identifier).\(seconds).".utf8) + body
            guard let codes = codes(of: message), let signature = signature(of: body, at: instant) else {
                return nil
            }
            let texts = codes.map { "v1," + Data($0).base64EncodedString() }
            return [
                (Self.identifierName, identifier), ("webhook-timestamp", seconds),
                ("webhook-signature", texts.joined(separator: " ")), (Self.headerName, signature),
            ]
        }

        private static func seconds(_ instant: Date) -> String {
            "\(Int64(instant.timeIntervalSince1970.rounded(.down)))"
        }

        /// One code for each key.
        private func codes(of message: [UInt8]) -> [[UInt8]]? {
            let codes = keys.compactMap { Digest.hmacSHA256(message.span, key: $0) }
            return codes.count == keys.count ? codes : nil
        }
    }
#endif
