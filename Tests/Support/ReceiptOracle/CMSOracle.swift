internal import CLibcrypto

/// The verdict of libcrypto's own CMS on a receipt, and its content. The command would be
/// `openssl cms -verify -purpose any -no_check_time`.
package enum CMSOracle {
    /// The signed content; nil if the signature is wrong, or if no chain leads to the given root. Neither
    /// purposes nor times are judged.
    ///
    /// - Parameter ignoresCritical: whether critical extensions that libcrypto does not know are allowed.
    ///   Apple's markers can be such extensions.
    package static func content(
        of der: [UInt8], root: [UInt8]? = nil, ignoresCritical: Bool = false
    ) -> [UInt8]? {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let parsed = unsafe der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_CMS_ContentInfo(nil, &start, buffer.count)
        }
        guard let parsed = unsafe parsed, let output = unsafe BIO_new(BIO_s_mem()) else { return nil }
        defer {
            unsafe CMS_ContentInfo_free(parsed)
            unsafe BIO_free(output)
        }
        var flags = UInt32(CMS_BINARY)
        guard let root else {
            flags |= UInt32(CMS_NO_SIGNER_CERT_VERIFY)
            return unsafe CMS_verify(parsed, nil, nil, nil, output, flags) == 1 ? unsafe bytes(output) : nil
        }
        guard let store = unsafe store(of: root, ignoresCritical) else { return nil }
        defer { unsafe X509_STORE_free(store) }
        return unsafe CMS_verify(parsed, nil, store, nil, output, flags) == 1 ? unsafe bytes(output) : nil
    }

    /// A store with one certificate. The caller frees it.
    private static func store(of root: [UInt8], _ ignoresCritical: Bool) -> OpaquePointer? {
        let certificate = unsafe root.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_X509(nil, &start, buffer.count)
        }
        guard let certificate = unsafe certificate, let store = unsafe X509_STORE_new() else { return nil }
        // The store takes its own reference.
        defer { unsafe X509_free(certificate) }
        unsafe X509_STORE_add_cert(store, certificate)
        let flags = X509_V_FLAG_NO_CHECK_TIME | (ignoresCritical ? X509_V_FLAG_IGNORE_CRITICAL : 0)
        unsafe X509_STORE_set_flags(store, UInt(flags))
        unsafe X509_STORE_set_purpose(store, X509_PURPOSE_ANY)
        return unsafe store
    }

    private static func bytes(_ output: OpaquePointer) -> [UInt8] {
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe clibcrypto_bio_memory(output, &start)
        return unsafe UnsafeRawBufferPointer(start: start, count: count).map { $0 }
    }
}
