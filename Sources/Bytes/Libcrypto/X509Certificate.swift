internal import CLibcrypto

/// A certificate, read by libcrypto but not judged. Owns one `X509`.
@safe
package struct X509Certificate: ~Copyable {
    private let pointer: OpaquePointer

    private init(takingOwnership pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe X509_free(pointer) }

    /// Reads a certificate (RFC 5280, section 4.1).
    ///
    /// libcrypto accepts some BER here, so the caller checks the encoding first.
    ///
    /// - Throws: libcrypto's reasons. Bytes behind the certificate are not noticed here.
    package static func parse(_ der: Span<UInt8>) throws(LibcryptoError) -> X509Certificate {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let parsed = unsafe decoding(der, { unsafe d2i_X509(nil, $0, $1) }) else {
            throw LibcryptoError("reading a certificate")
        }
        return unsafe X509Certificate(takingOwnership: parsed)
    }

    /// Lends the pointer for the duration of a call. The closure must not keep it.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result { unsafe body(pointer) }

    // MARK: Names and numbers

    /// The version as people write it: 3 for the encoded 2.
    package var version: Int { unsafe X509_get_version(pointer) + 1 }

    /// The subject in the form of RFC 2253, 400 bytes at most.
    package var subject: String { unsafe Self.text(of: X509_get_subject_name(pointer)) }

    /// The issuer in the form of RFC 2253, 400 bytes at most.
    package var issuer: String { unsafe Self.text(of: X509_get_issuer_name(pointer)) }

    /// Whether the other certificate's subject is this one's issuer (RFC 5280, section 7.1).
    package func namesAsIssuer(_ other: borrowing X509Certificate) -> Bool {
        unsafe X509_NAME_cmp(X509_get_issuer_name(pointer), X509_get_subject_name(other.pointer)) == 0
    }

    /// Whether subject and issuer are the same name (RFC 5280, section 3.2).
    package var isSelfIssued: Bool {
        unsafe X509_NAME_cmp(X509_get_issuer_name(pointer), X509_get_subject_name(pointer)) == 0
    }

    /// The serial number's bytes, without its sign, and whether it is negative.
    package var serialNumber: (magnitude: [UInt8], isNegative: Bool) {
        guard let number = unsafe X509_get0_serialNumber(pointer) else { return ([], false) }
        let isNegative = unsafe ASN1_STRING_type(number) == V_ASN1_NEG_INTEGER
        return unsafe (Self.bytes(of: number), isNegative)
    }

    /// The encoded issuer's name, followed by the encoded serial number. Signed messages name a signer like
    /// this (RFC 5652, section 10.2.4).
    ///
    /// A part that cannot be encoded is empty, and then equals no message's.
    package var issuerAndSerialNumber: [UInt8] {
        let name = unsafe encoding { unsafe i2d_X509_NAME(X509_get_issuer_name(pointer), $0) }
        let number = unsafe encoding { unsafe i2d_ASN1_INTEGER(X509_get0_serialNumber(pointer), $0) }
        return name + number
    }

    /// The first and the last second of validity, since 1970; `nil` for a date that cannot be read.
    package var validity: (notBefore: Int64?, notAfter: Int64?) {
        unsafe (
            Self.seconds(X509_get0_notBefore(pointer)), Self.seconds(X509_get0_notAfter(pointer))
        )
    }

    /// A copy: the pointer belongs to the certificate.
    static func bytes(of string: UnsafePointer<ASN1_STRING>) -> [UInt8] {
        let length = unsafe ASN1_STRING_length(string)
        guard length > 0, let start = unsafe ASN1_STRING_get0_data(string) else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(length)))
    }

    /// - Returns: `nil` for a time that libcrypto cannot read. `timegm` knows no time zone and no leap
    ///   second.
    static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var fields = unsafe tm()
        guard let time = unsafe time, unsafe ASN1_TIME_to_tm(time, &fields) == 1 else { return nil }
        return unsafe Int64(timegm(&fields))
    }
}

// libcrypto fills an X509's caches under the certificate's own lock; nothing else here writes to it.
extension X509Certificate: @unchecked Sendable {}
