import Minting
import TestMinting

/// Ways to make a certificate's encoding invalid.
enum CertificateFlaw {
    typealias OfBytes = (name: String, spoil: ([UInt8]) -> [UInt8], why: String)
    typealias OfTemplate = (name: String, spoil: (inout CertificateTemplate) -> Void, why: String)

    /// Flaws of the outermost value, which its signature does not cover.
    static var ofBytes: [OfBytes] {
        [
            ("trailing-byte", { $0 + [0] }, "has a byte after it"),
            ("trailing-certificate", { $0 + $0 }, "has itself after it"),
            ("truncated", { $0.dropLast() }, "lacks its last byte"),
            ("header-only", { Array($0.prefix(4)) }, "ends after its length"),
            ("garbage", { _ in [1, 2, 3] }, "is garbage"),
            ("empty-sequence", { _ in [0x30, 0x00] }, "is an empty sequence"),
            ("indefinite-length", { DER.indefiniteLength($0) }, "has an indefinite length"),
            ("longer-length", { DER.longerLength($0) }, "has a length in more bytes than it needs"),
            ("set", { [0x31] + $0.dropFirst() }, "is a SET"),
            (
                "fourth-member", { DER.value(tag: 0x30, DER.contents($0) + DER.null) },
                "has a fourth member"
            ),
            (
                "text", { Array(Base64.pem("CERTIFICATE", $0).utf8) }, "is PEM, encoded once more"
            ),
        ]
    }

    typealias OfSignature = (name: String, spoil: (ECDSASignature) -> [UInt8], why: String)

    /// Flaws of the signature value.
    static var ofSignatures: [OfSignature] {
        [
            ("empty", { _ in [] }, "has no signature"), ("raw", { $0.raw }, "has r‖s for a signature"),
            ("trailing-byte", { $0.der + [0] }, "has a byte after its signature"),
            (
                "needless-zero",
                {
                    let r = DER.contents(DER.unsignedInteger($0.r))
                    return DER.sequence(DER.integer(contents: [0] + r), DER.unsignedInteger($0.s))
                }, "has a signature whose r begins with a needless zero byte"
            ),
            (
                "longer-length", { DER.longerLength($0.der) },
                "has a signature with a length in more bytes than it needs"
            ),
            (
                "indefinite-length", { DER.indefiniteLength($0.der) },
                "has a signature of indefinite length"
            ),
            (
                "third-number",
                { DER.sequence(DER.contents($0.der), DER.unsignedInteger([1])) },
                "has a signature of three numbers"
            ),
            (
                "zero", { _ in DER.sequence(DER.unsignedInteger([]), DER.unsignedInteger([])) },
                "has a signature of two zeros"
            ),
            ("swapped", { ECDSASignature(r: $0.s, s: $0.r).der }, "has r and s swapped"),
        ]
    }

    /// Flaws inside the signed part.
    static var ofTemplates: [OfTemplate] { values + times + extensionValues + names }

    private static var values: [OfTemplate] {
        typealias Identifier = CertificateExtension.Identifier
        return [
            (
                "critical-spelled-false",
                { $0.modify(Identifier.subjectKey) { $0.criticalDER = DER.boolean(false) } },
                "spells out critical FALSE, the default (X.690, 11.5)"
            ),
            (
                "critical-ber-true",
                { $0.modify(Identifier.keyUsage) { $0.criticalDER = DER.value(tag: 0x01, [0x01]) } },
                "writes TRUE as 01 (X.690, 11.1)"
            ),
            (
                "constructed-octet-string",
                { $0.modify(Identifier.keyUsage) { $0.valueDER = DER.constructedOctetString($0.contents) } },
                "has an OCTET STRING in pieces (X.690, 10.2)"
            ),
            (
                "serial-leading-zero", { $0.serialNumber = [0] + $0.serialNumber },
                "has a serial number with a needless zero byte (X.690, 8.3.2)"
            ),
            ("serial-empty", { $0.serialNumber = [] }, "has a serial number of no bytes (X.690, 8.3.1)"),
            (
                "version-spelled-out", { $0.version = 0 },
                "spells out version 1, the default, and has extensions"
            ),
        ]
    }

    private static var times: [OfTemplate] {
        [
            (
                "time-without-seconds",
                { $0.validityDER = DER.sequence(DER.utcTime("2509191944Z"), $0.notAfter.der) },
                "has a UTCTime without seconds (X.690, 11.8.2)"
            ),
            (
                "time-with-offset",
                { $0.validityDER = DER.sequence(DER.utcTime("250919194451+0000"), $0.notAfter.der) },
                "has a UTCTime with an offset (X.690, 11.8.1)"
            ),
            (
                "time-with-fraction",
                { $0.validityDER = DER.sequence(DER.generalizedTime("20210919194451.5Z"), $0.notAfter.der) },
                "has a GeneralizedTime with a fraction (RFC 5280, 4.1.2.5.2)"
            ),
            (
                "time-impossible",
                { $0.validityDER = DER.sequence(DER.utcTime("210231194451Z"), $0.notAfter.der) },
                "is valid from 31 February"
            ),
            (
                "validity-of-one", { $0.validityDER = DER.sequence($0.notBefore.der) },
                "has a validity of one time"
            ),
        ]
    }

    private static var extensionValues: [OfTemplate] {
        typealias Identifier = CertificateExtension.Identifier
        return [
            (
                "key-usage-trailing-zeros",
                {
                    $0.modify(Identifier.keyUsage) { usage in
                        let bits = usage.contents.last ?? 0
                        usage.contents = DER.bitString([bits], unusedBits: 0)
                    }
                }, "has a named bit list with trailing zero bits (X.690, 11.2.2)"
            ),
            (
                "extension-trailing-bytes",
                { $0.modify(Identifier.basicConstraints) { $0.contents += [0] } },
                "has a byte after its basic constraints"
            ),
            (
                "extension-garbage",
                { $0.modify(Identifier.basicConstraints) { $0.contents = [0xFF] } },
                "has basic constraints that are not DER"
            ),
            (
                "key-usage-garbage", { $0.modify(Identifier.keyUsage) { $0.contents = DER.null } },
                "has a key usage that is NULL"
            ),
        ]
    }

    private static var names: [OfTemplate] {
        typealias Identifier = CertificateExtension.Identifier
        return [
            (
                "subject-key-trailing-byte", { $0.modify(Identifier.subjectKey) { $0.contents += [0] } },
                "has a byte after its subject key identifier"
            ),
            (
                "authority-key-trailing-byte", { $0.modify(Identifier.authorityKey) { $0.contents += [0] } },
                "has a byte after its authority key identifier"
            ),
            (
                "authority-key-indefinite-length",
                { $0.modify(Identifier.authorityKey) { $0.contents = DER.indefiniteLength($0.contents) } },
                "has an authority key identifier of indefinite length"
            ),
            (
                "alternative-name-trailing-byte",
                { $0.set(CertificateExtension(Identifier.alternativeName, contents: DER.sequence() + [0])) },
                "has a byte after its alternative names"
            ),
            (
                "alternative-name-external",
                {
                    let name = DER.sequence(DER.value(tag: 0x08, []))
                    $0.set(CertificateExtension(Identifier.alternativeName, contents: name))
                }, "has an EXTERNAL that is not constructed (X.690, 8.18)"
            ),
        ]
    }
}
