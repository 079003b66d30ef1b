internal import CLibcrypto
internal import Synchronization

/// Verifies RSASSA-PKCS1-v1_5 signatures (RFC 8017, section 8.2.2) under one key that is used many times.
///
/// libcrypto prepares a context for a key and a digest. This takes a quarter of a verification's time, so the
/// contexts are kept.
package final class RSASignatureVerifier: Sendable {
    /// The digests in the signatures of receipts and their certificates.
    package enum DigestAlgorithm: Sendable {
        case sha1
        case sha256
    }

    private let key: PublicKey
    /// A context that no thread uses stays here, under the lock. The context itself is used without it.
    private let idleSHA1 = Mutex<[RSAContext]>([])
    private let idleSHA256 = Mutex<[RSAContext]>([])

    /// The maximum number of idle contexts for each digest. More are seldom in use at once.
    private static let maximumIdle = 64

    init(_ key: consuming PublicKey) { self.key = key }

    /// Whether the signature, of any length, is this key's over the digest.
    package func verifies(
        _ signature: Span<UInt8>, digest: Span<UInt8>, _ algorithm: DigestAlgorithm
    ) throws(LibcryptoError) -> Bool {
        switch algorithm {
        case .sha1: try verifies(signature, digest: digest, algorithm, idleSHA1)
        case .sha256: try verifies(signature, digest: digest, algorithm, idleSHA256)
        }
    }

    private func verifies(
        _ signature: Span<UInt8>, digest: Span<UInt8>, _ algorithm: DigestAlgorithm,
        _ idle: borrowing Mutex<[RSAContext]>
    ) throws(LibcryptoError) -> Bool {
        ERR_clear_error()
        let idleContext = idle.withLock { $0.popLast() }
        let context = if let idleContext { idleContext } else { try RSAContext(key, algorithm) }
        let isSigned = context.verifies(signature, digest: digest)
        // A wrong signature leaves a reason in the thread's queue, which the next call must not find.
        if !isSigned { ERR_clear_error() }
        idle.withLock { idle in
            if idle.count < Self.maximumIdle { idle.append(context) }
        }
        return isSigned
    }
}

/// A key and a digest, prepared for verifications; owns one `EVP_PKEY_CTX`.
@safe
private final class RSAContext {
    private let pointer: OpaquePointer

    init(
        _ key: borrowing PublicKey, _ algorithm: RSASignatureVerifier.DigestAlgorithm
    ) throws(LibcryptoError) {
        guard let context = unsafe key.withPointer({ unsafe EVP_PKEY_CTX_new($0, nil) }) else {
            throw LibcryptoError("out of memory")
        }
        unsafe pointer = context
        let digest = unsafe algorithm == .sha1 ? EVP_sha1() : EVP_sha256()
        guard unsafe EVP_PKEY_verify_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
            unsafe EVP_PKEY_CTX_set_signature_md(context, digest) == 1
        else { throw LibcryptoError("starting a signature verification") }
    }

    deinit { unsafe EVP_PKEY_CTX_free(pointer) }

    /// - Parameter digest: as long as the context's algorithm says; libcrypto refuses any other length.
    func verifies(_ signature: Span<UInt8>, digest: Span<UInt8>) -> Bool {
        let result = unsafe signature.withUnsafeBufferPointer { signature in
            unsafe digest.withUnsafeBufferPointer { digest in
                unsafe EVP_PKEY_verify(
                    pointer, signature.baseAddress, signature.count, digest.baseAddress, digest.count)
            }
        }
        // 1 is a match; 0 and negative results are not.
        return result == 1
    }
}

// A thread that takes an idle context uses it alone until it gives it back.
extension RSAContext: @unchecked Sendable {}
