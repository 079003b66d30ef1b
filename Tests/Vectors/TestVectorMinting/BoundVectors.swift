import Minting
import TestMinting

/// `valid/bounds` and `invalid/…-bounds`: tokens at the limits, and tokens beyond them.
enum BoundVectors {
    /// The maximum length of a certificate in `x5c`.
    private static let certificateBytes = 16_384
    /// A header has four at most; a sender may give it any number.
    private static let headerNames = 2_000

    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        [try valid(fixtures), try header(fixtures), try certificates(fixtures)]
    }

    private static func valid(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "valid/bounds", "Certificates and headers of the largest size", roots: ["pki/root.pem"])
        for position in 0..<3 {
            try file.verified(
                "certificate-\(position)", .transaction,
                line(fixtures, position: position, bytes: certificateBytes),
                "Certificate \(position) has 16,384 bytes.")
        }
        try file.verified(
            "header-names", .transaction, line(fixtures, names: headerNames), "A header of 2,000 names.")
        return file
    }

    private static func header(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile("invalid/02-bounds", "Headers that are too large", roots: ["pki/root.pem"])
        try file.rejected(
            "header-besides-x5c", .invalidEncoding, line(fixtures, names: 10_000),
            "A good header of 10,000 names, with more than 65,536 bytes besides x5c.")
        return file
    }

    private static func certificates(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/03-bounds", "Certificates that would take libcrypto long", roots: ["pki/root.pem"])
        for position in 0..<3 {
            for bytes in [certificateBytes + 1, 100_000] {
                try file.rejected(
                    "certificate-\(position)-of-\(bytes)-bytes", .invalidCertificateChain,
                    line(fixtures, position: position, bytes: bytes),
                    "Certificate \(position) has \(bytes) bytes, and is good.")
            }
        }
        var x5c = try fixtures.standard.x5c(leaf: 2)
        for position in 0..<2 {
            x5c[position] = try certificate(fixtures.standard[position].template, bytes: 12_200)
        }
        try file.rejected(
            "certificates-together", .invalidCertificateChain, fixtures.presenting(x5c),
            "Good certificates of 12,200, 12,200 and some hundred bytes: more than 24,576 together.")
        for position in 0..<2 {
            let line = try fixtures.changed { (pki) throws(MintingError) in
                pki[position].template.set(relativeDistributionPoint)
            }
            file.rejected(
                "relative-distribution-point-\(position)", .invalidCertificateChain, line,
                "Certificate \(position) names a CRL distribution point relative to its issuer.")
        }
        return file
    }

    /// RFC 5280, 4.2.1.13: `nameRelativeToCRLIssuer`.
    private static var relativeDistributionPoint: CertificateExtension {
        let name = DER.sequence(DER.objectIdentifier([2, 5, 4, 3]), DER.utf8String("1"))
        let point = DER.value(tag: 0xA0, DER.value(tag: 0xA1, name))
        return CertificateExtension([2, 5, 29, 31], contents: DER.sequence(DER.sequence(point)))
    }

    /// A good token whose certificate at this index of `x5c` has this many bytes.
    private static func line(
        _ fixtures: Fixtures, position: Int, bytes: Int
    ) throws(MintingError) -> String {
        var x5c = try fixtures.standard.x5c(leaf: 2)
        x5c[position] = try certificate(fixtures.standard[position].template, bytes: bytes)
        return try fixtures.presenting(x5c)
    }

    /// The certificate, brought to a length by an extension of our own. The length of its signature depends on
    /// the signed bytes, so this tries contents until the length is right.
    private static func certificate(
        _ template: CertificateTemplate, bytes: Int
    ) throws(MintingError) -> [UInt8] {
        var filler = bytes - (try template.der().count) - 40
        for filling in UInt8.min...UInt8.max {
            var filled = template
            filled.set(
                CertificateExtension(
                    [1, 3, 6, 1, 4, 1, 55_738, 1], contents: [UInt8](repeating: filling, count: filler)))
            let der = try filled.der()
            if der.count == bytes { return der }
            filler += bytes - der.count
        }
        throw .algorithmDoesNotFitKey
    }

    /// A good token whose header has this many member names, two of them `alg` and `x5c`.
    private static func line(_ fixtures: Fixtures, names: Int) throws(MintingError) -> String {
        let list = try fixtures.standard.x5c(leaf: 2).map { "\"\(Base64.encoded($0))\"" }
        let members = (2..<names).map { ",\"\($0)\":0" }.joined()
        let header = #"{"alg":"ES256","x5c":[\#(list.joined(separator: ","))]\#(members)}"#
        return try TokenMinter(key: fixtures.standard.leaf.key, header: Array(header.utf8))
            .token(payload: Payloads.smallTransaction.text)
    }
}
