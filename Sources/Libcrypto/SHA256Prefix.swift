internal import CLibcrypto

/// SHA-256 (FIPS 180-4) of messages that begin with the same bytes. Those bytes are hashed only once.
package struct SHA256Prefix: Sendable {
    private var state: SHA256_CTX

    /// Hashes the common beginning of the messages.
    package init(_ bytes: Span<UInt8>) {
        var state = SHA256_CTX()
        unsafe bytes.withUnsafeBufferPointer { bytes in
            _ = unsafe clibcrypto_sha256_init(&state)
            _ = unsafe clibcrypto_sha256_update(&state, bytes.baseAddress, bytes.count)
        }
        self.state = state
    }

    /// The 32-byte hash of the common beginning followed by these bytes. Allocates nothing.
    @inline(__always)
    package func digest(continuedBy bytes: Span<UInt8>) -> InlineArray<32, UInt8> {
        var state = state
        var digest = InlineArray<32, UInt8>(repeating: 0)
        unsafe bytes.withUnsafeBufferPointer { bytes in
            _ = unsafe clibcrypto_sha256_update(&state, bytes.baseAddress, bytes.count)
        }
        var output = digest.mutableSpan
        unsafe output.withUnsafeMutableBufferPointer {
            _ = unsafe clibcrypto_sha256_final($0.baseAddress, &state)
        }
        return digest
    }
}
