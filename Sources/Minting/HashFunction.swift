internal import CLibcrypto

/// The hash functions that signatures, key identifiers and deterministic nonces need.
package enum HashFunction: Sendable, CaseIterable {
    case sha1, sha224, sha256, sha384, sha512

    /// Hashes `message` at once.
    package func digest(_ message: [UInt8]) throws(MintingError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let done = unsafe EVP_Digest(message, message.count, &output, &count, evp, nil)
        guard done == 1 else { throw .libcrypto(function: "EVP_Digest") }
        return Array(output.prefix(Int(count)))
    }

    /// HMAC (RFC 2104) of `message` under `key`.
    package func authenticationCode(key: [UInt8], message: [UInt8]) throws(MintingError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let code = unsafe HMAC(evp, key, Int32(key.count), message, message.count, &output, &count)
        guard unsafe code != nil else { throw .libcrypto(function: "HMAC") }
        return Array(output.prefix(Int(count)))
    }

    /// libcrypto's description of the function: static data, never freed.
    var evp: OpaquePointer? {
        switch self {
        case .sha1: unsafe EVP_sha1()
        case .sha224: unsafe EVP_sha224()
        case .sha256: unsafe EVP_sha256()
        case .sha384: unsafe EVP_sha384()
        case .sha512: unsafe EVP_sha512()
        }
    }
}
