import Minting
import TestMinting

/// Makes hostile lines that take the verifier as long as possible, and ordinary ones to compare them with.
///
/// A sender needs no key of Apple's for any of them. They fill the limits on a line, on a certificate and on a
/// receipt's certificates. Each line differs from all others, so a cache of lines or of chains does not help.
struct WorstLines {
    /// The slow part of a line. The raw value is the name of the kind's file.
    enum Kind: String, CaseIterable {
        /// A token of the usual size under a chain that was never seen before and is not trusted.
        case ordinaryUnknownChain = "ordinary-unknown-chain"
        case lineOfNames = "line-of-names"
        case lineOfEscapedNames = "line-of-escaped-names"
        case lineOfNesting = "line-of-nesting"
        /// The last name repeats the first one.
        case headerOfNames = "header-of-names"
        case headerOfEscapedNames = "header-of-escaped-names"
        case headerOfNesting = "header-of-nesting"
        case certificatesOfExtensions = "certificates-of-extensions"
        /// Escaped names beside `alg` and an `x5c` of such certificates.
        case headerOfNamesAndExtensions = "header-of-names-and-extensions"
        case certificatesOfAttributes = "certificates-of-attributes"
        /// The leaf is one byte longer than a certificate may be.
        case certificateOverTheBound = "certificate-over-the-bound"
        /// BER allows a content in pieces; these pieces are empty (X.690, 8.7.3).
        case receiptInPieces = "receipt-in-pieces"
        case receiptOfAttributes = "receipt-of-attributes"
        case garbage

        /// The name of the kind's file.
        var file: String { rawValue + (isReceipt ? ".b64" : ".jws") }

        private var isReceipt: Bool { self == .receiptInPieces || self == .receiptOfAttributes }
    }

    /// The verifier's default limit on a line.
    private static let lineBytes = 1 << 20
    /// The verifier's limit on one certificate.
    private static let certificateBytes = 16_384
    /// The most bytes of the intermediate beside a leaf of that length. The limit on all certificates of a token or a
    /// receipt is 24,576 bytes together.
    private static let intermediateBytes = 7_200
    /// The most bytes of a name in a certificate within the limit.
    private static let nameBytes = 15_000
    /// The most bytes of the leaf's issuer, which are those of the intermediate's subject, too.
    private static let linkedNameBytes = 11_000
    /// The most bytes of a name in a receipt's root, beside a leaf with such a name.
    private static let receiptRootNameBytes = 6_000
    /// The bytes of a receipt beside its content: three certificates of a kilobyte each, and the signer.
    private static let receiptFrameBytes = 8_000
    /// JSON may be nested 128 levels deep; two of them are around the deepest values.
    private static let nesting = 126

    /// Leaf, intermediate and root, as in `x5c`.
    private let chain: [WorstCertificate]
    /// The same of a receipt.
    private let receiptChain: [WorstCertificate]
    private let receipt: SignedDataTemplate
    /// The payload and the signature of a good token, each after its dot. They fit no other header.
    private let afterHeader: String

    init() throws(MintingError) {
        let pki = try TestPKI.standard()
        var chain: [WorstCertificate] = []
        for entity in [pki.leaves[pki.leaves.count - 1], pki.intermediate, pki.root] {
            chain.append(try WorstCertificate(entity.template))
        }
        self.chain = chain
        let receiptPKI = try ReceiptPKI.standard()
        var receiptChain: [WorstCertificate] = []
        for entity in [receiptPKI.leaf, receiptPKI.intermediate, receiptPKI.root] {
            receiptChain.append(try WorstCertificate(entity.template))
        }
        self.receiptChain = receiptChain
        receipt = try receiptPKI.minter().signedData([])
        let token = try pki.minter().segments(payload: Array(CorpusPayload(0).transaction.utf8))
        afterHeader = ".\(token.payload).\(token.signature)"
    }

    /// The line of a kind with this number.
    func line(_ kind: Kind, _ number: Int) throws(MintingError) -> String {
        switch kind {
        case .ordinaryUnknownChain:
            token([try chain[0].numbered(number), chain[1], chain[2]])
        case .lineOfNames: Self.names(number, most: 100_000, bytes: Self.lineBytes)
        case .lineOfEscapedNames:
            Self.filled(Self.lineBytes, "{", with: #""\n":0,"#, #""\#(number)":0}"#)
        case .lineOfNesting: Self.nested(number, bytes: Self.lineBytes)
        case .headerOfNames:
            token(header: Self.names(number, repeatsFirst: true, bytes: headerBytes))
        case .headerOfEscapedNames: token(header: Self.escapedNames(number, after: "{", bytes: headerBytes))
        case .headerOfNesting: token(header: Self.nested(number, bytes: headerBytes))
        case .certificatesOfExtensions:
            token(header: Self.header(try fullOfExtensions(number)))
        case .headerOfNamesAndExtensions:
            token(header: headerOfNames(number, beside: try fullOfExtensions(number)))
        case .certificatesOfAttributes:
            token(Self.linked(try numbered(number), WorstCertificate.name(bytes: Self.linkedNameBytes)))
        case .certificateOverTheBound:
            token([
                try chain[0].numbered(number).withFiller(bytes: Self.certificateBytes + 1), chain[1],
                chain[2],
            ])
        case .receiptInPieces: try receiptInPieces(number)
        case .receiptOfAttributes: try receiptOfAttributes(number)
        case .garbage: String(repeating: "A", count: Self.lineBytes - number)
        }
    }
}

// MARK: - Tokens

extension WorstLines {
    private func token(_ certificates: [WorstCertificate]) -> String {
        token(header: Self.header(certificates))
    }

