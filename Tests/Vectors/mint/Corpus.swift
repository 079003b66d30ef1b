import Minting
import TestMinting

/// Lines to verify, any number of them, the same in every run.
protocol CorpusOfLines: Sendable {
    /// The line with this number.
    func line(_ number: Int) throws(MintingError) -> String

    /// The root under which all good lines are verified.
    func rootPEM() throws(MintingError) -> String
}

/// Selects a share of the lines, spread evenly.
struct LineShare: Sendable {
    /// How many of a hundred lines are selected.
    let percent: Int

    func contain(_ number: Int) -> Bool { (number + 1) * percent / 100 > number * percent / 100 }
}

/// A corpus of signed payloads: any number of tokens, the same in every run.
struct Corpus: CorpusOfLines {
    /// The signers of the tokens.
    enum Signers: Sendable {
        /// This many leaves of the test PKI, in turn.
        case shared(count: Int)
        /// A new leaf for each token, issued by the test PKI's intermediate.
        case fresh
        /// A new leaf for each token, under a forged chain: it differs from the trusted one only in its keys.
        case forged
    }

    private let content: CorpusPayload.Content
    private let isVaried: Bool
    private let signers: Signers
    private let badLines: LineShare
    private let wrappedLines: LineShare
    private let pki: TestPKI
    private let minters: [TokenMinter]

    /// - Parameters:
    ///   - content: the kinds of the payloads.
    ///   - isVaried: whether payloads have nested, null and escaped members, and lack others.
    ///   - signers: the signers of the tokens.
    ///   - badPercent: how many of a hundred signatures do not match.
    ///   - wrappedPercent: how many of a hundred lines are JSON objects around a token.
    ///   - responders: the OCSP responders of leaves and intermediate, if the signers are shared.
    init(
        _ content: CorpusPayload.Content, isVaried: Bool, signers: Signers, badPercent: Int,
        wrappedPercent: Int, responders: (leaf: String, intermediate: String)? = nil
    ) throws(MintingError) {
        self.content = content
        self.isVaried = isVaried
        self.signers = signers
        badLines = LineShare(percent: badPercent)
        wrappedLines = LineShare(percent: wrappedPercent)
        switch signers {
        case .shared(let count):
            let standard = try TestPKI.standard()
            pki =
                responders.map {
                    standard.naming(leafResponder: $0.leaf, intermediateResponder: $0.intermediate)
                } ?? standard
            var minters: [TokenMinter] = []
            for number in 0..<count { minters.append(try pki.minter(ofLeaf: number)) }
            self.minters = minters
        case .fresh:
            pki = try TestPKI.standard()
            minters = []
        case .forged:
            var forged = try TestPKI.forged()
            let identifier = try TestPKI.standard().root.key.keyIdentifier()
            forged.intermediate.template.set(.authorityKeyIdentifier(identifier))
            pki = forged
            minters = []
        }
    }

    /// The compact JWS with this number, or an object around it.
    func line(_ number: Int) throws(MintingError) -> String {
        let minter =
            switch signers {
            case .shared: minters[number % minters.count]
            case .fresh, .forged: try pki.minter(ofLeaf: number)
            }
        let kind = content.kind(number)
        let payload = try CorpusPayload(number, isVaried: isVaried).json(kind, signer: minter)
        var segments = try minter.segments(payload: Array(payload.utf8))
        if badLines.contain(number) { segments.signature = Self.changed(segments.signature) }
        // As with kinds, the hundreds differ, so that spoilt lines and all kinds are wrapped or not.
        let isWrapped = wrappedLines.contain(number + number / 200)
        return isWrapped ? #"{"\#(kind.wrapper)":"\#(segments.compact)"}"# : segments.compact
    }

    /// The files of two responders that answer "good" for all certificates, by the name of those
    /// certificates' issuer.
    func responderFiles() throws(MintingError) -> [(name: String, files: OCSPResponderFiles)] {
        var leaves: [(TestPKI.Entity, OCSPResponderFiles.Status)] = []
        for number in minters.indices { leaves.append((try pki.leaf(number: number), .good)) }
        let (intermediate, root) = (pki.intermediate, pki.root)
        return [
            (
                "leaf",
                try OCSPResponderFiles(
                    issuer: intermediate, signer: TestPKI.responder(of: intermediate), certificates: leaves)
            ),
            (
                "intermediate",
                try OCSPResponderFiles(
                    issuer: root, signer: TestPKI.responder(of: root), certificates: [(intermediate, .good)])
            ),
        ]
    }

    /// The root of the test PKI, also for forged chains.
    func rootPEM() throws(MintingError) -> String {
        Base64.pem("CERTIFICATE", try TestPKI.standard().root.der())
    }

    /// Another signature of the same form. One character, which holds bits of s, is changed.
    private static func changed(_ signature: String) -> String {
        var characters = Array(signature.utf8)
        let middle = characters.count * 3 / 4
        characters[middle] = characters[middle] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: characters, as: UTF8.self)
    }
}
