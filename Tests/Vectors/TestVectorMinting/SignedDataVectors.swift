import Minting
import TestMinting

/// `invalid/02-receipt-signed-data`: SignedData with a good signature, in forms that receipts do not have.
enum SignedDataVectors {
    static func files(_ fixtures: ReceiptFixtures) throws(MintingError) -> [VectorFile] {
        var file = VectorFile.receipts(
            "invalid/02-receipt-signed-data", "SignedData of other forms than receipts have")
        for (name, template, why) in try members(fixtures) + algorithms(fixtures) + signers(fixtures) {
            file.rejected(name, .invalidEncoding, template.base64, why)
        }
        var parts = VectorFile.receipts(
            "invalid/02-receipt-parts", "SignedData with one part spoilt in its encoding")
        try spoil(fixtures, &parts)
        return [file, parts]
    }

    private typealias Row = (name: String, template: SignedDataTemplate, why: String)

    private static func members(_ fixtures: ReceiptFixtures) throws(MintingError) -> [Row] {
        let template = try fixtures.template()
        let pkcs7: [UInt] = [1, 2, 840, 113549, 1, 7]
        let list = DER.sequence(DER.sequence(DER.null), DER.null)
        return [
            ("content-type-data", template.with { $0.contentType = pkcs7 + [1] }, "It says id-data."),
            (
                "content-type-enveloped", template.with { $0.contentType = pkcs7 + [3] },
                "It says id-envelopedData."
            ),
            (
                "content-type-longer", template.with { $0.contentType = pkcs7 + [2, 1] },
                "Its content type has an arc too many."
            ),
            (
                "e-content-type", template.with { $0.eContentType = [1, 2, 840, 113549, 1, 9, 16, 1, 4] },
                "The content is called id-ct-TSTInfo, that of a time stamp."
            ),
            (
                "e-content-type-signed", template.with { $0.eContentType = pkcs7 + [2] },
                "The content is called id-signedData."
            ),
            ("detached", template.with { $0.content = nil }, "Detached: the content is elsewhere."),
            (
                "e-content-empty", template.spoiling(.eContent) { _ in DER.explicit(0, []) },
                "eContent without an OCTET STRING."
            ),
            (
                "e-content-twice", template.spoiling(.octets) { $0 + $0 },
                "Two OCTET STRINGs where one belongs."
            ),
            (
                "version-0", template.with { $0.version = [0] }, "Version 0."
            ),
            ("version-3", template.with { $0.version = [3] }, "Version 3."),
            ("version-wide", template.with { $0.version = [1, 0] }, "Version 256."),
            ("version-negative", template.with { $0.version = [0xFF] }, "Version -1."),
            (
                "version-padded", template.with { $0.version = [0, 1] },
                "Version 1 with a needless zero byte."
            ),
            (
                "no-certificates", template.with { $0.certificates = nil }, "No certificates at all."
            ),
            (
                "revocation-lists", template.with { $0.revocationLists = [list] },
                "A revocation list beside the certificates."
            ),
            (
                "revocation-lists-empty", template.with { $0.revocationLists = [] },
                "Room for revocation lists, and none in it."
            ),
        ]
    }

    private static func algorithms(_ fixtures: ReceiptFixtures) throws(MintingError) -> [Row] {
        let template = try fixtures.template()
        let (sha1, sha256) = (HashFunction.sha1.der, HashFunction.sha256.der)
        var rows: [Row] = [
            (
                "digest-algorithms-two", template.with { $0.digestAlgorithms = [sha1, sha256] },
                "Two digests."
            ),
            (
                "digest-algorithms-same", template.with { $0.digestAlgorithms = [sha256, sha256] },
                "One twice."
            ),
            ("digest-algorithms-none", template.with { $0.digestAlgorithms = [] }, "No digest algorithm."),
            (
                "digest-algorithms-other", template.with { $0.digestAlgorithms = [sha1] },
                "SHA-1 outside, SHA-256 in the SignerInfo."
            ),
            (
                "digest-parameters",
                template.with {
                    let digest = DER.sequence(
                        DER.objectIdentifier(HashFunction.sha256.objectIdentifier), DER.octetString([]))
                    $0.digestAlgorithms = [digest]
                    $0.signers[0].digestAlgorithm = digest
                }, "Parameters of the digest algorithm that are not NULL."
            ),
        ]
        for (name, hash) in [
            ("md5", HashFunction.md5), ("sha224", .sha224), ("sha384", .sha384), ("sha512", .sha512),
        ] {
            let minter = fixtures.smallMinter.with { $0.hash = hash }
            rows.append(
                (
                    "digest-\(name)", try minter.signedData(Receipts.small.der),
                    "Signed with \(name.uppercased())."
                ))
        }
        let mixed = try fixtures.smallMinter.with { $0.hash = .sha1 }.signedData(Receipts.small.der)
        rows.append(
            (
                "digest-inside-other", mixed.with { $0.digestAlgorithms = [sha256] },
                "SHA-256 outside, SHA-1 in the SignerInfo."
            ))
        return try rows + signatureAlgorithms(fixtures)
    }

