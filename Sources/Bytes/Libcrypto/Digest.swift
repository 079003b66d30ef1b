internal import CLibcrypto

/// Hash functions of FIPS 180-4.
///
/// The functions of whole messages cannot fail: their states are on the stack, and nothing is looked up by
/// name.
package enum Digest {
    /// The 20 bytes of SHA-1 over the bytes.
    package static func sha1(_ bytes: Span<UInt8>) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA_DIGEST_LENGTH)) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe clibcrypto_sha1(input.baseAddress, input.count, output.baseAddress)
            }
            count = Int(SHA_DIGEST_LENGTH)
        }
    }

    /// The 32 bytes of SHA-256 over the bytes.
    package static func sha256(_ bytes: Span<UInt8>) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe clibcrypto_sha256(input.baseAddress, input.count, output.baseAddress)
            }
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }

    /// SHA-384 over the bytes. It allocates nothing.
    package static func sha384(_ bytes: Span<UInt8>) -> InlineArray<48, UInt8> {
        var digest = InlineArray<48, UInt8>(repeating: 0)
        var output = digest.mutableSpan
        unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe clibcrypto_sha384(input.baseAddress, input.count, output.baseAddress)
            }
        }
        return digest
    }

    /// The 32 bytes of HMAC with SHA-256 (RFC 2104) over the bytes; `nil` if libcrypto gets no memory.
    package static func hmacSHA256(_ bytes: Span<UInt8>, key: [UInt8]) -> [UInt8]? {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let keyBytes = Int32(exactly: key.count) else { return nil }
        var isDone = false
        let code = unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { output, count in
            isDone = unsafe bytes.withUnsafeBufferPointer { input in
                unsafe HMAC(
                    EVP_sha256(), key, keyBytes, input.baseAddress, input.count, output.baseAddress, nil)
                    != nil
            }
            count = isDone ? Int(SHA256_DIGEST_LENGTH) : 0
        }
        return isDone ? code : nil
    }

    /// Whether two digests are equal. The time does not reveal where they differ.
    ///
    /// The lengths are compared first, which reveals nothing: every digest of an algorithm has the same length.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        unsafe left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
