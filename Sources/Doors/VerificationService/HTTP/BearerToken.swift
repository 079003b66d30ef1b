#if Service
    internal import HTTPTypes
    internal import Libcrypto

    /// The token that callers must present (RFC 6750).
    ///
    /// Only the hash of the token is kept, so that no message can show it.
    package struct BearerToken: Sendable {
        private let digest: [UInt8]
        /// A shorter token is found by trying. `openssl rand -hex 16` makes one of twice the length.
        private static let minimumBytes = 16

        /// - Parameter text: the content of the file. White space around the token does not belong to it. The
        ///   token has the bytes 0x21 to 0x7e.
        /// - Returns: `nil` if there is no token, it has fewer than 16 bytes, or one that cannot stand in a header.
        package init?(file text: [UInt8]) {
            let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
            let token = Array(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
            guard token.count >= Self.minimumBytes, token.allSatisfy({ (0x21...0x7e).contains($0) }) else {
                return nil
            }
            digest = Digest.sha256(token.span)
        }

        /// Whether it is this token. The digests are compared in constant time, so that the time tells nothing of the
        /// token.
        func isEqual(to presented: [UInt8]) -> Bool {
            Digest.areEqual(Digest.sha256(presented.span), digest)
        }

        /// Refuses a request that does not present the token.
        func check(_ headers: HTTPFields) throws(Problem) {
            let value = headers[.authorization] ?? ""
            let scheme = value.prefix(while: { $0 != " " })
            let presented = Array(value.utf8.dropFirst(scheme.utf8.count).drop { $0 == 0x20 })
            let isRight = isEqual(to: presented)
            guard scheme.lowercased() == "bearer", isRight else {
                throw Problem(
                    .unauthorized,
                    "This path needs the service's token, in a header: Authorization: Bearer TOKEN.",
                    // RFC 9110, section 15.5.2: a status 401 names the scheme. The rest of the body is not
                    // read.
                    headers: [.wwwAuthenticate: "Bearer realm=\"storekit-verify\""], closes: true)
            }
        }
    }
#endif
