import Minting
import TestMinting

/// `invalid/03-receipt-constraints`, `…-signature-of-certificates`, `…-der` and
/// `invalid/07-receipt-validity…`: receipts whose certificates have wrong contents.
enum ReceiptChainVectors {
    static func files(_ fixtures: ReceiptFixtures) throws(MintingError) -> [VectorFile] {
        [
            try file(
                "invalid/03-receipt-constraints", "Certificates used for what they do not allow", fixtures,
                markers + constraints + versions),
            try file(
                "invalid/03-receipt-keys", "Keys that are too short, or no RSA keys", fixtures, keys),
            try file(
                "invalid/03-receipt-signature-of-certificates",
                "Certificates signed wrongly, by the wrong key or with SHA-1", fixtures, signatures),
            try encoding(fixtures), try validity(fixtures), try anchorValidity(fixtures),
            try effectiveDate(fixtures),
        ]
    }

    typealias Change = (inout ReceiptPKI) throws(MintingError) -> Void
    typealias Row = (name: String, change: Change, why: String)
    private typealias Identifier = CertificateExtension.Identifier
    private typealias Usage = CertificateExtension.KeyUsage

    private static func file(
        _ path: String, _ summary: String, _ fixtures: ReceiptFixtures, _ rows: [Row]
    ) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(path, summary)
        for (name, change, why) in rows {
            try file.rejected(name, .invalidCertificateChain, fixtures.changed(change), why)
        }
        return file
    }

    private static var markers: [Row] {
        [
            ("leaf-unmarked", { $0.leaf.template.remove(Identifier.leafMarker) }, "The leaf is not marked."),
            (
                "intermediate-unmarked", { $0.intermediate.template.remove(Identifier.intermediateMarker) },
                "The intermediate is not marked."
            ),
            (
                "leaf-marked-as-intermediate",
                {
                    $0.leaf.template.modify(Identifier.leafMarker) {
                        $0.identifier = Identifier.intermediateMarker
                    }
                }, "The leaf has the intermediate's marker."
            ),
            (
                "leaf-neighbour",
                { $0.leaf.template.modify(Identifier.leafMarker) { $0.identifier[7] = 2 } },
                "The leaf has …6.11.2."
            ),
            (
                "intermediate-neighbour",
                {
                    $0.intermediate.template.modify(Identifier.intermediateMarker) { $0.identifier[7] = 6 }
                }, "The intermediate has …6.2.6."
            ),
        ]
    }

    private static var constraints: [Row] {
        [
            (
                "leaf-is-ca", { $0.leaf.template.set(.basicConstraints(isCA: true)) }, "The leaf is a CA."
            ),
            (
                "leaf-key-usage", { $0.leaf.template.set(.keyUsage(Usage.keyCertSign)) },
                "The leaf may sign certificates, not data."
            ),
            (
                "intermediate-no-ca", { $0.intermediate.template.set(.basicConstraints(isCA: false)) },
                "The intermediate is no CA."
            ),
            (
                "intermediate-without-basic-constraints",
                { $0.intermediate.template.remove(Identifier.basicConstraints) },
                "The intermediate has no basic constraints."
            ),
            (
                "intermediate-key-usage", { $0.intermediate.template.set(.keyUsage(Usage.cRLSign)) },
                "The intermediate may not sign certificates."
            ),
            (
                "leaf-unknown-critical",
                {
                    $0.leaf.template.set(
                        CertificateExtension(Identifier.unknown, critical: true, contents: DER.null))
                }, "The leaf has an unknown critical extension."
            ),
            (
                "intermediate-unknown-critical",
                {
                    $0.intermediate.template.set(
                        CertificateExtension(Identifier.unknown, critical: true, contents: DER.null))
                }, "The intermediate has one."
            ),
            (
                "leaf-extension-twice",
                { $0.leaf.template.extensions.append(.keyUsage(Usage.digitalSignature)) },
                "The leaf has its key usage twice."
            ),
            (
                "leaf-other-issuer", { $0.leaf.template.issuer.commonName += " 2" },
                "The leaf's issuer is not the intermediate's subject."
            ),
            (
                "intermediate-other-issuer", { $0.intermediate.template.issuer.commonName += " 2" },
                "The intermediate's issuer is not the anchor's subject."
            ),
        ]
    }

    private static var versions: [Row] {
        [
            (
                "leaf-version-1",
                {
                    $0.leaf.template.version = nil
                    $0.leaf.template.extensions = []
                }, "The leaf is of version 1, which has no extensions."
            ),
            (
                "intermediate-version-1",
                {
                    $0.intermediate.template.version = nil
                    $0.intermediate.template.extensions = []
                }, "The intermediate is of version 1."
            ),
            (
                "leaf-version-1-with-extensions", { $0.leaf.template.version = nil },
                "The leaf is of version 1 and has extensions all the same."
            ),
        ]
    }

    private static var keys: [Row] {
        [
            (
                "leaf-1024",
                { (pki) throws(MintingError) in try pki.setLeafKey(RSATestKey(.short)) },
                "A leaf with a key of 1024 bits, which signed the content."
            ),
            (
                "intermediate-1024",
                { (pki) throws(MintingError) in try pki.setIntermediateKey(RSATestKey(.short)) },
                "An intermediate with a key of 1024 bits."
            ),
            (
                "leaf-garbage",
                {
                    let algorithm = ReceiptMinter.rsaEncryption
                    $0.leaf.template.publicKeyInfo = DER.sequence(algorithm, DER.bitString([1, 2, 3]))
                }, "An RSA key that is garbage."
            ),
        ]
    }

    private static var signatures: [Row] {
        [
            (
                "leaf-sha1", { $0.leaf.template.algorithm = .sha1WithRSA },
                "The leaf is signed with SHA-1, which is borne under Apple's own root alone."
            ),
            (
                "intermediate-sha1", { $0.intermediate.template.algorithm = .sha1WithRSA },
                "The intermediate is signed with SHA-1."
            ),
            (
                "leaf-inner-algorithm", { $0.leaf.template.innerAlgorithm = .sha384WithRSA },
                "The leaf names another algorithm inside than outside."
            ),
            (
                "leaf-self-signed", { $0.leaf.template.signer = .rsa($0.leaf.key) },
                "The leaf signed itself under the intermediate's name."
            ),
            (
                "leaf-by-root", { $0.leaf.template.signer = .rsa($0.root.key) },
                "The root signed the leaf under the intermediate's name."
            ),
            (
                "leaf-by-stranger",
                { (pki) throws(MintingError) in pki.leaf.template.signer = .rsa(try RSATestKey()) },
                "A stranger signed the leaf."
            ),
            (
                "intermediate-by-stranger",
                { (pki) throws(MintingError) in pki.intermediate.template.signer = .rsa(try RSATestKey()) },
                "A stranger signed the intermediate."
            ),
        ]
    }

    private static func encoding(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/03-receipt-der", "Certificates that are no strict DER, or whose bytes were changed")
        let chain = Array(fixtures.minter.certificates.prefix(2))
        let flaws: [(String, ([UInt8]) -> [UInt8], String)] = [
            ("signature-flipped", { $0.flipping($0.count - 1) }, "has a bit of its signature flipped"),
            ("body-flipped", { $0.flipping(300) }, "has a bit of its key flipped"),
            (
                "fourth-member", { DER.value(tag: 0x30, DER.contents($0) + DER.null) },
                "has a fourth member"
            ),
            ("empty", { _ in [0x30, 0x00] }, "is an empty SEQUENCE"),
            ("garbage", { _ in DER.sequence(DER.null, DER.null, DER.null) }, "is a SEQUENCE of three NULL"),
            (
                "truncated", { DER.value(tag: 0x30, DER.contents($0).dropLast(1)) },
                "lacks its last byte, and its length says so"
            ),
        ]
        for position in 0..<2 {
            for (name, spoil, why) in flaws {
                var changed = chain
                changed[position] = spoil(chain[position])
                try file.rejected(
                    "\(name)-\(position)", .invalidCertificateChain, fixtures.presenting(changed),
                    "Certificate \(position) \(why).")
            }
        }
        let wanted = ["critical-ber-true", "serial-empty", "time-impossible", "extension-garbage"]
        for (name, spoil, why) in CertificateFlaw.ofTemplates where wanted.contains(name) {
            try file.rejected(
                name, .invalidCertificateChain, fixtures.changed { spoil(&$0.leaf.template) },
                "The leaf \(why).")
        }
        return file
    }

    private static func validity(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/07-receipt-validity", "Dates at which leaf or intermediate was not valid")
        typealias App = ReceiptAttribute.App
        let leaf = fixtures.pki.leaf.template
        let early = leaf.notBefore.advanced(by: -1)
        let rows: [(String, String, String)] = [
            ("second-before", early.iso8601, "A second too early."),
            ("fraction-before", early.fraction("999"), "A millisecond too early."),
            ("second-after", leaf.notAfter.advanced(by: 1).iso8601, "A second too late."),
            ("offset", leaf.notBefore.local("+0100"), "An hour too early: the offset counts."),
            ("expired-then", Receipts.date2024, "Not valid in 2024, whatever holds now."),
            ("long-ago", "2001-09-09T01:46:40Z", "2001."),
            ("year-1", "0001-01-01T00:00:00Z", "The first second of the year 1."),
            ("year-9999", "9999-12-31T23:59:59Z", "The last of the year 9999."),
        ]
        for (name, date, why) in rows {
            try file.rejected(
                name, .invalidCertificateChain,
                fixtures.small(Receipts.small.setting(App.creationDate, date: date)), why)
        }
        let undated = Receipts.small.removing(App.creationDate)
        try file.rejected(
            "request-date", .invalidCertificateChain,
            fixtures.small(undated.setting(App.requestDate, date: Receipts.date2024)),
            "The request date in the creation date's place.")
        let purchase = Receipts.purchase { $0.purchaseDate = Receipts.date2022 }
        try file.rejected(
            "purchase-date", .invalidCertificateChain,
            fixtures.small(undated.appending(purchases: [purchase])),
            "The purchase date in its place; the expiry date does not count.")
        let date = CertificateTime(2025, 12, 6, 5, 46, 40)
        let spans: [Row] = [
            (
                "intermediate-not-yet", { $0.intermediate.template.notBefore = date.advanced(by: 1) },
                "The intermediate begins a second after the receipt's date."
            ),
            (
                "intermediate-expired", { $0.intermediate.template.notAfter = date.advanced(by: -1) },
                "It ends a second before it."
            ),
        ]
        for (name, change, why) in spans {
            try file.rejected(name, .invalidCertificateChain, fixtures.changed(change), why)
        }
        return file
    }

    private static func anchorValidity(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/07-receipt-validity-anchor", "The anchor was not valid any more",
            roots: ["pki/receipt-root-short-lived.pem"])
        try file.rejected(
            "expired", .invalidCertificateChain, fixtures.small(Receipts.small),
            "The anchor was valid until the end of 2024, the receipt is of 2025.")
        return file
    }

    private static func effectiveDate(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/07-receipt-effective-date", "The caller fixes a date at which the leaf was not valid",
            options: ["--effective-date", "2024-06-10T06:13:20Z"])
        try file.rejected(
            "own-date", .invalidCertificateChain, fixtures.small(Receipts.small),
            "The receipt's own date would do, but is not asked for.")
        return file
    }
}

extension [UInt8] {
    /// A copy with the lowest bit of one byte flipped.
    func flipping(_ index: Int) -> [UInt8] {
        var bytes = self
        bytes[index] ^= 1
        return bytes
    }
}

extension ReceiptPKI {
    /// Gives the leaf another key, under the same issuer.
    mutating func setLeafKey(_ key: RSATestKey) throws(MintingError) {
        leaf.key = key
        leaf.template.publicKeyInfo = key.publicKeyInfo
        leaf.template.set(.subjectKeyIdentifier(try key.keyIdentifier()))
    }

    /// Gives the intermediate another key, and issues the leaf again.
    mutating func setIntermediateKey(_ key: RSATestKey) throws(MintingError) {
        intermediate.key = key
        intermediate.template.publicKeyInfo = key.publicKeyInfo
        let identifier = try key.keyIdentifier()
        intermediate.template.set(.subjectKeyIdentifier(identifier))
        leaf.template.signer = .rsa(key)
        leaf.template.set(.authorityKeyIdentifier(identifier))
    }
}
