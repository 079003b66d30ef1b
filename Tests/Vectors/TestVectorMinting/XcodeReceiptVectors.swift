import Minting
import TestMinting

/// `valid/receipts-xcode…` and `invalid/12-receipt-xcode…`: receipts that Xcode signs.
enum XcodeReceiptVectors {
    static func files(_ fixtures: ReceiptFixtures) throws(MintingError) -> [VectorFile] {
        [
            try valid(fixtures, []), try valid(fixtures, asked), try invalid(fixtures, []),
            try invalid(fixtures, asked), try notPinned(fixtures), try otherEnvironment(fixtures),
        ]
    }

    private typealias App = ReceiptAttribute.App
    private static let pinned = [ReceiptFixtures.xcodeRoot]
    private static let asked = ["--environment", "Xcode"]

    private static func valid(
        _ fixtures: ReceiptFixtures, _ options: [String]
    ) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "valid/receipts-xcode\(options.isEmpty ? "" : "-environment")",
            "Receipts under the one pinned certificate of Xcode, \(options.isEmpty ? "un" : "")asked for",
            roots: pinned, options: options)
        let minter = try fixtures.xcode.minter()
        let purchase = ReceiptContent.xcode(purchase: ReceiptContent.Purchase())
        let plain = ReceiptContent.xcode()
        try file.verified("plain", .receipt, minter.receipt(plain), "No purchase.")
        try file.verified(
            "purchases", .receipt, minter.receipt(.xcode(purchases: [purchase, purchase])), "Two purchases.")
        try file.verified(
            "utc", .receipt, minter.receipt(.xcode(creationDate: Receipts.date)), "A date without an offset.")
        try file.verified(
            "sha256-with-rsa", .receipt,
            minter.with { $0.signatureAlgorithm = SignatureAlgorithm.sha256WithRSA.der }.receipt(plain),
            "The signature algorithm of later versions.")
        try file.verified(
            "definite", .receipt, minter.with { $0.form = .definite }.receipt(plain), "In DER throughout.")
        return file
    }

    private static func invalid(
        _ fixtures: ReceiptFixtures, _ options: [String]
    ) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/12-receipt-xcode\(options.isEmpty ? "" : "-environment")",
            "Pinned\(options.isEmpty ? "" : " and asked for"), and wrong all the same",
            roots: pinned, options: options)
        let minter = try fixtures.xcode.minter()
        let content = ReceiptContent.xcode()
        for other in ["Production", "ProductionSandbox", "Sandbox", "ProductionVPP", "xcode", ""] {
            try file.rejected(
                "says-\(other.isEmpty ? "nothing" : other == "xcode" ? "lower-case" : other.lowercased())",
                .wrongEnvironment, minter.receipt(content.setting(App.environment, text: other)),
                "It says \(other.isEmpty ? "nothing" : other).")
        }
        try file.rejected(
            "no-environment", .wrongEnvironment, minter.receipt(content.removing(App.environment)),
            "It names no environment.")
        let template = try minter.signedData(content.der)
        file.rejected(
            "signature", .invalidSignature,
            template.with { $0.signers[0].signature = $0.signers[0].signature.flipping(0) }.base64,
            "One bit of the signature differs.")
        try file.rejected(
            "sha1", .invalidSignature, minter.with { $0.hash = .sha1 }.receipt(content),
            "Signed with SHA-1.")
        try file.rejected(
            "no-date", .missingRequiredProperties, minter.receipt(content.removing(App.creationDate)),
            "No date.")
        try file.rejected(
            "content", .invalidEncoding, minter.signedData(DER.null).base64, "The content is NULL.")
        for (name, date) in [
            ("not-yet-valid", fixtures.xcode.template.notBefore.advanced(by: -1)),
            ("expired", fixtures.xcode.template.notAfter.advanced(by: 1)),
        ] {
            try file.rejected(
                name, .invalidCertificateChain, minter.receipt(.xcode(creationDate: date.iso8601)),
                "A second outside the certificate's twenty years.")
        }
        try otherCertificates(fixtures, &file)
        return file
    }

    private static func otherCertificates(
        _ fixtures: ReceiptFixtures, _ file: inout VectorFile
    ) throws(MintingError) {
        let content = ReceiptContent.xcode()
        try file.rejected(
            "other-certificate", .invalidCertificateChain,
            XcodeReceiptIdentity(.forger).minter().receipt(content), "Another certificate of the same name.")
        var reissued = fixtures.xcode
        reissued.template.serialNumber = [2]
        try file.rejected(
            "same-key-other-bytes", .invalidCertificateChain, reissued.minter().receipt(content),
            "The pinned key in a certificate of another serial number: not byte for byte the anchor.")
        let minter = try fixtures.xcode.minter()
        let twice = minter.presenting(minter.certificates + minter.certificates)
        try file.rejected(
            "certificate-twice", .invalidCertificateChain, twice.receipt(content), "The pinned one twice.")
        try file.rejected(
            "app-store", .invalidCertificateChain, fixtures.minter.receipt(content),
            "The App Store's chain, whose root is no anchor.")
    }

    private static func notPinned(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/12-receipt-xcode-not-pinned", "Asked for, but the certificate is no anchor",
            options: asked)
        try file.rejected(
            "not-pinned", .invalidCertificateChain, fixtures.xcode.minter().receipt(.xcode()),
            "Anybody can sign a certificate that says Xcode.")
        try file.rejected(
            "app-store-chain", .wrongEnvironment, fixtures.small(Receipts.small),
            "A receipt of the App Store's, which was not asked for.")
        return file
    }

    private static func otherEnvironment(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/12-receipt-xcode-other-environment", "Pinned, but other environments were asked for",
            roots: pinned, options: ["--environment", "Production", "--environment", "Sandbox"])
        try file.rejected(
            "xcode", .wrongEnvironment, fixtures.xcode.minter().receipt(.xcode()), "It says Xcode.")
        try file.rejected(
            "says-sandbox", .wrongEnvironment,
            fixtures.xcode.minter().receipt(ReceiptContent.xcode().setting(App.environment, text: "Sandbox")),
            "It says Sandbox, which Xcode's certificate cannot.")
        return file
    }
}
