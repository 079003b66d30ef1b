import Minting
import TestMinting

/// `invalid/03-markers`, `03-constraints…`, `03-leaf-key`, `03-trust…`: certificates whose own contents are
/// wrong.
enum ConstraintVectors {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        [
            try markers(fixtures), try constraints(fixtures), try names(fixtures), try leafKey(fixtures),
        ]
    }

    private typealias Identifier = CertificateExtension.Identifier
    private typealias Usage = CertificateExtension.KeyUsage

    private static func file(
        _ path: String, _ summary: String, _ fixtures: Fixtures,
        _ rows: [(String, ChainVectors.Change, String)]
    ) throws(MintingError) -> VectorFile {
        var file = VectorFile(path, summary, roots: ["pki/root.pem"])
        for (name, change, why) in rows {
            try file.rejected(name, .invalidCertificateChain, fixtures.changed(change), why)
        }
        return file
    }

    private static func markers(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        try file(
            "invalid/03-markers", "Certificates without Apple's markers, or with the wrong ones", fixtures,
            [
                ("leaf-none", { $0.leaf.template.remove(Identifier.leafMarker) }, "The leaf is not marked."),
                (
                    "intermediate-none", { $0.intermediate.template.remove(Identifier.intermediateMarker) },
                    "The intermediate is not marked."
                ),
                (
                    "leaf-has-intermediate's",
                    {
                        $0.leaf.template.modify(Identifier.leafMarker) {
                            $0.identifier = Identifier.intermediateMarker
                        }
                    },
                    "The leaf has the intermediate's marker."
                ),
                (
                    "intermediate-has-leaf's",
                    {
                        $0.intermediate.template.modify(Identifier.intermediateMarker) {
                            $0.identifier = Identifier.leafMarker
                        }
                    }, "The intermediate has the leaf's marker."
                ),
                (
                    "leaf-neighbour",
                    { $0.leaf.template.modify(Identifier.leafMarker) { $0.identifier[7] = 2 } },
                    "The leaf has …6.11.2."
                ),
                (
                    "leaf-longer",
                    { $0.leaf.template.modify(Identifier.leafMarker) { $0.identifier.append(1) } },
                    "The leaf has …6.11.1.1."
                ),
                (
                    "leaf-shorter",
                    { $0.leaf.template.modify(Identifier.leafMarker) { $0.identifier.removeLast() } },
                    "The leaf has …6.11."
                ),
                (
                    "intermediate-neighbour",
                    {
                        $0.intermediate.template.modify(Identifier.intermediateMarker) {
                            $0.identifier[7] = 6
                        }
                    },
                    "The intermediate has …6.2.6."
                ),
            ])
    }

    private static func constraints(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        try file(
            "invalid/03-constraints", "Certificates used for what they do not allow", fixtures,
            intermediateConstraints + leafConstraints + eitherConstraints)
    }

    private static var intermediateConstraints: [(String, ChainVectors.Change, String)] {
        [
            (
                "intermediate-no-ca", { $0.intermediate.template.set(.basicConstraints(isCA: false)) },
                "The intermediate is no CA."
            ),
            (
                "intermediate-no-basic-constraints",
                { $0.intermediate.template.remove(Identifier.basicConstraints) },
                "The intermediate does not say that it is a CA."
            ),
            (
                "intermediate-no-key-usage", { $0.intermediate.template.remove(Identifier.keyUsage) },
                "The intermediate has no key usage."
            ),
            (
                "intermediate-no-cert-sign", { $0.intermediate.template.set(.keyUsage(Usage.cRLSign)) },
                "The intermediate may not sign certificates."
            ),
            (
                "intermediate-digital-signature",
                { $0.intermediate.template.set(.keyUsage(Usage.digitalSignature)) },
                "The intermediate may sign only what is no certificate."
            ),
            (
                "intermediate-negative-path-length",
                {
                    $0.intermediate.template.modify(Identifier.basicConstraints) {
                        $0.contents = DER.sequence(DER.boolean(true), DER.integer(contents: [0xFF]))
                    }
                }, "A path length of -1."
            ),
        ]
    }

    private static var leafConstraints: [(String, ChainVectors.Change, String)] {
        [
            ("leaf-ca", { $0.leaf.template.set(.basicConstraints(isCA: true)) }, "The leaf is a CA."),
            (
                "leaf-key-agreement", { $0.leaf.template.set(.keyUsage(Usage.keyAgreement)) },
                "The leaf may only agree on keys."
            ),
            (
                "leaf-non-repudiation", { $0.leaf.template.set(.keyUsage(Usage.nonRepudiation)) },
                "nonRepudiation is not digitalSignature."
            ),
            (
                "leaf-cert-sign", { $0.leaf.template.set(.keyUsage(Usage.keyCertSign)) },
                "The leaf may only sign certificates."
            ),
            (
                "leaf-critical-eku",
                {
                    let purpose = DER.objectIdentifier([1, 3, 6, 1, 5, 5, 7, 3, 3])
                    $0.leaf.template.set(
                        CertificateExtension(
                            Identifier.extendedKeyUsage, critical: true, contents: DER.sequence(purpose)))
                }, "A critical extended key usage, which this verifier does not process."
            ),
            (
                "intermediate-critical-name-constraints",
                {
                    let excluded = DER.sequence(DER.implicit(2, Array("invalid".utf8)))
                    let contents = DER.sequence(DER.explicit(1, excluded))
                    $0.intermediate.template.set(
                        CertificateExtension(Identifier.nameConstraints, critical: true, contents: contents))
                }, "Critical name constraints, which this verifier does not process."
            ),
        ]
    }

    /// Flaws that both the leaf and the intermediate can have.
    private static var eitherConstraints: [(String, ChainVectors.Change, String)] {
        let flaws: [(String, (inout CertificateTemplate) -> Void, String)] = [
            ("version-1", { $0.version = nil }, "is of version 1"),
            ("version-2", { $0.version = 1 }, "is of version 2"),
            ("version-4", { $0.version = 3 }, "is of version 4, which does not exist"),
            ("negative-serial", { $0.serialNumber = [0x80, 0x01] }, "has a negative serial number"),
            ("minus-one-serial", { $0.serialNumber = [0xFF] }, "has serial number -1"),
            (
                "unknown-critical",
                { $0.set(CertificateExtension(Identifier.unknown, critical: true, contents: DER.null)) },
                "has an unknown critical extension"
            ),
            (
                "critical-policies",
                {
                    var policies = CertificateExtension.certificatePolicies(notice: "Not for everybody.")
                    policies.criticalDER = DER.boolean(true)
                    $0.set(policies)
                }, "has critical policies, which this verifier does not process"
            ),
            (
                "duplicate-basic-constraints",
                { template in
                    template.extensions += template.extensions.filter {
                        $0.identifier == Identifier.basicConstraints
                    }
                },
                "has its basic constraints twice (RFC 5280, 4.2)"
            ),
            (
                "duplicate-key-usage",
                { template in
                    template.extensions += template.extensions.filter { $0.identifier == Identifier.keyUsage }
                },
                "has its key usage twice"
            ),
            (
                "duplicate-unknown",
                {
                    let unknown = CertificateExtension(Identifier.unknown, contents: DER.null)
                    $0.extensions += [unknown, unknown]
                }, "has an extension twice that nobody knows"
            ),
            (
                "duplicate-marker", { template in template.extensions += template.extensions.suffix(1) },
                "has its marker twice"
            ),
            (
                "authority-key-identifier",
                { $0.set(.authorityKeyIdentifier([UInt8](repeating: 7, count: 20))) },
                "names another key of its issuer"
            ),
        ]
        return flaws.flatMap { name, spoil, why in
            [("leaf", 0), ("intermediate", 1)].map { role, position in
                ("\(role)-\(name)", { spoil(&$0[position].template) }, "The \(role) \(why).")
            }
        }
    }

    private static func names(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        try file(
            "invalid/03-names", "Issuers that are not the next certificate's subject", fixtures,
            [
                (
                    "leaf-issuer", { $0.leaf.template.issuer.organizationalUnit = "G7" },
                    "The leaf names another issuer, though the intermediate's key signed it."
                ),
                (
                    "intermediate-subject", { $0.intermediate.template.subject.commonName += " 2" },
                    "The intermediate has another name than the leaf's issuer."
                ),
                (
                    "intermediate-issuer", { $0.intermediate.template.issuer.commonName += " 2" },
                    "The intermediate names another issuer, though the anchor's key signed it."
                ),
            ])
    }

    private static func leafKey(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        let key = fixtures.standard.leaf.key
        var file = VectorFile(
            "invalid/03-leaf-key", "Leaf keys that are not uncompressed points of the named curve P-256",
            roots: ["pki/root.pem"])
        let curves: [(String, EllipticCurve)] = [
            ("p384", .p384), ("p521", .p521), ("secp256k1", .secp256k1),
            ("brainpoolP256r1", .brainpoolP256r1),
        ]
        for (name, curve) in curves {
            let other = try TestKey("leaf on another curve", on: curve)
            let line = try fixtures.changed { (pki) throws(MintingError) in
                pki.leaf.key = other
                pki.leaf.template.publicKeyInfo = other.publicKeyInfo()
            }
            file.rejected(
                "curve-\(name)", .invalidCertificateChain, line,
                "A leaf on \(name), which signed the token with its own key.")
        }
        var offCurve = key.uncompressedPoint
        offCurve[64] ^= 1
        let fieldPrime: [UInt8] =
            [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 12)
            + [UInt8](repeating: 0xFF, count: 12)
        let points: [(String, [UInt8], String)] = [
            ("compressed", key.compressedPoint, "A compressed point."),
            ("hybrid", key.hybridPoint, "A point in the hybrid form."),
            ("off-curve", offCurve, "A point that is not on the curve."),
            ("infinity", [0x00], "The point at infinity."),
            (
                "zero", [0x04] + [UInt8](repeating: 0, count: 64),
                "The point (0, 0), which is not on the curve."
            ),
            ("beyond-field", [0x04] + fieldPrime + key.point.suffix(32), "x is the field's prime."),
            ("short", key.uncompressedPoint.dropLast(), "A byte too few."),
            ("long", key.uncompressedPoint + [0], "A byte too many."),
            ("empty", [], "No point at all."),
        ]
        for (name, point, why) in points {
            let line = try fixtures.changed { (pki) throws(MintingError) in
                pki.leaf.template.publicKeyInfo = key.publicKeyInfo(point: point)
            }
            file.rejected(name, .invalidCertificateChain, line, why)
        }
        let explicit = key.publicKeyInfoWithExplicitParameters()
        let rsa = try RSATestKey().publicKeyInfo
        for (name, info, why) in [
            ("explicit-parameters", explicit, "P-256 with its parameters spelled out."),
            ("rsa", rsa, "An RSA key."),
        ] {
            let line = try fixtures.changed { (pki) throws(MintingError) in
                pki.leaf.template.publicKeyInfo = info
            }
            file.rejected(name, .invalidCertificateChain, line, why)
        }
        return file
    }
}
