internal import CLibcrypto

/// A public key; owns one `EVP_PKEY`.
@safe
package struct PublicKey: ~Copyable {
    private let pointer: OpaquePointer

    /// Takes over one reference to the key.
    init(takingOwnership pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// Lends the pointer for the duration of a call. The closure must not keep it.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result { unsafe body(pointer) }

    /// Whether `r` and `s` (each 32 bytes, big endian) are this key's ECDSA signature over SHA-256 of the
    /// message (FIPS 186-5, section 6.4.2). Values outside 1…n−1 never are.
    package func verifies(
        r: Span<UInt8>, s: Span<UInt8>, sha256Of message: Span<UInt8>
    ) throws(LibcryptoError) -> Bool {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let signature = try SignatureForms.der(r: r, s: s)
        guard let context = unsafe EVP_MD_CTX_new() else { throw LibcryptoError("out of memory") }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, pointer) == 1 else {
            throw LibcryptoError("starting a signature verification")
        }
        let result = unsafe signature.withUnsafeBufferPointer { signature in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe EVP_DigestVerify(
                    context, signature.baseAddress, signature.count, message.baseAddress, message.count)
            }
        }
        // 1 is a match and 0 a mismatch. A negative result means that libcrypto could not judge the
        // signature. If the signature is well formed, it is then not valid either.
        return result == 1
    }

    /// A verifier of RSA signatures under the same key; `nil` for other keys.
    package func rsaVerifier() -> RSASignatureVerifier? {
        guard unsafe EVP_PKEY_get_base_id(pointer) == EVP_PKEY_RSA, unsafe EVP_PKEY_up_ref(pointer) == 1
        else {
            return nil
        }
        return RSASignatureVerifier(unsafe PublicKey(takingOwnership: pointer))
    }

    /// The point of an elliptic-curve key, `04 || x || y` (SEC 1, section 2.3.3); `nil` for other keys.
    package var uncompressedPoint: [UInt8]? {
        withCleanErrorQueue {
            let point = unsafe encoding { unsafe Int32(EVP_PKEY_get1_encoded_public_key(pointer, $0)) }
            return point.isEmpty ? nil : point
        }
    }

    /// Whether the certificate's signature is this key's (RFC 5280, section 6.1.3 (a)(1)).
    package func verifies(_ certificate: borrowing X509Certificate) -> Bool {
        withCleanErrorQueue {
            unsafe certificate.withPointer { unsafe X509_verify($0, pointer) == 1 }
        }
    }
}

// Nothing changes an EVP_PKEY after it was decoded. Verification only reads it, and its reference count is
// atomic. The provider makes its copies on demand, under the key's own lock.
extension PublicKey: @unchecked Sendable {}
