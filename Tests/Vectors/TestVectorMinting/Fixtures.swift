import Minting
import TestMinting

/// The chains and minters that the files of vectors share.
struct Fixtures {
    let standard: TestPKI
    let p256: TestPKI
    let forged: TestPKI
    let xcode: XcodeIdentity
    /// The newest leaf of each PKI.
    let minter: TokenMinter
    let smallMinter: TokenMinter

    init() throws(MintingError) {
        standard = try TestPKI.standard()
        p256 = try TestPKI.p256()
        forged = try TestPKI.forged()
        xcode = try XcodeIdentity()
        minter = try standard.minter()
        smallMinter = try p256.minter()
    }

    /// A token under the all-P-256 PKI, for vectors that do not concern the chain.
    func small(_ payload: JSONText) throws(MintingError) -> String {
        try smallMinter.token(payload: payload.text)
    }

    func small(_ payload: String) throws(MintingError) -> String {
        try smallMinter.token(payload: payload)
    }

    /// A token under the standard PKI, signed by one of its leaves (2 is the newest).
    func standard(_ payload: JSONText, leaf index: Int = 2) throws(MintingError) -> String {
        try standard.minter(leaf: index).token(payload: payload.text)
    }

    /// A token with this text as its header, signed with the small PKI's leaf.
    func small(header: String) throws(MintingError) -> String {
        try small(header: Array(header.utf8))
    }

    func small(header: [UInt8]) throws(MintingError) -> String {
        try TokenMinter(key: smallMinter.key, header: header)
            .token(payload: Payloads.smallTransaction.text)
    }

    /// A token under a changed copy of the standard PKI.
    func changed(
        _ change: (inout TestPKI) throws(MintingError) -> Void
    ) throws(MintingError) -> String {
        var pki = standard
        try change(&pki)
        return try pki.minter().token(payload: Payloads.smallTransaction.text)
    }

    /// A token of the standard PKI's newest leaf with other certificates in `x5c`.
    func presenting(_ x5c: [[UInt8]]) throws(MintingError) -> String {
        try TokenMinter(key: standard.leaf.key, x5c: x5c).token(payload: Payloads.smallTransaction.text)
    }
}

extension TestPKI {
    /// The newest leaf, which the vectors' chains use.
    var leaf: Entity {
        get { leaves[2] }
        set { leaves[2] = newValue }
    }

    /// Gives the intermediate another key, and issues the leaf again.
    mutating func setIntermediateKey(_ key: TestKey) throws(MintingError) {
        intermediate.key = key
        intermediate.template.publicKeyInfo = key.publicKeyInfo()
        let identifier = try intermediate.key.keyIdentifier()
        intermediate.template.set(.subjectKeyIdentifier(identifier))
        leaf.template.signer = .ec(key)
        leaf.template.set(.authorityKeyIdentifier(identifier))
    }
}
