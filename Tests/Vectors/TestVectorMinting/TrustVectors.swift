import Minting
import TestMinting

/// `invalid/03-trust…` and `…-anchor…`: chains that lead elsewhere, and anchors with constraints of their
/// own.
enum TrustVectors {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        [try trust(fixtures), try otherAnchor(fixtures)] + (try anchors(fixtures))
    }

    typealias AnchorChange = (
        name: String, why: String, change: @Sendable (inout CertificateTemplate) -> Void
    )

    /// Anchors with the standard root's name and key and one change each, by file name.
    static let anchorChanges: [AnchorChange] = [
        (
            "path-length-0", "allows no intermediate below it",
            { $0.set(.basicConstraints(isCA: true, pathLength: 0)) }
        ),
        ("no-ca", "is no CA", { $0.set(.basicConstraints(isCA: false)) }),
        (
            "no-cert-sign", "may not sign certificates",
            { $0.set(.keyUsage(CertificateExtension.KeyUsage.cRLSign)) }
        ),
        (
            "short-lived", "was valid until the end of 2024 only",
            { $0.notAfter = CertificateTime(2024, 12, 31, 23, 59, 59) }
        ),
    ]

    /// Anchors with the same name and key that are as good as the standard root.
    static let goodAnchorChanges: [AnchorChange] = [
        (
            "path-length-1", "allows the one intermediate",
            { $0.set(.basicConstraints(isCA: true, pathLength: 1)) }
        ),
        (
            "no-key-usage", "has no key usage, which restricts nothing",
            { $0.remove(CertificateExtension.Identifier.keyUsage) }
        ),
    ]

    private static func trust(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/03-trust", "Chains that do not lead to the anchor", roots: ["pki/root.pem"])
        let (own, forged) = (fixtures.standard, fixtures.forged)
        let (leaf, intermediate, root) = (
            try own.leaf.der(), try own.intermediate.der(), try own.root.der()
        )
        let orders: [(String, [[UInt8]], String)] = [
            ("leaf-and-intermediate-swapped", [intermediate, leaf, root], "The first two are swapped."),
            ("intermediate-and-root-swapped", [leaf, root, intermediate], "The last two are swapped."),
            ("reversed", [root, intermediate, leaf], "Root first."),
            ("leaf-thrice", [leaf, leaf, leaf], "The leaf three times."),
            ("no-intermediate", [leaf, root, root], "The root in the intermediate's place."),
            ("roots-only", [root, root, root], "The root three times."),
            ("intermediate-twice", [intermediate, intermediate, root], "The intermediate as leaf."),
            (
                "forged-intermediate", [leaf, try forged.intermediate.der(), root],
                "An intermediate of the right name and another key."
            ),
        ]
        for (name, x5c, why) in orders {
            try file.rejected(name, .invalidCertificateChain, fixtures.presenting(x5c), why)
        }
        let payload = Payloads.smallTransaction.text
        try file.rejected(
            "forged-chain", .invalidCertificateChain, forged.minter().token(payload: payload),
            "A whole chain of the same names, its own root in x5c: certificates inside are claims.")
        try file.rejected(
            "forged-chain-genuine-root", .invalidCertificateChain,
            TokenMinter(
                key: forged.leaf.key, x5c: [try forged.leaf.der(), try forged.intermediate.der(), root]
            ).token(payload: payload), "The forger's leaf and intermediate before the genuine root.")
        try file.rejected(
            "p256-chain", .invalidCertificateChain, fixtures.small(Payloads.smallTransaction),
            "A good chain to a root that is not among the anchors.")
        for (name, change, why) in forgeries(own, forged) {
            try file.rejected(name, .invalidCertificateChain, fixtures.changed(change), why)
        }
        try file.rejected(
            "extra-intermediate", .invalidCertificateChain, subordinate(own),
            "The leaf's issuer is a CA below the intermediate, which x5c has as third certificate.")
        return file
    }

    private static func forgeries(
        _ own: TestPKI, _ forged: TestPKI
    ) -> [(String, ChainVectors.Change, String)] {
        [
            (
                "forged-identifiers",
                { (pki) throws(MintingError) in
                    pki = forged
                    pki.intermediate.template.set(.authorityKeyIdentifier(try own.root.key.keyIdentifier()))
                }, "The forger's chain, whose intermediate even names the genuine root's key."
            ),
            (
                "self-signed-leaf",
                {
                    $0.leaf.template.signer = .ec($0.leaf.key); $0.leaf.template.algorithm = .ecdsaWithSHA256
                },
                "The leaf signed itself under the intermediate's name."
            ),
            (
                "leaf-under-root",
                { (pki) throws(MintingError) in
                    pki.leaf.template.issuer = pki.root.template.subject
                    pki.leaf.template.signer = .ec(pki.root.key)
                    pki.leaf.template.set(.authorityKeyIdentifier(try pki.root.key.keyIdentifier()))
                }, "The root itself signed the leaf, and the intermediate stands idle."
            ),
            (
                "self-signed-intermediate",
                { (pki) throws(MintingError) in
                    pki.intermediate.template.issuer = pki.intermediate.template.subject
                    pki.intermediate.template.signer = .ec(pki.intermediate.key)
                    pki.intermediate.template.set(
                        .authorityKeyIdentifier(try pki.intermediate.key.keyIdentifier()))
                }, "The intermediate signed itself."
            ),
        ]
    }

    /// root → intermediate → subordinate CA → leaf. `x5c` starts at the leaf and does not contain the root.
    private static func subordinate(_ pki: TestPKI) throws(MintingError) -> String {
        let key = try TestKey("subordinate", on: .p384)
        var authority = pki.intermediate
        authority.key = key
        authority.template.subject.commonName += " (subordinate)"
        authority.template.issuer = pki.intermediate.template.subject
        authority.template.publicKeyInfo = key.publicKeyInfo()
        authority.template.signer = .ec(pki.intermediate.key)
        authority.template.set(.subjectKeyIdentifier(try authority.key.keyIdentifier()))
        authority.template.set(.authorityKeyIdentifier(try pki.intermediate.key.keyIdentifier()))
        var leaf = pki.leaf
        leaf.template.issuer = authority.template.subject
        leaf.template.signer = .ec(key)
        leaf.template.set(.authorityKeyIdentifier(try authority.key.keyIdentifier()))
        let x5c = [try leaf.der(), try authority.der(), try pki.intermediate.der()]
        return try TokenMinter(key: leaf.key, x5c: x5c).token(payload: Payloads.smallTransaction.text)
    }

    private static func otherAnchor(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/03-trust-other-anchor", "Good chains, but the anchors given are others",
            roots: ["pki/p256-root.pem", "pki/xcode.pem"])
        try file.rejected(
            "standard", .invalidCertificateChain, fixtures.standard(Payloads.smallTransaction),
            "The standard chain without its root among the anchors.")
        try file.rejected(
            "forged", .invalidCertificateChain,
            fixtures.forged.minter().token(payload: Payloads.smallTransaction.text), "A forger's chain.")
        return file
    }

    private static func anchors(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        var files: [VectorFile] = []
        let token = try fixtures.standard(Payloads.smallTransaction)
        for anchor in anchorChanges where anchor.name != "short-lived" {
            var file = VectorFile(
                "invalid/03-constraints-anchor-\(anchor.name)", "The anchor itself \(anchor.why)",
                roots: ["pki/root-\(anchor.name).pem"])
            file.rejected(
                "transaction", .invalidCertificateChain, token, "A good chain, but the anchor \(anchor.why).")
            files.append(file)
        }
        for anchor in goodAnchorChanges {
            var file = VectorFile(
                "valid/chains-anchor-\(anchor.name)", "The anchor \(anchor.why)",
                roots: ["pki/root-\(anchor.name).pem"])
            file.verified("transaction", .transaction, token, "The anchor \(anchor.why).")
            files.append(file)
        }
        let rsa = try RSATestKey()
        var pki = fixtures.standard
        pki.intermediate.template.signer = .rsa(rsa)
        pki.intermediate.template.algorithm = .sha256WithRSA
        pki.intermediate.template.set(.authorityKeyIdentifier(try RSAAnchor.keyIdentifier(rsa)))
        var file = VectorFile(
            "invalid/03-trust-rsa-anchor", "The anchor has an RSA key", roots: ["pki/rsa-root.pem"])
        file.rejected(
            "transaction", .invalidCertificateChain,
            try pki.minter().token(payload: Payloads.smallTransaction.text),
            "The anchor rightly signed the intermediate with RSA, which is refused.")
        return files + [file]
    }
}

/// A root with the standard root's name and an RSA key.
enum RSAAnchor {
    static func keyIdentifier(_ key: RSATestKey) throws(MintingError) -> [UInt8] {
        try HashFunction.sha1.digest(key.publicKeyInfo)
    }

    static func der(_ pki: TestPKI) throws(MintingError) -> [UInt8] {
        let key = try RSATestKey()
        var template = pki.root.template
        template.publicKeyInfo = key.publicKeyInfo
        template.signer = .rsa(key)
        template.algorithm = .sha256WithRSA
        template.set(.subjectKeyIdentifier(try keyIdentifier(key)))
        return try template.der()
    }
}
