internal import CLibcrypto
internal import CSHA256

/// SHA-256 (FIPS 180-4) of messages that begin with the same bytes. Those bytes are hashed only once.
package struct SHA256Prefix: Sendable {
    private let state: SHA256_CTX
    /// The same state for the code that hashes two messages at a time; `nil` if the processor cannot.
    private let pairable: sha256_beginning?

    /// Hashes the common beginning of the messages.
    package init(_ bytes: Span<UInt8>) {
        var state = SHA256_CTX()
        unsafe bytes.withUnsafeBufferPointer { bytes in
            _ = unsafe clibcrypto_sha256_init(&state)
            _ = unsafe clibcrypto_sha256_update(&state, bytes.baseAddress, bytes.count)
        }
        self.state = state
        pairable = Self.canPair ? Self.beginning(state, bytes: bytes.count) : nil
    }

    private static let canPair = sha256_pair_is_supported()

    /// The state after whole blocks, and the bytes behind them, which OpenSSL keeps in its buffer.
    private static func beginning(_ state: SHA256_CTX, bytes: Int) -> sha256_beginning {
        var beginning = sha256_beginning()
        beginning.state = state.h
        unsafe withUnsafeMutableBytes(of: &beginning.rest) { rest in
            unsafe withUnsafeBytes(of: state.data) { unsafe rest.copyMemory(from: $0) }
        }
        beginning.bytes = UInt64(bytes)
        return beginning
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

    /// The hashes of two messages: this beginning followed by `bytes`, and another beginning followed by `others`. Two
    /// take little longer than one if the processor has SHA instructions.
    package func digests(
        continuedBy bytes: Span<UInt8>, and other: SHA256Prefix, continuedBy others: Span<UInt8>
    ) -> (InlineArray<32, UInt8>, InlineArray<32, UInt8>) {
        guard let first = pairable, let second = other.pairable else {
            return (digest(continuedBy: bytes), other.digest(continuedBy: others))
        }
        var digest = InlineArray<32, UInt8>(repeating: 0)
        var otherDigest = InlineArray<32, UInt8>(repeating: 0)
        var one = digest.mutableSpan
        var two = otherDigest.mutableSpan
        unsafe withUnsafePointer(to: first) { first in
            unsafe withUnsafePointer(to: second) { second in
                unsafe bytes.withUnsafeBufferPointer { bytes in
                    unsafe others.withUnsafeBufferPointer { others in
                        unsafe one.withUnsafeMutableBufferPointer { one in
                            unsafe two.withUnsafeMutableBufferPointer { two in
                                var ends = unsafe (
                                    sha256_end(
                                        beginning: first, bytes: bytes.baseAddress, count: bytes.count,
                                        digest: one.baseAddress),
                                    sha256_end(
                                        beginning: second, bytes: others.baseAddress, count: others.count,
                                        digest: two.baseAddress)
                                )
                                unsafe sha256_pair(&ends.0, &ends.1)
                            }
                        }
                    }
                }
            }
        }
        return (digest, otherDigest)
    }
}
