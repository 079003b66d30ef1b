internal import CLibcrypto

/// Certificates in the textual form of RFC 7468.
///
/// Only a caller's own files are read in this form. Certificates inside payloads are DER.
package enum PEM {
    /// The DER of every certificate in the text, in order. Other kinds of PEM blocks are skipped.
    ///
    /// - Throws: for a block without an end or with bad base64. A text without a block gives an empty list.
    package static func certificates(in text: [UInt8]) throws(LibcryptoError) -> [[UInt8]] {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard text.count < Int(Int32.max) else { throw LibcryptoError("reading a PEM text of 2 GiB or more") }
        guard let input = unsafe text.withUnsafeBytes({ unsafe BIO_new(BIO_s_mem(), filledWith: $0) }) else {
            throw LibcryptoError("out of memory")
        }
        defer { unsafe BIO_free(input) }
        var certificates: [[UInt8]] = []
        while case let block = try unsafe nextBlock(from: input), let block {
            if let block = block.certificate { certificates.append(block) }
        }
        return certificates
    }

    /// The next block; `nil` after the last one. Its content is returned only if it is a certificate.
    ///
    /// - Parameter input: the BIO stays the caller's; each call reads on in it.
    private static func nextBlock(
        from input: OpaquePointer
    ) throws(LibcryptoError) -> (certificate: [UInt8]?, label: String)? {
        var (label, header): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?) = (nil, nil)
        var bytes: UnsafeMutablePointer<UInt8>?
        var length = 0
        guard unsafe PEM_read_bio(input, &label, &header, &bytes, &length) == 1,
            let start = unsafe bytes, let name = unsafe label
        else {
            let last = ERR_peek_last_error()
            // The end of the text is not an error, but an incomplete block is one.
            if last & 0x7f_ffff == UInt(PEM_R_NO_START_LINE) { return nil }
            throw LibcryptoError("reading PEM")
        }
        defer {
            unsafe CRYPTO_free(label, nil, 0)
            unsafe CRYPTO_free(header, nil, 0)
            unsafe CRYPTO_free(bytes, nil, 0)
        }
        let text = unsafe String(cString: name)
        guard text == "CERTIFICATE" || text == "X509 CERTIFICATE" else { return (nil, text) }
        return (unsafe Array(UnsafeBufferPointer(start: start, count: length)), text)
    }
}

/// A memory BIO that holds a copy of the bytes.
///
/// The caller frees the BIO. `nil` if there is no memory for the copy.
private func BIO_new(_ method: OpaquePointer?, filledWith bytes: UnsafeRawBufferPointer) -> OpaquePointer? {
    guard let bio = unsafe BIO_new(method) else { return nil }
    guard unsafe BIO_write(bio, bytes.baseAddress, Int32(bytes.count)) == Int32(bytes.count) else {
        unsafe BIO_free(bio)
        return nil
    }
    return unsafe bio
}
