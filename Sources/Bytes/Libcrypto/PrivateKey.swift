internal import CLibcrypto

/// A private key on P-256, which signs with ECDSA and SHA-256. It owns one `EVP_PKEY`.
///
/// Nothing tells its number: there is no description and no way out of this type. libcrypto overwrites the number's
/// memory when the key is freed.
@safe
package struct PrivateKey: ~Copyable {
    private let pointer: OpaquePointer

    /// Takes over one reference to the key.
    private init(takingOwnership pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// Reads a key in PKCS #8 (RFC 5958) from a text in PEM (RFC 7468), as a `.p8` file has it.
    ///
    /// Every copy of the text that this function makes is overwritten before it returns. The argument stays the
    /// caller's to overwrite; see `LibcryptoMemory.cleanse`.
    ///
    /// - Throws: what the text is instead.
    package static func parse(pem: Span<UInt8>) throws(PrivateKeyError) -> PrivateKey {
        guard !pem.isEmpty else { throw .empty }
        guard pem.count <= maximumBytes else { throw .tooLong }
        ERR_clear_error()
        defer { ERR_clear_error() }
        let pointer = try unsafe pem.withUnsafeBytes { text throws(PrivateKeyError) in
            // This kind of BIO does not copy the text.
            guard let input = unsafe BIO_new_mem_buf(text.baseAddress, Int32(text.count)) else {
                throw PrivateKeyError.damaged
            }
            defer { unsafe BIO_free(input) }
            return try unsafe firstKey(from: input)
        }
        let key = unsafe PrivateKey(takingOwnership: pointer)
        try key.check()
        return key
    }

    /// More than any key has, in bytes. A key of RSA with 16,384 bits has some 13,000, and deserves its own message.
    package static let maximumBytes = 32_768

    /// The key in the first block. The caller frees it.
    private static func firstKey(from input: OpaquePointer) throws(PrivateKeyError) -> OpaquePointer {
        var (label, header): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?) = (nil, nil)
        var bytes: UnsafeMutablePointer<UInt8>?
        var length = 0
        // The flag has libcrypto overwrite its buffers before it frees them.
        guard
            unsafe PEM_read_bio_ex(input, &label, &header, &bytes, &length, UInt32(PEM_FLAG_SECURE)) == 1,
            let start = unsafe bytes, let name = unsafe label
        else {
            let hasNoBlock = ERR_peek_last_error() & 0x7f_ffff == UInt(PEM_R_NO_START_LINE)
            throw hasNoBlock ? .notPEM : .damaged
        }
        defer {
            unsafe CRYPTO_secure_free(label, nil, 0)
            unsafe CRYPTO_secure_free(header, nil, 0)
            unsafe CRYPTO_secure_clear_free(bytes, length, nil, 0)
        }
        let kind = unsafe String(cString: name)
        guard kind == "PRIVATE KEY" else {
            throw kind == "ENCRYPTED PRIVATE KEY" ? .encrypted : .otherBlock(kind)
        }
        var next: UnsafePointer<UInt8>? = unsafe UnsafePointer(start)
        guard let info = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &next, length) else { throw .damaged }
        // It overwrites its copy of the key.
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        guard unsafe next == UnsafePointer(start + length), let key = unsafe EVP_PKCS82PKEY(info) else {
            throw .damaged
        }
        return unsafe key
    }

    /// Refuses every key but one on P-256 whose two halves belong together.
    private borrowing func check() throws(PrivateKeyError) {
        guard unsafe EVP_PKEY_get_base_id(pointer) == EVP_PKEY_EC else {
            throw .otherAlgorithm(
                unsafe EVP_PKEY_get0_type_name(pointer).map { unsafe String(cString: $0) } ?? "")
        }
        var (name, length) = ([CChar](repeating: 0, count: 64), 0)
        guard unsafe EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1 else {
            throw .otherCurve("")
        }
        let curve = String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard curve == "prime256v1" else { throw .otherCurve(curve) }
        guard let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else { throw .damaged }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_check(context) == 1 else { throw .inconsistent }
    }

    /// The ECDSA signature over SHA-256 of the message, in DER. Each call gives another one.
    package borrowing func signature(ofSHA256 message: Span<UInt8>) throws(LibcryptoError) -> [UInt8] {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let context = unsafe EVP_MD_CTX_new() else { throw LibcryptoError("out of memory") }
        defer { unsafe EVP_MD_CTX_free(context) }
        // 72 bytes are enough on P-256: a sequence of two numbers, of 33 bytes at most.
        var signature = [UInt8](repeating: 0, count: 72)
        var length = signature.count
        guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pointer) == 1,
            unsafe message.withUnsafeBufferPointer({ message in
                unsafe EVP_DigestSign(context, &signature, &length, message.baseAddress, message.count) == 1
            })
        else { throw LibcryptoError("making a signature") }
        return Array(signature.prefix(length))
    }
}

// Nothing changes an EVP_PKEY after it was decoded; its provider locks what it makes of it on demand.
extension PrivateKey: @unchecked Sendable {}

/// Why a text is no private key on P-256.
package enum PrivateKeyError: Error, Sendable {
    case empty
    case tooLong
    case notPEM
    /// A block of PEM with this label.
    case otherBlock(String)
    case encrypted
    /// The base64 or the DER in it cannot be read, or libcrypto does not know the algorithm.
    case damaged
    /// libcrypto's name of the algorithm.
    case otherAlgorithm(String)
    /// libcrypto's name of the curve; empty if it has none.
    case otherCurve(String)
    /// The private number is out of range, or the public half is another key's.
    case inconsistent
}
