#if Service
    internal import HTTPTypes
    internal import Libcrypto
    internal import Synchronization

    /// The tokens: callers must present one (RFC 6750). There are two while callers change from one to the other.
    ///
    /// Only the hashes are kept, so that no message can show a token.
    package final class BearerTokens: Sendable {
        private let digests: Mutex<[[UInt8]]>
        /// A shorter token is found by trying. `openssl rand -hex 16` makes one of twice the length.
        private static let minimumBytes = 16
        private static let maximumTokens = 2

        /// - Parameter text: the content of the file: one or two tokens, a line each. White space around a token does not
        ///   belong to it. A token has the bytes 0x21 to 0x7e.
        /// - Returns: `nil` if there is no token or a third one, or one has fewer than 16 bytes, or one that cannot stand in a
        ///   header.
        package init?(file text: [UInt8]) {
            guard let digests = Self.digests(text) else { return nil }
            self.digests = Mutex(digests)
        }

        private static func digests(_ text: [UInt8]) -> [[UInt8]]? {
            let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
            let tokens = text.split(separator: UInt8(ascii: "\n")).map { line in
                Array(line.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
            }.filter { !$0.isEmpty }
            let areRight = tokens.allSatisfy { token in
                token.count >= minimumBytes && token.allSatisfy { (0x21...0x7e).contains($0) }
            }
            guard areRight, (1...maximumTokens).contains(tokens.count) else { return nil }
            return tokens.map { Digest.sha256($0.span) }
        }

        /// Takes the tokens of another file in place of these.
        package func replace(by others: BearerTokens) {
            let new = others.digests.withLock(\.self)
            digests.withLock { $0 = new }
        }

        /// Whether one of the tokens is presented. The digests are compared in constant time, so that the time tells
        /// nothing of the tokens.
        func contain(_ presented: [UInt8]) -> Bool {
            let digest = Digest.sha256(presented.span)
            return digests.withLock { digests in digests.count { Digest.areEqual(digest, $0) } } > 0
        }

        /// Refuses a request that does not present a token.
        func check(_ headers: HTTPFields) throws(Problem) {
            let value = headers[.authorization] ?? ""
            let scheme = value.prefix(while: { $0 != " " })
            let presented = Array(value.utf8.dropFirst(scheme.utf8.count).drop { $0 == 0x20 })
            let isRight = contain(presented)
            guard scheme.lowercased() == "bearer", isRight else {
                throw Problem(
                    .unauthorized,
                    "This path needs the service's token, in a header: Authorization: Bearer TOKEN.",
                    // RFC 9110, section 15.5.2: a status 401 names the scheme. The rest of the body is not read.
                    headers: [.wwwAuthenticate: "Bearer realm=\"storekit-verify\""], closes: true,
                    refusal: .token)
            }
        }
    }
#endif
