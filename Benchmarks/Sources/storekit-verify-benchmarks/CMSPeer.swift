internal import CLibcryptoPeer

/// libcrypto's CMS, as `openssl cms -verify -purpose any -no_check_time` uses it: nothing is kept between
/// messages.
@safe
final class CMSPeer {
    private let store: OpaquePointer

    /// - Parameter root: the certificate to trust, in DER.
    init(root: [UInt8]) throws(BenchmarkError) {
        let decoded = unsafe root.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return unsafe d2i_X509(nil, &position, bytes.count)
        }
        guard let certificate = unsafe decoded, let store = unsafe X509_STORE_new() else {
            throw .libcrypto(function: "d2i_X509")
        }
        // The store holds its own reference.
        defer { unsafe X509_free(certificate) }
        unsafe self.store = unsafe store
        guard unsafe X509_STORE_add_cert(store, certificate) == 1,
            unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_NO_CHECK_TIME)) == 1,
            unsafe X509_STORE_set_purpose(store, X509_PURPOSE_ANY) == 1
        else { throw .libcrypto(function: "X509_STORE_add_cert") }
    }

    deinit { unsafe X509_STORE_free(store) }

    /// Whether a message in DER is signed by a signer with a chain to the root.
    func verifies(_ message: [UInt8]) -> Bool {
        let decoded = unsafe message.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return unsafe d2i_CMS_ContentInfo(nil, &position, bytes.count)
        }
        guard let contentInfo = unsafe decoded else { return false }
        defer { unsafe CMS_ContentInfo_free(contentInfo) }
        guard let output = unsafe BIO_new(BIO_s_mem()) else { return false }
        defer { unsafe BIO_free(output) }
        return unsafe CMS_verify(contentInfo, nil, store, nil, output, UInt32(CMS_BINARY)) == 1
    }
}
