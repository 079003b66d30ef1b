internal import CLibcryptoPeer

/// A key in libcrypto with a context that is ready to verify, so that only the arithmetic remains.
@safe
final class PreparedKey {
    private let key: OpaquePointer
    private let context: OpaquePointer

    /// - Parameter der: the key as a SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7).
    init(der: [UInt8]) throws(BenchmarkError) {
        let decoded = unsafe der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &position, bytes.count)
        }
        guard let key = unsafe decoded else { throw .libcrypto(function: "d2i_PUBKEY") }
        guard let context = unsafe EVP_PKEY_CTX_new(key, nil), unsafe EVP_PKEY_verify_init(context) == 1
        else {
            unsafe EVP_PKEY_free(key)
            throw .libcrypto(function: "EVP_PKEY_verify_init")
        }
        unsafe self.key = unsafe key
        unsafe self.context = unsafe context
    }

    deinit {
        unsafe EVP_PKEY_CTX_free(context)
        unsafe EVP_PKEY_free(key)
    }

    /// - Parameters:
    ///   - signature: in DER (RFC 3279, section 2.2.3).
    ///   - digest: the message's SHA-256.
    func isValid(signature: [UInt8], digest: [UInt8]) -> Bool {
        unsafe EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
    }

    /// The library's name and version.
    static var version: String {
        guard let text = unsafe OpenSSL_version(OPENSSL_VERSION) else { return "OpenSSL" }
        return unsafe String(cString: text)
    }
}
