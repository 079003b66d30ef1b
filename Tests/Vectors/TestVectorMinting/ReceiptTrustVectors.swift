import Minting
import TestMinting

/// `invalid/03-receipt-trust…`: certificates that do not lead from the signer to the anchor.
enum ReceiptTrustVectors {
    static func files(_ fixtures: ReceiptFixtures) throws(MintingError) -> [VectorFile] {
        [try trust(fixtures), try otherAnchor(fixtures), try pathLength(fixtures)]
    }

    private static func trust(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/03-receipt-trust", "Certificates that do not lead from the signer to the anchor")
        for (name, certificates, why) in try lists(fixtures) {
            try file.rejected(name, .invalidCertificateChain, fixtures.presenting(certificates), why)
        }
        for (name, template, why) in try signerIdentifiers(fixtures) {
            file.rejected(name, .invalidCertificateChain, template.base64, why)
        }
        try forgeries(fixtures, &file)
        return file
    }

    private static func lists(
        _ fixtures: ReceiptFixtures
    ) throws(MintingError) -> [(String, [[UInt8]], String)] {
        let chain = fixtures.minter.certificates
        let (leaf, intermediate, root) = (chain[0], chain[1], chain[2])
        let xcode = try fixtures.xcode.template.der()
        var reissued = fixtures.pki.root.template
        reissued.serialNumber = [3]
        return [
            ("leaf-alone", [leaf], "The leaf alone."),
            ("no-intermediate", [leaf, root], "Leaf and root."),
            ("no-leaf", [intermediate, root], "The signer is not among the certificates."),
            ("root-alone", [root], "The root alone."),
            ("leaf-twice", [leaf, leaf, intermediate, root], "The leaf twice."),
            ("leaf-twice-without-root", [leaf, leaf, intermediate], "The leaf twice, and no root."),
            ("intermediate-twice", [leaf, intermediate, intermediate], "The intermediate twice."),
            ("root-twice", [leaf, intermediate, root, root], "The root twice."),
            ("unrelated-fourth", [leaf, intermediate, root, xcode], "An unrelated certificate besides."),
            (
                "unrelated-third", [leaf, intermediate, xcode],
                "An unrelated certificate in the root's place."
            ),
            (
                "other-leaf-third", [leaf, intermediate, try fixtures.pki.leaves[0].der()],
                "Another leaf in the root's place."
            ),
            (
                "root-forged", [leaf, intermediate, try fixtures.forged.root.der()],
                "A forger's root of the same name in the root's place."
            ),
            (
                "root-reissued", [leaf, intermediate, try reissued.der()],
                "A root of the anchor's name and key, but not its bytes."
            ),
            (
                "intermediate-forged", [leaf, try fixtures.forged.intermediate.der(), root],
                "An intermediate of the right name and another key."
            ),
        ]
    }

    private static func signerIdentifiers(
        _ fixtures: ReceiptFixtures
    ) throws(MintingError) -> [(String, SignedDataTemplate, String)] {
        let (leaf, issuer) = (fixtures.pki.leaf.template, fixtures.pki.intermediate.template)
        var other = fixtures.smallMinter
        other.serialNumber = fixtures.pki.leaves[0].template.serialNumber
        var named = fixtures.smallMinter
        named.issuer = leaf.subject
        var intermediate = fixtures.smallMinter
        (intermediate.issuer, intermediate.serialNumber) = (issuer.issuer, issuer.serialNumber)
        intermediate.signer = .rsa(fixtures.pki.intermediate.key)
        let content = Receipts.small.der
        return [
            ("signer-serial", try other.signedData(content), "The signer has another serial number."),
            ("signer-issuer", try named.signedData(content), "The signer has another issuer."),
            (
                "signer-is-intermediate", try intermediate.signedData(content),
                "The intermediate signed the content itself."
            ),
        ]
    }

    private static func forgeries(
        _ fixtures: ReceiptFixtures, _ file: inout VectorFile
    ) throws(MintingError) {
        let (own, forged) = (fixtures.pki, fixtures.forged)
        let minter = try forged.minter()
        let root = try own.root.der()
        try file.rejected(
            "forged-chain", .invalidCertificateChain, minter.receipt(Receipts.small),
            "A whole chain of the same names, its own root among it: certificates inside are claims.")
        try file.rejected(
            "forged-chain-without-root", .invalidCertificateChain,
            minter.presenting(Array(minter.certificates.prefix(2))).receipt(Receipts.small),
            "The same without its root.")
        try file.rejected(
            "forged-chain-genuine-root", .invalidCertificateChain,
            minter.presenting(Array(minter.certificates.prefix(2)) + [root]).receipt(Receipts.small),
            "The forger's leaf and intermediate beside the genuine root.")
        var identified = forged
        identified.intermediate.template.set(.authorityKeyIdentifier(try own.root.key.keyIdentifier()))
        try file.rejected(
            "forged-identifiers", .invalidCertificateChain,
            identified.minter().presenting(Array(identified.certificates().prefix(2)))
                .receipt(Receipts.small), "The forger's chain, which even names the genuine root's key.")
        try file.rejected(
            "token-chain", .invalidCertificateChain, tokenChain(fixtures),
            "The chain of a token's leaf, whose key is on P-256.")
        try file.rejected(
            "leaf-p256", .invalidCertificateChain, leafOnP256(fixtures), "A leaf with a P-256 key.")
        try file.rejected(
            "xcode", .invalidCertificateChain,
            fixtures.xcode.minter().with { $0.form = .definite }.receipt(Receipts.small),
            "One self-signed certificate that is no anchor.")
    }

    /// A leaf with an elliptic-curve key, which the intermediate issued and which signed the content.
    private static func leafOnP256(_ fixtures: ReceiptFixtures) throws(MintingError) -> String {
        let key = try TestKey("receipt leaf on P-256")
        var pki = fixtures.pki
        pki.leaf.template.publicKeyInfo = key.publicKeyInfo()
        var minter = try pki.minter()
        minter.certificates.removeLast()
        minter.signer = .ec(key)
        return try minter.receipt(Receipts.small)
    }

    /// A leaf under the PKI of tokens.
    private static func tokenChain(_ fixtures: ReceiptFixtures) throws(MintingError) -> String {
        let tokens = try TestPKI.p256()
        let leaf = tokens.leaves[2]
        var minter = fixtures.minter.presenting(try tokens.x5c(leaf: 2))
        (minter.issuer, minter.serialNumber) = (leaf.template.issuer, leaf.template.serialNumber)
        minter.signer = .ec(leaf.key)
        return try minter.receipt(Receipts.small)
    }

    private static func otherAnchor(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/03-receipt-trust-other-anchor", "Good chains, but the anchors given are others",
            roots: ["pki/root.pem", "pki/xcode-receipt.pem", "pki/forged-receipt-root.pem"])
        try file.rejected(
            "whole", .invalidCertificateChain, fixtures.minter.receipt(Receipts.sandbox),
            "A whole chain without its root among the anchors.")
        try file.rejected(
            "without-root", .invalidCertificateChain, fixtures.small(Receipts.small),
            "The same without the root; the forger's, an anchor here, has its name.")
        return file
    }

    private static func pathLength(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/03-receipt-constraints-anchor", "The anchor allows no intermediate below it",
            roots: ["pki/receipt-root-path-length-0.pem"])
        try file.rejected(
            "path-length-0", .invalidCertificateChain, fixtures.small(Receipts.small),
            "A good chain, but the anchor's path length is 0.")
        return file
    }
}
