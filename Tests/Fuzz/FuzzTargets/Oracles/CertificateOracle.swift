internal import CLibcrypto

/// libcrypto's own results for certificates.
enum CertificateOracle {
    /// The certificate, encoded again from libcrypto's values; its signed part is not a copy of the bytes.
    /// `nil` if the bytes are not a certificate.
    static func reencoded(_ der: [UInt8]) -> [UInt8]? {
        unsafe withCertificate(der) { certificate in
            var signedPart: UnsafeMutablePointer<UInt8>?
            let count = unsafe i2d_re_X509_tbs(certificate, &signedPart)
            guard count > 0 else { return nil }
            unsafe CRYPTO_free(signedPart, nil, 0)
            var whole: UnsafeMutablePointer<UInt8>?
            let wholeCount = unsafe i2d_X509(certificate, &whole)
            guard wholeCount > 0, let whole = unsafe whole else { return nil }
            defer { unsafe CRYPTO_free(whole, nil, 0) }
            return unsafe Array(UnsafeBufferPointer(start: whole, count: Int(wholeCount)))
        }
    }

    /// Whether a chain leads from the leaf to one of the roots, at any time and for any purpose (RFC 5280,
    /// section 6.1). It accepts critical extensions that libcrypto does not know, such as Apple's markers.
    static func leads(_ leaf: [UInt8], through intermediate: [UInt8], to roots: [[UInt8]]) -> Bool {
        let verdict = unsafe withCertificate(leaf) { leaf in
            unsafe withCertificate(intermediate) { intermediate in
                unsafe Self.leads(leaf, intermediate, roots)
            }
        }
        return verdict == true
    }

    private static func leads(
        _ leaf: OpaquePointer, _ intermediate: OpaquePointer, _ roots: [[UInt8]]
    ) -> Bool {
        let store = unsafe X509_STORE_new()
        let context = unsafe X509_STORE_CTX_new()
        let untrusted = unsafe OPENSSL_sk_new_null()
        defer {
            unsafe X509_STORE_CTX_free(context)
            unsafe X509_STORE_free(store)
            // The stack does not own its elements.
            unsafe OPENSSL_sk_free(untrusted)
        }
        for root in roots {
            _ = unsafe withCertificate(root) { unsafe X509_STORE_add_cert(store, $0) }
        }
        unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_NO_CHECK_TIME | X509_V_FLAG_IGNORE_CRITICAL))
        unsafe OPENSSL_sk_push(untrusted, UnsafeRawPointer(intermediate))
        guard unsafe X509_STORE_CTX_init(context, store, leaf, untrusted) == 1 else { return false }
        unsafe X509_STORE_CTX_set_purpose(context, X509_PURPOSE_ANY)
        return unsafe X509_verify_cert(context) == 1
    }

    /// Whether the signature, `r || s`, over SHA-256 of the message was made with the certificate's key.
    static func isSigned(_ message: [UInt8], _ signature: [UInt8], by certificate: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        let encoded = P256Oracle.der(signature)
        let verdict = unsafe withCertificate(certificate) { certificate in
            guard let context = unsafe EVP_MD_CTX_new() else { return false }
            defer { unsafe EVP_MD_CTX_free(context) }
            // get0: the certificate still owns the key.
            let key = unsafe X509_get0_pubkey(certificate)
            guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else {
                return false
            }
            return unsafe EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
        }
        return verdict == true
    }

    /// Lends a certificate. All bytes must belong to it.
    private static func withCertificate<Result>(
        _ der: [UInt8], _ body: (OpaquePointer) -> Result?
    ) -> Result? {
        ERR_clear_error()
        defer { ERR_clear_error() }
        var isWhole = false
        let certificate = unsafe der.withUnsafeBufferPointer { buffer in
            var end = buffer.baseAddress
            let certificate = unsafe d2i_X509(nil, &end, buffer.count)
            isWhole = unsafe end == buffer.baseAddress.map { unsafe $0 + buffer.count }
            return unsafe certificate
        }
        guard let certificate = unsafe certificate else { return nil }
        defer { unsafe X509_free(certificate) }
        return isWhole ? unsafe body(certificate) : nil
    }
}