    private static func signatureAlgorithms(_ fixtures: ReceiptFixtures) throws(MintingError) -> [Row] {
        let template = try fixtures.template()
        let content = Receipts.small.der
        let pss: [UInt] = [1, 2, 840, 113549, 1, 1, 10]
        let maskGeneration: [UInt] = [1, 2, 840, 113549, 1, 1, 8]
        // RSASSA-PSS-params (RFC 4055, 3.1) with SHA-256 and an empty salt.
        let parameters = DER.sequence(
            DER.explicit(0, HashFunction.sha256.der),
            DER.explicit(1, DER.sequence(DER.objectIdentifier(maskGeneration), HashFunction.sha256.der)),
            DER.explicit(2, DER.integer(contents: [0])))
        let pssSignature = try fixtures.pki.leaf.key.pssSignature(of: content)
        let key = try TestKey("receipt leaf on P-256")
        let ecdsa = try key.signature(of: content).der
        let sha1 = try fixtures.smallMinter.with { $0.hash = .sha1 }.signedData(content)
        return [
            (
                "signature-pss",
                template.with {
                    $0.signers[0].signatureAlgorithm = DER.sequence(DER.objectIdentifier(pss), parameters)
                    $0.signers[0].signature = pssSignature
                }, "id-RSASSA-PSS, rightly signed."
            ),
            (
                "signature-ecdsa",
                template.with {
                    $0.signers[0].signatureAlgorithm = SignatureAlgorithm.ecdsaWithSHA256.der
                    $0.signers[0].signature = ecdsa
                }, "ecdsa-with-SHA256."
            ),
            (
                "signature-sha1",
                template.with { $0.signers[0].signatureAlgorithm = SignatureAlgorithm.sha1WithRSA.der },
                "sha1WithRSAEncryption beside the digest SHA-256."
            ),
            (
                "signature-sha384",
                template.with { $0.signers[0].signatureAlgorithm = SignatureAlgorithm.sha384WithRSA.der },
                "sha384WithRSAEncryption beside the digest SHA-256."
            ),
            (
                "signature-sha256-beside-sha1",
                sha1.with { $0.signers[0].signatureAlgorithm = SignatureAlgorithm.sha256WithRSA.der },
                "sha256WithRSAEncryption beside the digest SHA-1."
            ),
            (
                "signature-digest",
                template.with { $0.signers[0].signatureAlgorithm = HashFunction.sha256.der },
                "SHA-256 for a signature algorithm."
            ),
            (
                "signature-parameters",
                template.with {
                    $0.signers[0].signatureAlgorithm = DER.sequence(
                        DER.objectIdentifier([1, 2, 840, 113549, 1, 1, 1]), DER.octetString([]))
                }, "rsaEncryption with parameters that are not NULL."
            ),
        ]
    }

    private static func signers(_ fixtures: ReceiptFixtures) throws(MintingError) -> [Row] {
        let template = try fixtures.template()
        let leaf = fixtures.pki.leaf
        let identifier = DER.implicit(0, try leaf.key.keyIdentifier())
        let attributes = try fixtures.smallMinter.signedDataWithAttributes(Receipts.small.der)
        let type: [UInt] = [2, 25, 1_717_171_717]
        let unsigned = DER.sequence(DER.objectIdentifier(type), DER.set(DER.null))
        let root = try fixtures.pki.minter(leaf: 1)
        let other = try root.signedData(Receipts.small.der).signers
        return [
            (
                "signer-key-identifier",
                template.with {
                    $0.version = [3]
                    $0.signers[0].version = [3]
                    $0.signers[0].identifier = identifier
                }, "The signer is named by its key's identifier."
            ),
            (
                "signer-key-identifier-version-1",
                template.with { $0.signers[0].identifier = identifier }, "The same in version 1."
            ),
            ("signer-version-3", template.with { $0.signers[0].version = [3] }, "A SignerInfo of version 3."),
            ("signer-version-0", template.with { $0.signers[0].version = [0] }, "A SignerInfo of version 0."),
            ("signed-attributes", attributes, "Signed attributes, rightly signed."),
            (
                "signed-attributes-empty", template.with { $0.signers[0].signedAttributes = [] },
                "Room for signed attributes, and none in it."
            ),
            (
                "signed-attributes-dropped",
                attributes.with { $0.signers[0].signedAttributes?.removeLast(1) },
                "Signed attributes that lack their last byte."
            ),
            (
                "unsigned-attributes", template.with { $0.signers[0].unsignedAttributes = unsigned },
                "An attribute that is not signed."
            ),
            ("signers-same", template.with { $0.signers += $0.signers }, "The same SignerInfo twice."),
            ("signers-two", template.with { $0.signers += other }, "Two signers."),
            ("signers-none", template.with { $0.signers = [] }, "No SignerInfo: nobody signed."),
            (
                "signer-longer",
                template.spoiling(.signerInfo) { DER.value(tag: 0x30, DER.contents($0) + DER.null) },
                "A SignerInfo with a member behind its signature."
            ),
            (
                "signed-data-longer",
                template.spoiling(.signedData) { DER.value(tag: 0x30, DER.contents($0) + DER.null) },
                "A member behind the SignerInfos."
            ),
        ]
    }

    typealias Flaw = (name: String, why: String, spoil: @Sendable ([UInt8]) -> [UInt8])

    /// The flaws that are applied to every part.
    private static let flaws: [Flaw] = [
        ("other-tag", "has another tag", { [($0.first ?? 0) ^ 1] + $0.dropFirst() }),
        ("longer-length", "has a length in more bytes than it needs", { DER.longerLength($0) }),
        ("missing", "is missing", { _ in [] }),
    ]

    private static func spoil(
        _ fixtures: ReceiptFixtures, _ file: inout VectorFile
    ) throws(MintingError) {
        let template = try fixtures.template()
        for part in SignedDataTemplate.Part.allCases {
            for flaw in flaws where !(part == .contentInfo && flaw.name == "missing") {
                file.rejected(
                    "\(part.rawValue)-\(flaw.name)", .invalidEncoding,
                    template.spoiling(part, flaw.spoil).base64, "\(part.rawValue) \(flaw.why).")
            }
        }
    }
}
