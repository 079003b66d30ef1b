import Minting

/// A certificate that its issuer did not sign in this form. Its signature is that of the genuine certificate.
struct WorstCertificate {
    private var template: CertificateTemplate
    private let signature: [UInt8]
    /// The encodings of the names, which may differ from the template's.
    private var issuer: [UInt8]
    private var subject: [UInt8]

    init(_ template: CertificateTemplate) throws(MintingError) {
        self.template = template
        issuer = template.issuer.der
        subject = template.subject.der
        signature = try template.signer.signature(of: template.tbsCertificate, template.algorithm)
    }

    var der: [UInt8] { template.der(signing: signedPart, signatureValue: signature) }

    /// The identifier by which a receipt names its signer (RFC 5652, 10.2.4).
    var issuerAndSerialNumber: [UInt8] {
        DER.sequence(issuer, DER.integer(contents: template.serialNumber))
    }

    /// The template's signed part (RFC 5280, 4.1), with these names.
    private var signedPart: [UInt8] {
        DER.sequence(
            DER.explicit(0, DER.integer(contents: [2])), DER.integer(contents: template.serialNumber),
            template.algorithm.der, issuer,
            DER.sequence(template.notBefore.der, template.notAfter.der), subject, template.publicKeyInfo,
            DER.explicit(3, DER.value(tag: 0x30, template.extensions.flatMap(\.der))))
    }

    /// The certificate with a serial number of its own.
    func numbered(_ number: Int) throws(MintingError) -> WorstCertificate {
        var certificate = self
        let digits = try HashFunction.sha256.digest(
            Array("worst serial number \(number)".utf8))
        // 16 bytes, positive, the first one not zero, as in Apple's serial numbers.
        certificate.template.serialNumber = [digits[0] & 0x3F | 0x40] + digits[1..<16]
        return certificate
    }

    /// The certificate with as many unknown extensions as fit into this many bytes.
    func withExtensions(bytes: Int) -> WorstCertificate {
        // Identifiers of two bytes. With one byte there would be fewer than a hundred different ones.
        let shortest = CertificateExtension([2, 1_000], contents: []).der
        return filled(bytes, unitBytes: shortest.count) { certificate, count in
            certificate.template.extensions += (0..<UInt(count)).map {
                CertificateExtension([2, 1_000 + $0], contents: [])
            }
        }
    }

    /// The certificate with other names.
    func naming(issuer: [UInt8]? = nil, subject: [UInt8]? = nil) -> WorstCertificate {
        var certificate = self
        certificate.issuer = issuer ?? self.issuer
        certificate.subject = subject ?? self.subject
        return certificate
    }

    /// A name with as many attributes as fit into this many bytes.
    static func name(bytes: Int) -> [UInt8] {
        // The shortest attribute: one byte of type, and no value.
        let attribute = DER.set(DER.sequence(DER.objectIdentifier([1, 2]), DER.utf8String("")))
        return DER.value(
            tag: 0x30, [[UInt8]](repeating: attribute, count: bytes / attribute.count).flatMap(\.self))
    }

    /// The certificate, brought to exactly this many bytes by an extension.
    func withFiller(bytes: Int) -> WorstCertificate {
        filled(bytes, unitBytes: 1) { certificate, count in
            certificate.template.extensions.append(
                CertificateExtension([2, 1_000], contents: [UInt8](repeating: 0, count: count)))
        }
    }

    /// The certificate with a change that adds units, with as many of them as fit into this many bytes.
    private func filled(
        _ bytes: Int, unitBytes: Int, _ add: (inout WorstCertificate, Int) -> Void
    ) -> WorstCertificate {
        var count = bytes / unitBytes
        while true {
            var certificate = self
            add(&certificate, count)
            let excess = certificate.der.count - bytes
            if excess <= 0 || count == 0 { return certificate }
            // Rounded up, so that this count fits.
            count = max(0, count - (excess + unitBytes - 1) / unitBytes)
        }
    }
}
