internal import CLibcrypto

/// An answer about one certificate, signed by a responder of its issuer (RFC 6960, section 4.2).
///
/// The caller judges the answer's times and its nonce.
package struct OCSPAnswer: Hashable, Sendable {
    /// The status of a certificate.
    package enum Status: Hashable, Sendable {
        /// The certificate is not revoked.
        case good
        /// The certificate was revoked at a second since 1970. The reason is a number of RFC 5280, section
        /// 5.3.1; `nil` if the answer gives none.
        case revoked(at: Int64, reason: Int?)
        /// The responder does not know the certificate.
        case unknown
    }

    /// The nonce of an answer, compared with the request's.
    package enum Nonce: Hashable, Sendable {
        case absent
        /// The answer has the request's nonce.
        case matching
        case other
    }

    package let status: Status
    /// When the responder knew the status to be right, in seconds since 1970.
    package let thisUpdate: Int64
    /// By when the responder will have a newer answer; `nil` if it always has one.
    package let nextUpdate: Int64?
    package let nonce: Nonce
    /// The name of the certificate that signed the answer, in the form of RFC 2253.
    package let responder: String
}

/// The reason why an answer is refused.
package enum OCSPAnswerError: Error, Hashable, Sendable {
    /// The bytes are not an OCSP response in DER, or have a part that this code does not accept.
    case unreadable(String)
    /// The responder refused to answer, with this status number of RFC 6960, section 4.2.1.
    case unsuccessful(Int)
    /// The answer is signed with this algorithm, which is not RSA or ECDSA with SHA-256 or better.
    case algorithm(String)
    /// The signature is wrong, or its signer may not answer for the issuer.
    case untrusted(String)
    /// The answer is about other certificates.
    case otherCertificate
}

extension OCSPAnswer {
    /// Reads an answer and judges its signer.
    ///
    /// The signer is the issuer, or a responder with a certificate that the issuer signed directly, that has
    /// the purpose `id-kp-OCSPSigning` (RFC 6960, section 4.2.2.2) and that is valid at `second`.
    ///
    /// - Parameters:
    ///   - response: the bytes that the responder sent.
    ///   - request: the request that it got.
    ///   - issuers: the issuer's certificates, in DER. An issuer may have several with one name and key.
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
            // Bytes behind the answer are refused: no signature covers them.
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

    // MARK: The signer

    /// The signer's name, if the signature is right and the signer may answer for the issuer.
    func judgeSigner(issuers: [[UInt8]], at second: Int64) throws(OCSPAnswerError) -> String {
        try unsafe checkAlgorithm(OCSP_resp_get0_tbs_sigalg(pointer))
        guard let store = unsafe X509_STORE_new(), let certificates = unsafe OPENSSL_sk_new_null() else {
            throw Self.unreadable("out of memory")
        }
        defer {
            unsafe X509_STORE_free(store)
            unsafe OPENSSL_sk_pop_free(certificates) { unsafe X509_free($0.map { OpaquePointer($0) }) }
        }
        // The responder's certificate must be valid at this time, not at the system's.
        unsafe X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(store), time_t(second))
        for der in issuers {
            guard let issuer = try? X509Certificate.parse(der.span) else {
                throw Self.unreadable("the issuer cannot be read")
            }
            // The store counts a reference of its own. The stack takes over the reference that is counted
            // here.
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
        // Only the issuer is an anchor. No chain is built from certificates in the answer, and no other root
        // counts.
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

    /// Checks two things in a responder's certificate that libcrypto does not: the algorithm of its
    /// signature, and that its key may sign. The issuer's own certificates were judged with the chain.
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

    // MARK: The status

    func answer(to request: OCSPRequest, responder: String) throws(OCSPAnswerError) -> OCSPAnswer {
        try checkExtensions()
        let found = unsafe decoding(request.certificateID.span) { unsafe d2i_OCSP_CERTID(nil, $0, $1) }
        guard let identifier = unsafe found else { throw Self.unreadable("out of memory") }
        defer { unsafe OCSP_CERTID_free(identifier) }
        let index = unsafe OCSP_resp_find(pointer, identifier, -1)
        guard index >= 0, let single = unsafe OCSP_resp_get0(pointer, index) else { throw .otherCertificate }
        // With two statuses of one certificate, the reader would have to choose.
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

    /// Refuses an answer with an unknown critical extension (RFC 6960, section 4.4).
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
