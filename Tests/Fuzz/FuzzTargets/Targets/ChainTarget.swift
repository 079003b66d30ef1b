import CertificateChain
import CompactJWS
import Minting
import P256Verification
import TestMinting
import WireFormats

/// Concatenated certificates. Strict DER must encode to the same bytes again, and libcrypto must agree that a
/// trusted chain leads to its anchor.
package struct ChainTarget: FuzzTarget {
    package static let name = "der-chain"

    private let anchors: TrustAnchors
    private let roots: [[UInt8]]
    private let mutator: CertificateMutator

    package init() throws {
        roots = try [TestPKI.p256().root.der(), TestPKI.standard().root.der()]
        anchors = try TrustAnchors(roots.map { TrustAnchor(der: $0) })
        mutator = CertificateMutator(try TestPKI.p256())
    }

    package func check(_ input: [UInt8]) throws(Violation) {
        try checkDER(input)
        let certificates = Self.split(input)
        for certificate in certificates { try checkCertificate(certificate) }
        guard certificates.count == 3 else { return }
        let x5c = X5C.chain(
            leaf: X5C.Element(certificates[0]), intermediate: X5C.Element(certificates[1]),
            root: X5C.Element(certificates[2]))
        let signer: TrustedSigner
        do throws(CertificateChainError) {
            signer = try anchors.judge(try PresentedChain(x5c))
        } catch {
            return try expect(
                !error.description.isEmpty && error.description.utf8.count < 1 << 16, "the error's sentence")
        }
        try expect(
            CertificateOracle.leads(certificates[0], through: certificates[1], to: roots),
            "trusts a chain that libcrypto does not")
        let point = signer.publicPoint ?? []
        try expect(
            P256PublicKey(uncompressedPoint: point.span) != nil, "trusts a key that is not a point on P-256")
    }

    private func checkDER(_ input: [UInt8]) throws(Violation) {
        let isDER = (try? StrictDER.check(input)) != nil
        let tree = DERTree.elements(input[...])
        if isDER {
            try expect(tree?.count == 1 && tree?[0].encoded == input, "DER that encodes otherwise")
        } else {
            try expect((try? StrictDER.checkCertificate(input)) == nil, "a certificate that is not DER")
        }
        for allowsIndefiniteLength in [false, true] {
            let element = try? BERElement(
                input.span, at: 0, limit: input.count, allowsIndefiniteLength: allowsIndefiniteLength)
            guard let element else { continue }
            try expect(
                element.contents.upperBound <= element.end && element.end <= input.count
                    && element.contents.lowerBound >= 2, "an element beyond its bytes")
            guard input[1] != 0x80 else { continue }
            let whole = Array(input[..<element.end])
            try expect(
                DER.value(tag: element.tag, Array(input[element.contents])) == whole,
                "an element that encodes otherwise")
        }
    }

    private func checkCertificate(_ der: [UInt8]) throws(Violation) {
        guard (try? Certificate(der: der, position: .leaf)) != nil else { return }
        try expect(CertificateOracle.reencoded(der) == der, "a certificate that libcrypto writes otherwise")
    }

    /// The outermost elements, split by their lengths. Bytes that do not fit are the last one.
    private static func split(_ input: [UInt8]) -> [[UInt8]] {
        var certificates: [[UInt8]] = []
        var rest = input[...]
        while !rest.isEmpty {
            let element = try? BERElement(rest.span, at: 0, limit: rest.count)
            let count = certificates.count < 2 ? element?.end ?? rest.count : rest.count
            certificates.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return certificates
    }

    package func seeds(from line: [UInt8]) -> [[UInt8]] {
        let header = Base64URL.decoded(line.prefix { $0 != UInt8(ascii: ".") })
        let chain = header.flatMap { PlainJSON($0) }.flatMap { HeaderTarget.certificates($0) }
        return chain.map { [$0.flatMap(\.self)] } ?? []
    }

    package func mutate(_ input: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        tools.oneIn(8) ? tools.havoc(input) : mutator.changed(Self.split(input), &tools).flatMap(\.self)
    }
}
