internal import CLibcrypto

/// The hash functions for signatures, key identifiers and deterministic nonces; also MD5, which must be
/// refused.
package enum HashFunction: Sendable, CaseIterable {
    case md5, sha1, sha224, sha256, sha384, sha512

    /// The identifier: RFC 3370, 2.1 and 2.2 (MD5, SHA-1); RFC 5754, 2 (the others).
    package var objectIdentifier: [UInt] {
        let sha2: [UInt] = [2, 16, 840, 1, 101, 3, 4, 2]
        return switch self {
        case .md5: [1, 2, 840, 113549, 2, 5]
        case .sha1: [1, 3, 14, 3, 2, 26]
        case .sha224: sha2 + [4]
        case .sha256: sha2 + [1]
        case .sha384: sha2 + [2]
        case .sha512: sha2 + [3]
        }
    }

    /// AlgorithmIdentifier with NULL parameters, as RSA signers write it.
    package var der: [UInt8] { DER.sequence(DER.objectIdentifier(objectIdentifier), DER.null) }

    /// The hash of `message`.
    package func digest(_ message: [UInt8]) throws(MintingError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let done = unsafe EVP_Digest(message, message.count, &output, &count, evp, nil)
        guard done == 1 else { throw .libcrypto(function: "EVP_Digest") }
        return Array(output.prefix(Int(count)))
    }

    /// HMAC (RFC 2104) of `message` under `key`.
    ///
    /// No key is secret here, so the copies that libcrypto makes are not erased.
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
        case .md5: unsafe EVP_md5()
        case .sha1: unsafe EVP_sha1()
        case .sha224: unsafe EVP_sha224()
        case .sha256: unsafe EVP_sha256()
        case .sha384: unsafe EVP_sha384()
        case .sha512: unsafe EVP_sha512()
        }
    }
}