    private static func header(_ certificates: [WorstCertificate]) -> String {
        String(decoding: TokenMinter.header(x5c: certificates.map(\.der)), as: UTF8.self)
    }

    /// A header with these certificates and, after them, as many names as fit.
    private func headerOfNames(_ number: Int, beside certificates: [WorstCertificate]) -> String {
        let start = String(Self.header(certificates).dropLast()) + ","
        return Self.escapedNames(number, after: start, bytes: headerBytes)
    }

    /// The three certificates, leaf and intermediate as full of unknown extensions as they may be.
    private func fullOfExtensions(_ number: Int) throws(MintingError) -> [WorstCertificate] {
        let chain = try numbered(number)
        return [
            chain[0].withExtensions(bytes: Self.certificateBytes),
            chain[1].withExtensions(bytes: Self.intermediateBytes), chain[2],
        ]
    }

    /// The three certificates, with serial numbers of this line.
    private func numbered(_ number: Int) throws(MintingError) -> [WorstCertificate] {
        [try chain[0].numbered(number), try chain[1].numbered(number), try chain[2].numbered(number)]
    }

    /// The three certificates, with one long name for the leaf's issuer and the intermediate. The names chain, so that
    /// the intermediate's signature is verified too.
    private static func linked(_ chain: [WorstCertificate], _ name: [UInt8]) -> [WorstCertificate] {
        [chain[0].naming(issuer: name), chain[1].naming(subject: name), chain[2]]
    }

    private func token(header: String) -> String { Base64.urlEncoded(Array(header.utf8)) + afterHeader }

    /// The longest header with which a token is within the limit.
    private var headerBytes: Int { (Self.lineBytes - afterHeader.utf8.count) / 4 * 3 }
}

// MARK: - JSON

extension WorstLines {
    /// A head and a tail, and between them a unit as often as it fits.
    private static func filled(_ bytes: Int, _ head: String, with unit: String, _ tail: String) -> String {
        let count = (bytes - head.utf8.count - tail.utf8.count) / unit.utf8.count
        return head + String(repeating: unit, count: count) + tail
    }

    /// An object of different names, as many as fit.
    private static func names(
        _ number: Int, most: Int = .max, repeatsFirst: Bool = false, bytes: Int
    ) -> String {
        // Five hexadecimal digits each.
        let first = 0x1_0000 + number
        var text = #"{"\#(String(first, radix: 16))":0"#
        let memberBytes = #","12345":0"#.utf8.count
        // One name more may repeat the first one, and then the object ends.
        let count = min(most, (bytes - text.utf8.count - 1) / memberBytes - (repeatsFirst ? 1 : 0))
        for name in first + 1..<first + count { text += #","\#(String(name, radix: 16))":0"# }
        return text + (repeatsFirst ? #","\#(String(first, radix: 16))":0}"# : "}")
    }

    /// The beginning of an object, then different names with one escape each, as many as fit.
    private static func escapedNames(_ number: Int, after head: String, bytes: Int) -> String {
        let first = 0x1_0000 + number
        let member = #""\n12345":0,"#
        var text = head
        for name in first..<first + (bytes - head.utf8.count - 5) / member.utf8.count {
            text += #""\n\#(String(name, radix: 16))":0,"#
        }
        return text + #""":0}"#
    }

    /// Arrays as deep as arrays may be, as many as fit.
    private static func nested(_ number: Int, bytes: Int) -> String {
        let deepest = String(repeating: "[", count: nesting) + String(repeating: "]", count: nesting)
        return filled(bytes, #"{"a":["#, with: deepest + ",", "\(number)]}")
    }
}

// MARK: - Receipts

extension WorstLines {
    /// An unknown leaf, and a content of so many empty pieces that the receipt is as long as a line may be.
    private func receiptInPieces(_ number: Int) throws(MintingError) -> String {
        let room = Self.lineBytes / 4 * 3 - Self.receiptFrameBytes
        let pieces = [[UInt8]](repeating: DER.octetString([]), count: room / 2).flatMap(\.self)
        var receipt = receipt.spoiling(.octets) { _ in
            DER.indefiniteLength(DER.value(tag: 0x24, pieces))
        }
        receipt.form = .indefinite(pieceBytes: .max)
        let leaf = try receiptChain[0].numbered(number)
        return receipt.presenting([leaf, receiptChain[1], receiptChain[2]]).base64
    }

    private func receiptOfAttributes(_ number: Int) throws(MintingError) -> String {
        let leaf = try receiptChain[0].numbered(number).naming(
            subject: WorstCertificate.name(bytes: Self.nameBytes))
        let root = receiptChain[2].naming(
            subject: WorstCertificate.name(bytes: Self.receiptRootNameBytes))
        return receipt.presenting([leaf, receiptChain[1], root]).base64
    }
}

extension SignedDataTemplate {
    /// A copy with other certificates, the first of which is the signer's.
    fileprivate func presenting(_ certificates: [WorstCertificate]) -> SignedDataTemplate {
        var template = self
        template.certificates = certificates.map(\.der)
        for index in template.signers.indices {
            template.signers[index].identifier = certificates[0].issuerAndSerialNumber
        }
        return template
    }
}
