internal import Libcrypto
package import WireFormats

/// A certificate that is strict DER and that libcrypto can read. No other rule has been checked.
package final class Certificate: Sendable {
    /// The bytes of the certificate, in DER.
    package let der: [UInt8]
    let x509: X509Certificate
    private let validity: (notBefore: Int64, notAfter: Int64)

    /// Reads a certificate.
    ///
    /// - Throws: the fault of the encoding. The error names the certificate by `position`.
    package init(der: [UInt8], position: CertificateChainError.Position) throws(CertificateChainError) {
        self.der = der
        do throws(DERError) {
            try StrictDER.checkCertificate(der)
        } catch {
            throw CertificateChainError(position, nil, .malformed(error))
        }
        do throws(LibcryptoError) {
            x509 = try X509Certificate.parse(der.span)
        } catch {
            throw CertificateChainError(position, nil, .unreadable(error.description))
        }
        let validity = x509.validity
        guard let notBefore = validity.notBefore, let notAfter = validity.notAfter else {
            throw CertificateChainError(position, nil, .unreadable("its validity is not a pair of times"))
        }
        self.validity = (notBefore, notAfter)
    }

    /// The certificate's names, dates and algorithms, for people.
    ///
    /// Computed at each call, because a hostile chain can hold certificates that no message mentions.
    package var description: CertificateDescription {
        let der = self.der
        let fingerprint = Digest.sha256(der.span)
        return CertificateDescription(
            subject: x509.subject, issuer: x509.issuer,
            serialNumber: Self.shown(x509.serialNumber),
            notBefore: validity.notBefore, notAfter: validity.notAfter, publicKey: x509.publicKeyKind.name,
            signatureAlgorithm: x509.signatureAlgorithm.outer,
            sha256Fingerprint: hexadecimal(fingerprint))
    }
}

extension Certificate {
    /// The maximum length of a certificate in a token or receipt.
    static let maximumBytes = X5C.Element.maximumBytes

    /// Reads a certificate of a token. Throws if it is longer than `maximumBytes`.
    package convenience init(
        _ element: X5C.Element, position: CertificateChainError.Position
    ) throws(CertificateChainError) {
        switch element {
        case .der(let der): try self.init(der: der, position: position)
        case .oversized(let bytes):
            throw CertificateChainError(
                position, nil, .tooLarge(bytes: bytes, limit: Self.maximumBytes))
        }
    }
}

/// Reads the certificates that one payload or receipt brings, within a bound on all of them.
struct PresentedCertificates {
    /// The maximum length of all of them together: six times that of Apple's. libcrypto takes up to 0.2 ms for a
    /// kilobyte of names, before anything is known about their sender.
    static let maximumBytes = 24_576

    private var bytes = 0

    /// Reads the next certificate. Throws if it is longer than `Certificate.maximumBytes`, or all so far are longer
    /// than `maximumBytes`.
    mutating func read(
        _ element: X5C.Element, position: CertificateChainError.Position
    ) throws(CertificateChainError) -> Certificate {
        if case .der(let der) = element {
            bytes += der.count
            guard bytes <= Self.maximumBytes else {
                throw CertificateChainError(
                    position, nil, .tooLargeTogether(bytes: bytes, limit: Self.maximumBytes))
            }
        }
        return try Certificate(element, position: position)
    }
}

extension Certificate {
    /// A serial number for people, cut to 42 characters. RFC 5280, section 4.1.2.2, allows twenty bytes, but
    /// a sender can make a longer one.
    private static func shown(_ number: (magnitude: [UInt8], isNegative: Bool)) -> String {
        let serialNumber = (number.isNegative ? "-" : "") + hexadecimal(number.magnitude)
        return serialNumber.utf8.count <= 42 ? serialNumber : serialNumber.prefix(42) + "…"
    }
}

/// A certificate's names, dates and algorithms, for people. It says nothing about trust.
public struct CertificateDescription: Hashable, Sendable {
    /// The subject's name, in the form of RFC 2253.
    public let subject: String
    /// The issuer's name, in the form of RFC 2253.
    public let issuer: String
    /// The serial number in lower-case hexadecimal. A long one is cut to 42 characters and an ellipsis.
    public let serialNumber: String
    /// The first second of validity, since 1970 (inclusive).
    public let notBefore: Int64
    /// The last second of validity, since 1970 (inclusive).
    public let notAfter: Int64
    /// The kind of public key, for instance the name of its curve.
    public let publicKey: String
    /// The signature's algorithm in OpenSSL's spelling, for instance `ecdsa-with-SHA384`.
    public let signatureAlgorithm: String
    /// SHA-256 of the whole certificate, in lower-case hexadecimal.
    public let sha256Fingerprint: String
}

extension CertificateDescription {
    /// The first second of validity, in the form of ISO 8601.
    public var notBeforeISO8601: String { CalendarTime.iso8601(notBefore) }

    /// The last second of validity, in the form of ISO 8601.
    public var notAfterISO8601: String { CalendarTime.iso8601(notAfter) }
}
