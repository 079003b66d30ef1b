internal import CLibcryptoPeer

/// A new key on P-256 in libcrypto, to make the signatures that are verified.
@safe
final class SigningKey {
    private let key: OpaquePointer

    init() throws(BenchmarkError) {
        guard let key = unsafe Self.makeKey() else { throw .libcrypto(function: "EVP_PKEY_generate") }
        unsafe self.key = unsafe key
    }

    private static func makeKey() -> OpaquePointer? {
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1
        else { return nil }
        return unsafe key
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// The public key as a SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7).
    func publicKey() throws(BenchmarkError) -> [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PUBKEY(key, &bytes)
        guard count > 0, let bytes = unsafe bytes else { throw .libcrypto(function: "i2d_PUBKEY") }
        return unsafe taken(bytes, count: Int(count))
    }

    /// The public key's point (SEC 1, section 2.3.3).
    func uncompressedPoint() throws(BenchmarkError) -> [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe EVP_PKEY_get1_encoded_public_key(key, &bytes)
        guard count > 0, let bytes = unsafe bytes else {
            throw .libcrypto(function: "EVP_PKEY_get1_encoded_public_key")
        }
        return unsafe taken(bytes, count: count)
    }

    /// Signs a digest of 32 bytes.
    func signature(of digest: [UInt8]) throws(BenchmarkError) -> ECDSASignature {
        let context = unsafe EVP_PKEY_CTX_new(key, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var der = [UInt8](repeating: 0, count: 80)
        var count = der.count
        guard unsafe EVP_PKEY_sign_init(context) == 1,
            unsafe EVP_PKEY_sign(context, &der, &count, digest, digest.count) == 1
        else { throw .libcrypto(function: "EVP_PKEY_sign") }
        return try ECDSASignature(der: Array(der[..<count]))
    }

    /// SHA-256 (FIPS 180-4).
    static func digest(of message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        _ = unsafe EVP_Digest(message, message.count, &digest, &count, EVP_sha256(), nil)
        return digest
    }
}

/// An ECDSA signature on P-256.
struct ECDSASignature {
    /// r and s, 32 bytes each (RFC 7518, section 3.4).
    let raw: [UInt8]
    /// The same in DER (RFC 3279, section 2.2.3).
    let der: [UInt8]

    init(der: [UInt8]) throws(BenchmarkError) {
        let decoded = unsafe der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return unsafe d2i_ECDSA_SIG(nil, &position, bytes.count)
        }
        defer { unsafe ECDSA_SIG_free(decoded) }
        guard let signature = unsafe decoded else { throw .libcrypto(function: "d2i_ECDSA_SIG") }
        var (r, s) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
        guard unsafe BN_bn2binpad(ECDSA_SIG_get0_r(signature), &r, 32) == 32,
            unsafe BN_bn2binpad(ECDSA_SIG_get0_s(signature), &s, 32) == 32
        else { throw .libcrypto(function: "BN_bn2binpad") }
        (raw, self.der) = (r + s, der)
    }

    init(raw: [UInt8]) throws(BenchmarkError) {
        let signature = unsafe ECDSA_SIG_new()
        defer { unsafe ECDSA_SIG_free(signature) }
        // The signature owns the numbers.
        let (r, s) = unsafe (BN_bin2bn(raw, 32, nil), BN_bin2bn(Array(raw[32...]), 32, nil))
        guard unsafe ECDSA_SIG_set0(signature, r, s) == 1 else {
            throw .libcrypto(function: "ECDSA_SIG_set0")
        }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_ECDSA_SIG(signature, &bytes)
        guard count > 0, let bytes = unsafe bytes else { throw .libcrypto(function: "i2d_ECDSA_SIG") }
        (self.raw, der) = (raw, unsafe taken(bytes, count: Int(count)))
    }
}

/// Copies bytes that libcrypto allocated, and frees them.
private func taken(_ bytes: UnsafeMutablePointer<UInt8>, count: Int) -> [UInt8] {
    defer { unsafe CRYPTO_free(bytes, #file, #line) }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
}
