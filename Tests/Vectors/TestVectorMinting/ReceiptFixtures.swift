import Minting
import TestMinting

/// The chains and minters that the files of receipts share.
struct ReceiptFixtures {
    let pki: ReceiptPKI
    let forged: ReceiptPKI
    let xcode: XcodeReceiptIdentity
    /// The newest leaf, with the whole chain.
    let minter: ReceiptMinter
    /// The same without the root, for vectors that do not concern the chain.
    let smallMinter: ReceiptMinter

    static let root = "pki/receipt-root.pem"
    static let xcodeRoot = "pki/xcode-receipt.pem"

    init() throws(MintingError) {
        pki = try ReceiptPKI.standard()
        forged = try ReceiptPKI.forged()
        xcode = try XcodeReceiptIdentity()
        minter = try pki.minter()
        smallMinter = minter.presenting(Array(minter.certificates.prefix(2)))
    }

    /// Anchors with the root's name and key and one change each, by file name.
    static let anchorChanges: [(name: String, change: @Sendable (inout CertificateTemplate) -> Void)] = [
        ("path-length-0", { $0.set(.basicConstraints(isCA: true, pathLength: 0)) }),
        ("short-lived", { $0.notAfter = CertificateTime(2024, 12, 31, 23, 59, 59) }),
    ]

    /// A receipt without its root, for vectors that do not concern the chain.
    func small(_ content: ReceiptContent) throws(MintingError) -> String {
        try smallMinter.receipt(content)
    }

    /// A receipt with any bytes as its content, with a good signature.
    func small(bytes: [UInt8]) throws(MintingError) -> String {
        try smallMinter.signedData(bytes).base64
    }

    /// The parts of a small receipt.
    func template(
        _ content: ReceiptContent = Receipts.small
    ) throws(MintingError) -> SignedDataTemplate {
        try smallMinter.signedData(content.der)
    }

    /// A receipt under a changed copy of the PKI, without its root.
    func changed(
        _ change: (inout ReceiptPKI) throws(MintingError) -> Void
    ) throws(MintingError) -> String {
        var pki = pki
        try change(&pki)
        let minter = try pki.minter()
        return try minter.presenting(Array(minter.certificates.prefix(2))).receipt(Receipts.small)
    }

    /// A receipt from the newest leaf with other certificates beside it.
    func presenting(_ certificates: [[UInt8]]) throws(MintingError) -> String {
        try minter.presenting(certificates).receipt(Receipts.small)
    }
}

extension ReceiptMinter {
    /// A copy with other certificates.
    func presenting(_ certificates: [[UInt8]]) -> ReceiptMinter {
        var minter = self
        minter.certificates = certificates
        return minter
    }

    /// A copy with one change.
    func with(_ change: (inout ReceiptMinter) -> Void) -> ReceiptMinter {
        var minter = self
        change(&minter)
        return minter
    }
}

extension SignedDataTemplate {
    /// A copy with one change.
    func with(_ change: (inout SignedDataTemplate) -> Void) -> SignedDataTemplate {
        var template = self
        change(&template)
        return template
    }
}

extension VectorFile {
    /// A file of receipts.
    static func receipts(
        _ path: String, _ summary: String, roots: [String] = [ReceiptFixtures.root], options: [String] = []
    ) -> VectorFile {
        VectorFile(path, summary, roots: roots, options: options, ending: "b64")
    }
}

/// All files of receipts.
enum ReceiptCatalogue {
    static func files() throws(MintingError) -> [VectorFile] {
        let fixtures = try ReceiptFixtures()
        var files: [VectorFile] = []
        files += try ValidReceipts.files(fixtures)
        files += try ValidReceiptForms.files(fixtures)
        files += try ValidReceiptIdentity.files(fixtures)
        files += try ReceiptEncodingVectors.files(fixtures)
        files += try SignedDataVectors.files(fixtures)
        files += try ReceiptChainVectors.files(fixtures)
        files += try ReceiptTrustVectors.files(fixtures)
        files += try ReceiptSignatureVectors.files(fixtures)
        files += try ReceiptContentVectors.files(fixtures)
        files += try ReceiptDateVectors.files(fixtures)
        files += try ReceiptIdentityVectors.files(fixtures)
        files += try XcodeReceiptVectors.files(fixtures)
        return files
    }
}
