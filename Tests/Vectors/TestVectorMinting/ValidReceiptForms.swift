import Minting
import TestMinting

/// `valid/receipts-forms` and `valid/receipts-size-limit`: SignedData that differs from the App Store's in
/// permitted ways.
enum ValidReceiptForms {
    static func files(_ fixtures: ReceiptFixtures) throws(MintingError) -> [VectorFile] {
        [try forms(fixtures), try sizeLimit(fixtures)]
    }

    private static func forms(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "valid/receipts-forms", "SignedData that differs from the App Store's in what may differ")
        for (name, template, why) in try algorithms(fixtures) + lengths(fixtures) {
            file.verified(name, .receipt, template.base64, why)
        }
        let chain = fixtures.minter.certificates
        for (name, order) in [
            ("root-first", [2, 1, 0]), ("intermediate-first", [1, 0, 2]), ("leaf-last", [1, 2, 0]),
            ("root-second", [0, 2, 1]),
        ] {
            try file.verified(
                "order-\(name)", .receipt, fixtures.presenting(order.map { chain[$0] }),
                "The certificates are a SET, and have no order.")
        }
        try file.verified(
            "order-without-root", .receipt, fixtures.presenting([chain[1], chain[0]]),
            "Intermediate and leaf, and no root: the anchor is the caller's.")
        try file.verified(
            "markers-critical", .receipt,
            fixtures.changed {
                typealias Identifier = CertificateExtension.Identifier
                $0.leaf.template.modify(Identifier.leafMarker) { $0.criticalDER = DER.boolean(true) }
                $0.intermediate.template.modify(Identifier.intermediateMarker) {
                    $0.criticalDER = DER.boolean(true)
                }
            }, "The markers are known, so they may be critical.")
        try file.verified(
            "serial-zero", .receipt, fixtures.changed { $0.leaf.template.serialNumber = [0] },
            "A leaf of serial number zero.")
        try file.verified(
            "serial-sign-byte", .receipt,
            fixtures.changed { $0.leaf.template.serialNumber = [0x00, 0x80] },
            "A leading zero byte that keeps the leaf's serial number from being negative.")
        return file
    }

    typealias Row = (name: String, template: SignedDataTemplate, why: String)

    private static func algorithms(_ fixtures: ReceiptFixtures) throws(MintingError) -> [Row] {
        let template = try fixtures.template()
        let bare = DER.sequence(DER.objectIdentifier(HashFunction.sha256.objectIdentifier))
        return [
            (
                "sha256-with-rsa",
                template.with { $0.signers[0].signatureAlgorithm = SignatureAlgorithm.sha256WithRSA.der },
                "The signature algorithm names the hash too, as Xcode's does."
            ),
            (
                "no-parameters",
                template.with {
                    $0.digestAlgorithms = [bare]
                    $0.signers[0].digestAlgorithm = bare
                }, "The digest algorithm has no parameters (RFC 5754, 2)."
            ),
            (
                "no-parameters-outside", template.with { $0.digestAlgorithms = [bare] },
                "No parameters in digestAlgorithms, NULL in the SignerInfo."
            ),
            (
                "no-parameters-inside", template.with { $0.signers[0].digestAlgorithm = bare },
                "And the other way round."
            ),
        ]
    }

    private static func lengths(_ fixtures: ReceiptFixtures) throws(MintingError) -> [Row] {
        let template = try fixtures.template()
        let whole = template.with { $0.form = .indefinite(pieceBytes: .max) }
        let pieces = template.with { $0.form = .indefinite(pieceBytes: 50) }
        return [
            ("indefinite", whole, "Indefinite lengths and the content in one piece, as Xcode writes it."),
            ("indefinite-pieces", pieces, "The content in pieces of 50 bytes."),
            (
                "indefinite-primitive",
                whole.spoiling(.octets) { _ in DER.octetString(Receipts.small.der) },
                "Indefinite lengths around a primitive OCTET STRING."
            ),
            (
                "constructed-definite",
                template.spoiling(.octets) { DER.constructedOctetString(DER.contents($0)) },
                "An OCTET STRING of two pieces, all lengths definite."
            ),
            (
                "constructed-empty-piece",
                template.spoiling(.octets) {
                    DER.value(tag: 0x24, DER.octetString([]) + DER.octetString(DER.contents($0)))
                }, "The first piece is empty."
            ),
            (
                "octets-indefinite-alone",
                template.spoiling(.octets) { DER.indefiniteLength(DER.value(tag: 0x24, $0)) },
                "Only the OCTET STRING has an indefinite length."
            ),
        ]
    }

    private static func sizeLimit(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        let limit = try ReceiptSizeLimit(fixtures)
        var file = VectorFile.receipts(
            "valid/receipts-size-limit", "Receipts of exactly the allowed size, and less",
            options: limit.options)
        file.verified("longest", .receipt, limit.longest, "Exactly as long as is allowed.")
        try file.verified("shorter", .receipt, fixtures.small(Receipts.small), "A shorter one.")
        return file
    }
}

/// A receipt as long as `--max-token-bytes` allows, and the next longer one.
struct ReceiptSizeLimit {
    let longest: String
    let tooLong: String

    init(_ fixtures: ReceiptFixtures) throws(MintingError) {
        // Base64 with padding grows by four characters at a time; three bytes more give the next length.
        longest = try fixtures.small(Self.filled(200))
        tooLong = try fixtures.small(Self.filled(203))
    }

    var options: [String] { ["--max-token-bytes", String(longest.utf8.count)] }

    private static func filled(_ count: Int) -> ReceiptContent {
        Receipts.small.appending(ReceiptAttribute(99, [UInt8](repeating: 0x78, count: count)))
    }
}
