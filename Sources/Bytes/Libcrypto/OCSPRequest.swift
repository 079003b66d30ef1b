internal import CLibcrypto

/// A request to an OCSP responder about one certificate (RFC 6960, section 4.1).
package struct OCSPRequest: Sendable {
    /// The request in DER, ready to be sent.
    package let der: [UInt8]
    /// The request's nonce. An answer with another nonce is refused.
    package let nonce: [UInt8]
    /// The certificate's identifier in request and answer (`CertID`), in DER.
    let certificateID: [UInt8]

    /// The length of the nonce, the longest that RFC 8954, section 2.1, allows.
    static let nonceBytes = 32

    /// Makes a request.
    ///
    /// The issuer's name and key are hashed with SHA-1, which every responder knows (RFC 5019, section
    /// 2.1.1). The hashes only find the certificate; no trust depends on them.
    ///
    /// - Parameters:
    ///   - certificate: in DER.
    ///   - issuer: the certificate that issued it, in DER.
    /// - Throws: if a certificate cannot be read, or libcrypto has no memory or no random numbers.
    package init(certificate: [UInt8], issuer: [UInt8]) throws(LibcryptoError) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let certificate = try X509Certificate.parse(certificate.span)
        let issuer = try X509Certificate.parse(issuer.span)
        let made: OpaquePointer? = unsafe certificate.withPointer { certificate in
            unsafe issuer.withPointer { issuer in unsafe OCSP_cert_to_id(EVP_sha1(), certificate, issuer) }
        }
        guard let identifier = unsafe made else { throw LibcryptoError("naming a certificate") }
        certificateID = unsafe encoding { unsafe i2d_OCSP_CERTID(identifier, $0) }
        guard let request = unsafe OCSP_REQUEST_new() else {
            unsafe OCSP_CERTID_free(identifier)
            throw LibcryptoError("out of memory")
        }
        defer { unsafe OCSP_REQUEST_free(request) }
        // On success the request owns the identifier.
        guard unsafe OCSP_request_add0_id(request, identifier) != nil else {
            unsafe OCSP_CERTID_free(identifier)
            throw LibcryptoError("out of memory")
        }
        var nonce = [UInt8](repeating: 0, count: Self.nonceBytes)
        let count = Int32(nonce.count)
        guard unsafe RAND_bytes(&nonce, count) == 1,
            unsafe OCSP_request_add1_nonce(request, &nonce, count) == 1
        else { throw LibcryptoError("drawing a nonce") }
        self.nonce = nonce
        der = unsafe encoding { unsafe i2d_OCSP_REQUEST(request, $0) }
        guard !der.isEmpty, !certificateID.isEmpty else { throw LibcryptoError("encoding an OCSP request") }
    }
}

extension X509Certificate {
    /// The addresses of OCSP responders that the certificate names (RFC 5280, section 4.2.2.1), in its order.
    ///
    /// The list belongs to the caller of `X509_get1_ocsp`; its elements belong to the list.
    package var ocspResponders: [String] {
        withCleanErrorQueue {
            unsafe withPointer { pointer in
                guard let found = unsafe X509_get1_ocsp(pointer) else { return [] }
                defer { unsafe X509_email_free(found) }
                return (0..<max(0, unsafe OPENSSL_sk_num(found))).compactMap { index in
                    guard let text = unsafe OPENSSL_sk_value(found, index) else { return nil }
                    return unsafe String(cString: text.assumingMemoryBound(to: CChar.self))
                }
            }
        }
    }
}
