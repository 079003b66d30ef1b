internal import CLibcrypto

/// What an OCSP responder that may speak for the issuer signed about one certificate (RFC 6960, section 4.2).
///
/// Whether it is still, or already, to be believed is for the caller to judge.
package struct OCSPAnswer: Hashable, Sendable {
    /// The status of a certificate.
    package enum Status: Hashable, Sendable {
        /// Not revoked.
        case good
        /// Revoked at a second since 1970, for a reason by its number (RFC 5280, section 5.3.1), if one is given.
        case revoked(at: Int64, reason: Int?)
        /// The responder does not know the certificate.
        case unknown
    }

    /// The nonce of an answer.
    package enum Nonce: Hashable, Sendable {
        case absent
        /// It is the request's.
        case matching
        case other
    }

    package let status: Status
    /// When the status was known to be right, in seconds since 1970.
    package let thisUpdate: Int64
    /// When there will be a newer answer at the latest; `nil` where there always is one.
    package let nextUpdate: Int64?
    package let nonce: Nonce
    /// The name of the certificate that signed the answer, in the form of RFC 2253.
    package let responder: String
}

/// Why an answer says nothing about a certificate.
package enum OCSPAnswerError: Error, Hashable, Sendable {
    /// It is not an answer in DER, of a form that can be read.
    case unreadable(String)
    /// The responder says that it did not answer, by the number of RFC 6960, section 4.2.1.
    case unsuccessful(Int)
    /// It is signed with this algorithm, which is not RSA or ECDSA with SHA-256 or better.
    case algorithm(String)
    /// Its signature is not good, or whoever signed may not speak for the issuer.
    case untrusted(String)
    /// It is about other certificates.
    case otherCertificate
}

extension OCSPAnswer {
    /// Reads an answer and judges who signed it.
    ///
    /// The signer is the issuer itself, or one that the issuer made its responder: a certificate that it issued
    /// directly, with the purpose `id-kp-OCSPSigning` (RFC 6960, section 4.2.2.2), valid at `second`.
    ///
    /// - Parameters:
    ///   - response: what the responder sent.
    ///   - request: what it was asked.
    ///   - issuers: the certificates of the issuer, in DER: several where it has been issued anew under one name
    ///     and key.
    ///   - second: the time of the judgement, in seconds since 1970.
    package init(
        _ response: [UInt8], to request: OCSPRequest, issuers: [[UInt8]], at second: Int64
    ) throws(OCSPAnswerError) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let message = try OCSPBasicResponse(response)
        let responder = try message.judgeSigner(issuers: issuers, at: second)
        self = try message.answer(to: request, responder: responder)
    }
}

/// The signed part of an answer; owns one `OCSP_BASICRESP`.
@safe
private struct OCSPBasicResponse: ~Copyable {
    private let pointer: OpaquePointer

    deinit { unsafe OCSP_BASICRESP_free(pointer) }

