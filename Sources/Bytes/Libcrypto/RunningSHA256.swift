internal import CLibcrypto

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece, such as those of a large file.
package struct RunningSHA256: Sendable {
    /// OpenSSL's state is plain memory without pointers.
    private var state = SHA256_CTX()

    package init() { _ = unsafe clibcrypto_sha256_init(&state) }

    /// Adds the next bytes.
    package mutating func add(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            _ = unsafe clibcrypto_sha256_update(&state, bytes.baseAddress, bytes.count)
        }
    }

    /// The 32 bytes of the hash of all bytes until now.
    package var digest: [UInt8] {
        var state = state
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { output, count in
            _ = unsafe clibcrypto_sha256_final(output.baseAddress, &state)
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }
}
