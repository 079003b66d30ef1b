import Minting
import TestMinting

/// `valid/chains` and the first of `invalid/03-…`: certificates as bytes, and their signatures.
enum ChainVectors {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        [try valid(fixtures), try encoding(fixtures), try signatures(fixtures)]
    }

    typealias Change = (inout TestPKI) throws(MintingError) -> Void

    private static func valid(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "valid/chains", "Chains that differ from Apple's in what may differ",
            roots: ["pki/root.pem", "pki/p256-root.pem"])
        for (name, change, why) in validSignatures + validExtensions {
            try file.verified(name, .transaction, fixtures.changed(change), why)
        }
        try file.verified(
            "p256", .transaction, fixtures.small(Payloads.smallTransaction), "P-256 throughout.")
        let (leaf, intermediate) = (
            try fixtures.standard.leaf.der(), try fixtures.standard.intermediate.der()
        )
        for (name, sForm) in [("low-s", ECDSASignature.SForm.low), ("high-s", .high)] {
            let x5c = [
                try resigned(fixtures.standard.leaf.template, sForm) { $0.der },
                try resigned(fixtures.standard.intermediate.template, sForm) { $0.der },
                try fixtures.standard.root.der(),
            ]
            try file.verified(
                "signatures-\(name)", .transaction, fixtures.presenting(x5c),
                "Certificates whose signatures have \(name.replacing("-", with: " ")).")
        }
        let thirds: [(String, [UInt8], String)] = [
            ("third-is-unrelated", try fixtures.p256.root.der(), "x5c[2] is another PKI's root."),
            (
                "third-is-forged", try fixtures.forged.root.der(),
                "x5c[2] is a forger's root of the same name."
            ),
            ("third-is-the-leaf", leaf, "x5c[2] is the leaf."),
        ]
        for (name, third, why) in thirds {
            try file.verified(
                name, .transaction, fixtures.presenting([leaf, intermediate, third]),
                "\(why) It buys nothing, and costs nothing: the anchor is the caller's.")
        }
        return file
    }

    private static var validSignatures: [(String, Change, String)] {
        [
            ("unchanged", { _ in }, "The standard chain."),
            ("leaf-sha256", { $0.leaf.template.algorithm = .ecdsaWithSHA256 }, "SHA-256 for the leaf."),
            ("leaf-sha512", { $0.leaf.template.algorithm = .ecdsaWithSHA512 }, "SHA-512 for the leaf."),
            (
                "intermediate-sha256", { $0.intermediate.template.algorithm = .ecdsaWithSHA256 },
                "SHA-256 for the intermediate."
            ),
            (
                "intermediate-p256",
                { (pki) throws(MintingError) in
                    try pki.setIntermediateKey(TestKey("P-256 intermediate under the standard root"))
                }, "A P-256 intermediate under a P-384 root."
            ),
            ("serial-zero", { $0.leaf.template.serialNumber = [0] }, "Serial number zero."),
            ("serial-short", { $0.leaf.template.serialNumber = [5] }, "A serial number of one byte."),
            (
                "serial-long",
                { $0.leaf.template.serialNumber = [0x7F] + [UInt8](repeating: 0xA5, count: 39) },
                "A serial number of 40 bytes, of whatever length RFC 5280 allows."
            ),
            (
                "serial-sign-byte", { $0.leaf.template.serialNumber = [0x00, 0x80] },
                "A leading zero byte that keeps the number from being negative."
            ),
        ]
    }

    private static var validExtensions: [(String, Change, String)] {
        typealias Identifier = CertificateExtension.Identifier
        let both =
            CertificateExtension.KeyUsage.digitalSignature | CertificateExtension.KeyUsage.nonRepudiation
        return [
            (
                "markers-critical",
                {
                    $0.leaf.template.modify(Identifier.leafMarker) { $0.criticalDER = DER.boolean(true) }
                    $0.intermediate.template.modify(Identifier.intermediateMarker) {
                        $0.criticalDER = DER.boolean(true)
                    }
                }, "Apple's markers are known, so they may be critical."
            ),
            (
                "unknown-extension",
                { $0.leaf.template.set(CertificateExtension(Identifier.unknown, contents: [0xDE, 0xAD])) },
                "An unknown extension that is not critical, and whose value is not even DER."
            ),
            (
                "no-key-identifiers",
                {
                    for identifier in [Identifier.authorityKey, Identifier.subjectKey] {
                        $0.leaf.template.remove(identifier)
                        $0.intermediate.template.remove(identifier)
                    }
                }, "Key identifiers are hints."
            ),
            (
                "leaf-without-key-usage", { $0.leaf.template.remove(Identifier.keyUsage) },
                "A leaf without key usage is not restricted (RFC 5280, 4.2.1.3)."
            ),
            (
                "leaf-more-usages", { $0.leaf.template.set(.keyUsage(both)) },
                "digitalSignature among others."
            ),
            (
                "leaf-without-basic-constraints", { $0.leaf.template.remove(Identifier.basicConstraints) },
                "A leaf without basic constraints is no CA."
            ),
            (
                "intermediate-without-path-length",
                { $0.intermediate.template.set(.basicConstraints(isCA: true)) }, "No path length."
            ),
            (
                "intermediate-path-length-3",
                { $0.intermediate.template.set(.basicConstraints(isCA: true, pathLength: 3)) },
                "A longer path than there is."
            ),
            (
                "generalized-time",
                { $0.leaf.template.notAfter = CertificateTime(9999, 12, 31, 23, 59, 59) },
                "A notAfter in GeneralizedTime: no well-defined end (RFC 5280, 4.1.2.5)."
            ),
        ]
    }

    private static func encoding(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/03-der", "Certificates that are not strict DER, or have something after them",
            roots: ["pki/root.pem"])
        let good = try fixtures.standard.x5c(leaf: 2)
        for position in 0..<3 {
            for (name, spoil, why) in CertificateFlaw.ofBytes {
                var x5c = good
                x5c[position] = spoil(good[position])
                try file.rejected(
                    "\(name)-\(position)", .invalidCertificateChain, fixtures.presenting(x5c),
                    "Certificate \(position) \(why).")
            }
        }
        for (name, spoil, why) in CertificateFlaw.ofTemplates {
            for position in 0..<2 {
                let line = try fixtures.changed { (pki) throws(MintingError) in
                    spoil(&pki[position].template)
                }
                file.rejected(
                    "\(name)-\(position)", .invalidCertificateChain, line,
                    "Certificate \(position) \(why). Its signature covers it as it stands.")
            }
        }
        return file
    }

    private static func signatures(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/03-signature-of-certificates", "Certificates signed wrongly or by the wrong key",
            roots: ["pki/root.pem"])
        let good = try fixtures.standard.x5c(leaf: 2)
        for position in 0..<2 {
            var x5c = good
            let last = x5c[position].count - 1
            x5c[position][last] ^= 1
            try file.rejected(
                "last-bit-\(position)", .invalidCertificateChain, fixtures.presenting(x5c),
                "The last bit of certificate \(position)'s signature differs.")
            x5c = good
            x5c[position][20] ^= 1
            try file.rejected(
                "changed-serial-number-\(position)", .invalidCertificateChain, fixtures.presenting(x5c),
                "A byte of certificate \(position)'s serial number changed after it was signed.")
        }
        for (name, spoil, why) in CertificateFlaw.ofSignatures {
            for position in 0..<2 {
                var x5c = good
                x5c[position] = try resigned(fixtures.standard[position].template, nil, spoil)
                try file.rejected(
                    "signature-\(name)-\(position)", .invalidCertificateChain, fixtures.presenting(x5c),
                    "Certificate \(position) \(why).")
            }
        }
        try signers(fixtures, &file)
        return file
    }

    /// The certificate with its issuer's signature in another form.
    ///
    /// - Parameter sForm: which of the two values of s it has; `nil` for the one that is computed.
    private static func resigned(
        _ template: CertificateTemplate, _ sForm: ECDSASignature.SForm?,
        _ form: (ECDSASignature) -> [UInt8]
    ) throws(MintingError) -> [UInt8] {
        guard case .ec(let key) = template.signer else { throw .algorithmDoesNotFitKey }
        let tbs = template.tbsCertificate
        let computed = try key.signature(of: tbs, hash: .sha384)
        let signature = sForm.map { computed.with($0, order: CurveOrder.p384) } ?? computed
        return template.der(signing: tbs, signatureValue: form(signature))
    }

    private static func signers(_ fixtures: Fixtures, _ file: inout VectorFile) throws(MintingError) {
        let stranger = try TestKey("stranger", on: .p384)
        let rsa = try RSATestKey()
        for (name, why, change) in signerChanges(stranger, rsa) {
            for position in 0..<2 {
                let line = try fixtures.changed { (pki) throws(MintingError) in
                    change(&pki[position].template)
                }
                file.rejected(
                    "\(name)-\(position)", .invalidCertificateChain, line, "Certificate \(position) \(why).")
            }
        }
        let line = try fixtures.changed { (pki) throws(MintingError) in
            pki.intermediate.template.publicKeyInfo = rsa.publicKeyInfo
            let identifier = try HashFunction.sha1.digest(rsa.publicKeyInfo)
            pki.intermediate.template.set(.subjectKeyIdentifier(identifier))
            pki.leaf.template.set(.authorityKeyIdentifier(identifier))
            pki.leaf.template.signer = .rsa(rsa)
            pki.leaf.template.algorithm = .sha256WithRSA
        }
        file.rejected(
            "rsa-intermediate", .invalidCertificateChain, line,
            "The intermediate has an RSA key and rightly signed the leaf with it: RSA is refused.")
    }

    private static func signerChanges(
        _ stranger: TestKey, _ rsa: RSATestKey
    ) -> [(String, String, (inout CertificateTemplate) -> Void)] {
        [
            ("other-key", "is signed by another key of the issuer's name", { $0.signer = .ec(stranger) }),
            ("sha1", "is signed with SHA-1", { $0.algorithm = .ecdsaWithSHA1 }),
            ("sha224", "is signed with SHA-224", { $0.algorithm = .ecdsaWithSHA224 }),
            (
                "inner-algorithm", "names SHA-256 inside and SHA-384 outside",
                { $0.innerAlgorithm = .ecdsaWithSHA256 }
            ),
            (
                "outer-algorithm", "names SHA-384 inside and SHA-256 outside, which is what signed it",
                {
                    $0.innerAlgorithm = .ecdsaWithSHA384
                    $0.algorithm = .ecdsaWithSHA256
                }
            ),
            (
                "inner-sha1", "names SHA-1 inside, though SHA-384 signed it",
                { $0.innerAlgorithm = .ecdsaWithSHA1 }
            ),
            (
                "rsa", "is signed with RSA by a stranger",
                {
                    $0.signer = .rsa(rsa)
                    $0.algorithm = .sha256WithRSA
                }
            ),
        ]
    }
}

extension TestPKI {
    /// The entities in the order of `x5c`.
    subscript(position: Int) -> Entity {
        get { position == 0 ? leaf : position == 1 ? intermediate : root }
        set {
            switch position {
            case 0: leaf = newValue
            case 1: intermediate = newValue
            default: root = newValue
            }
        }
    }
}