    init(_ bytes: [UInt8]) throws(OCSPAnswerError) {
        let response: OpaquePointer? = unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var next: UnsafePointer<UInt8>? = unsafe start
            let parsed = unsafe d2i_OCSP_RESPONSE(nil, &next, buffer.count)
            // What stands behind an answer belongs to nothing.
            guard unsafe next == start + buffer.count else {
                unsafe OCSP_RESPONSE_free(parsed)
                return nil
            }
            return unsafe parsed
        }
        guard let response = unsafe response else { throw Self.unreadable("it is not an OCSP response") }
        defer { unsafe OCSP_RESPONSE_free(response) }
        let status = unsafe OCSP_response_status(response)
        guard status == OCSP_RESPONSE_STATUS_SUCCESSFUL else { throw .unsuccessful(Int(status)) }
        guard let basic = unsafe OCSP_response_get1_basic(response) else {
            throw Self.unreadable("it holds no basic response")
        }
        unsafe pointer = basic
    }

    // MARK: Who signed

    /// The name of the signer, if it may speak for the issuer and the signature is good.
    func judgeSigner(issuers: [[UInt8]], at second: Int64) throws(OCSPAnswerError) -> String {
        try unsafe checkAlgorithm(OCSP_resp_get0_tbs_sigalg(pointer))
        guard let store = unsafe X509_STORE_new(), let certificates = unsafe OPENSSL_sk_new_null() else {
            throw Self.unreadable("out of memory")
        }
        defer {
            unsafe X509_STORE_free(store)
            unsafe OPENSSL_sk_pop_free(certificates) { unsafe X509_free($0.map { OpaquePointer($0) }) }
        }
        // The validity of the responder's certificate is judged then, not at the system's time.
        unsafe X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(store), time_t(second))
        for der in issuers {
            guard let issuer = try? X509Certificate.parse(der.span) else {
                throw Self.unreadable("the issuer cannot be read")
            }
            // The store counts its own reference; the stack takes over one that is counted here.
            let isAdded = unsafe issuer.withPointer { issuer in
                guard unsafe X509_STORE_add_cert(store, issuer) == 1, unsafe X509_up_ref(issuer) == 1 else {
                    return false
                }
                if unsafe OPENSSL_sk_push(certificates, UnsafeRawPointer(issuer)) > 0 { return true }
                unsafe X509_free(issuer)
                return false
            }
            guard isAdded else { throw Self.unreadable("out of memory") }
        }
        // Nothing but the issuer leads to trust: no chain is built from what the answer brings along, and no
        // other root may vouch.
        let flags = UInt(OCSP_PARTIAL_CHAIN | OCSP_NOCHAIN | OCSP_NOEXPLICIT)
        guard unsafe OCSP_basic_verify(pointer, certificates, store, flags) == 1 else {
            throw .untrusted(LibcryptoError("who signed it may not speak for the issuer").description)
        }
        var signer: OpaquePointer?
        guard unsafe OCSP_resp_get0_signer(pointer, &signer, certificates) == 1, let signer = unsafe signer
        else { throw .untrusted("it does not say who signed it") }
        try unsafe checkDelegate(signer, unlessAmong: certificates)
        return unsafe X509Certificate.text(of: X509_get_subject_name(signer))
    }

    /// What libcrypto does not ask of a responder's certificate: a signature of today, and a key that may sign.
    private func checkDelegate(
        _ signer: OpaquePointer, unlessAmong issuers: OpaquePointer
    ) throws(OCSPAnswerError) {
        for index in 0..<max(0, unsafe OPENSSL_sk_num(issuers)) {
            guard let issuer = unsafe OPENSSL_sk_value(issuers, index) else { continue }
            if unsafe X509_cmp(signer, OpaquePointer(issuer)) == 0 { return }
        }
        var algorithm: UnsafePointer<X509_ALGOR>?
        unsafe X509_get0_signature(nil, &algorithm, signer)
        try unsafe checkAlgorithm(algorithm)
        if unsafe X509_get_extension_flags(signer) & UInt32(EXFLAG_KUSAGE) != 0,
            unsafe X509_get_key_usage(signer) & UInt32(KU_DIGITAL_SIGNATURE | KU_NON_REPUDIATION) == 0
        {
            throw .untrusted("the responder's key may not sign")
        }
    }

    private func checkAlgorithm(_ algorithm: UnsafePointer<X509_ALGOR>?) throws(OCSPAnswerError) {
        guard let algorithm = unsafe algorithm else { throw Self.unreadable("it names no algorithm") }
        switch unsafe X509Certificate.family(of: algorithm) {
        case .ecdsaWithSHA2, .rsaWithSHA2: return
        case .rsaWithSHA1, nil: throw .algorithm(unsafe X509Certificate.name(of: algorithm))
        }
    }

    // MARK: What it says

    func answer(to request: OCSPRequest, responder: String) throws(OCSPAnswerError) -> OCSPAnswer {
        try checkExtensions()
        let found: OpaquePointer? = unsafe request.certificateID.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            return unsafe d2i_OCSP_CERTID(nil, &next, buffer.count)
        }
        guard let identifier = unsafe found else { throw Self.unreadable("out of memory") }
        defer { unsafe OCSP_CERTID_free(identifier) }
        let index = unsafe OCSP_resp_find(pointer, identifier, -1)
        guard index >= 0, let single = unsafe OCSP_resp_get0(pointer, index) else { throw .otherCertificate }
        // Two statuses of one certificate would leave the choice to the reader.
        guard unsafe OCSP_resp_find(pointer, identifier, index) < 0 else {
            throw Self.unreadable("it has two statuses for the certificate")
        }
        guard unsafe OCSP_SINGLERESP_get_ext_by_critical(single, 1, -1) < 0 else {
            throw Self.unreadable("it has an unknown critical extension")
        }
        var reason: Int32 = -1
        var (revoked, this, next):
            (
                UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?, UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?,
                UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
            ) = (nil, nil, nil)
        let code = unsafe OCSP_single_get0_status(single, &reason, &revoked, &this, &next)
        let nextUpdate = unsafe X509Certificate.seconds(next)
        guard let thisUpdate = unsafe X509Certificate.seconds(this), unsafe next == nil || nextUpdate != nil
        else { throw Self.unreadable("its times cannot be read") }
        let status: OCSPAnswer.Status
        switch code {
        case V_OCSP_CERTSTATUS_GOOD: status = .good
        case V_OCSP_CERTSTATUS_UNKNOWN: status = .unknown
        case V_OCSP_CERTSTATUS_REVOKED:
            guard let date = unsafe X509Certificate.seconds(revoked) else {
                throw Self.unreadable("the time of the revocation cannot be read")
            }
            status = .revoked(at: date, reason: reason < 0 ? nil : Int(reason))
        default: throw Self.unreadable("it has a status of an unknown kind")
        }
        return OCSPAnswer(
            status: status, thisUpdate: thisUpdate, nextUpdate: nextUpdate, nonce: nonce(request.nonce),
            responder: responder)
    }

    /// A critical extension that is not understood makes an answer useless (RFC 6960, section 4.4).
    private func checkExtensions() throws(OCSPAnswerError) {
        var index: Int32 = -1
        while true {
            index = unsafe OCSP_BASICRESP_get_ext_by_critical(pointer, 1, index)
            guard index >= 0 else { return }
            let found = unsafe OCSP_BASICRESP_get_ext(pointer, index)
            guard unsafe OBJ_obj2nid(X509_EXTENSION_get_object(found)) == NID_id_pkix_OCSP_Nonce else {
                throw Self.unreadable("it has an unknown critical extension")
            }
        }
    }

    private func nonce(_ expected: [UInt8]) -> OCSPAnswer.Nonce {
        let index = unsafe OCSP_BASICRESP_get_ext_by_NID(pointer, NID_id_pkix_OCSP_Nonce, -1)
        guard index >= 0 else { return .absent }
        guard let found = unsafe OCSP_BASICRESP_get_ext(pointer, index),
            let value = unsafe X509_EXTENSION_get_data(found)
        else { return .other }
        // An OCTET STRING of at most 127 bytes (RFC 8954, section 2.1).
        return unsafe X509Certificate.bytes(of: value) == [0x04, UInt8(expected.count)] + expected
            ? .matching : .other
    }

    private static func unreadable(_ reason: String) -> OCSPAnswerError {
        .unreadable(LibcryptoError(reason).description)
    }
}
