internal import CLibcrypto

/// A message of the Cryptographic Message Syntax (RFC 5652), read by libcrypto but not verified. Owns one
/// `CMS_ContentInfo`.
@safe
package struct SignedMessage: ~Copyable {
    private let pointer: OpaquePointer

    deinit { unsafe CMS_ContentInfo_free(pointer) }

    /// Reads a message. libcrypto accepts BER too, so the caller checks the encoding first.
    ///
    /// - Throws: if the bytes are not a ContentInfo. Bytes behind it are not noticed here.
    package init(_ bytes: Span<UInt8>) throws(LibcryptoError) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let parsed = unsafe decoding(bytes, { unsafe d2i_CMS_ContentInfo(nil, $0, $1) }) else {
            throw LibcryptoError("reading PKCS #7 signed data")
        }
        unsafe pointer = parsed
    }

    /// The content, if every signer is this certificate's subject and every signature is valid; `nil`
    /// otherwise.
    ///
    /// The caller judges the certificate. Certificates inside the message are ignored.
    package func content(
        signedBy certificate: borrowing X509Certificate
    ) throws(LibcryptoError) -> [UInt8]? {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let output = unsafe BIO_new(BIO_s_mem()), let certificates = unsafe OPENSSL_sk_new_null() else {
            throw LibcryptoError("out of memory")
        }
        defer {
            unsafe BIO_free(output)
            unsafe OPENSSL_sk_free(certificates)
        }
        // The message's certificates are neither used nor verified, and the content is taken as bytes, not as
        // a mail's text.
        let flags = UInt32(CMS_NOINTERN | CMS_NO_SIGNER_CERT_VERIFY | CMS_BINARY)
        let isSigned = unsafe certificate.withPointer { certificate in
            // The stack does not own its elements.
            guard unsafe OPENSSL_sk_push(certificates, UnsafeRawPointer(certificate)) > 0 else {
                return false
            }
            return unsafe CMS_verify(pointer, certificates, nil, nil, output, flags) == 1
        }
        guard isSigned else { return nil }
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe clibcrypto_bio_memory(output, &start)
        guard count > 0, let start = unsafe start else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
