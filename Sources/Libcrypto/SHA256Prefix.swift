internal import CLibcrypto

/// SHA-256 (FIPS 180-4) of messages that begin with the same bytes: those are hashed once.
package struct SHA256Prefix: Sendable {
    private var state: SHA256_CTX

    /// Hashes what all messages begin with.
    package init(_ bytes: Span<UInt8>) {
        var state = SHA256_CTX()
        unsafe bytes.withUnsafeBufferPointer { bytes in
            _ = unsafe clibcrypto_sha256_init(&state)
            _ = unsafe clibcrypto_sha256_update(&state, bytes.baseAddress, bytes.count)
        }
        self.state = state
    }

    /// The 32 bytes of the hash of a message that goes on with these bytes. Allocates nothing.
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
