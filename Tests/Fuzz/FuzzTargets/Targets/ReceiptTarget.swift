import AppReceipts
import CertificateChain
import Minting
import ReceiptOracle
import SignedPayloads
import TestMinting

/// A receipt's bytes in the receipt verifier. If it verifies them, libcrypto's CMS must verify them too, with
/// the same content. A cached signer must not change any verdict.
package struct ReceiptTarget: FuzzTarget {
    package static let name = "receipt"

    private let root: [UInt8]
    private let remembering: ReceiptVerifier
    private let forgetting: ReceiptVerifier
    private let minter: ReceiptMinter

    package init() throws {
        root = try ReceiptPKI.standard().root.der()
        let anchors = [TrustAnchor(der: root)]
        remembering = try ReceiptVerifier(anchors: anchors)
        forgetting = try ReceiptVerifier(
            anchors: anchors, policy: VerificationPolicy(), deviceIdentifier: nil, remembersSigners: false)
        minter = try ReceiptPKI.standard().minter()
    }

    package func check(_ input: [UInt8]) throws(Violation) {
        let verdict = Self.verdict(on: input, remembering)
        let second = Self.verdict(on: input, forgetting)
        try expect(
            Self.description(of: verdict) == Self.description(of: second),
            "by CMS \(Self.description(of: second)), else \(Self.description(of: verdict))")
        let inspected = forgetting.inspect(input.span).verdict
        try expect(
            Self.description(of: inspected) == Self.description(of: second), "inspects to another verdict")
        switch verdict {
        case .success(let verified):
            let der = input.first == 0x30 ? input : Base64URL.decodedStandard(input) ?? []
            let content = CMSOracle.content(of: der, root: root, ignoresCritical: true)
            try expect(content == verified.receipt.content, "verifies what libcrypto's CMS does not")
            try checkReading(of: verified.receipt)
        case .failure(let error):
            try expect((20..<8192).contains(error.message.utf8.count), "a message: \(error.message.count)")
        }
        // Unsigned content can be displayed too.
        if let data = try? SignedData(input.span), case .inPlace(let range) = data.content,
            let receipt = try? Receipt(content: Array(input[range]))
        {
            try checkReading(of: receipt)
        }
    }

    /// Checks that the receipt's JSON is one object, and that its attributes are those of its content.
    private func checkReading(of receipt: Receipt) throws(Violation) {
        guard case .object? = PlainJSON(receipt.json) else { throw Violation("JSON that is not an object") }
        let attributes = receipt.attributes
        let elements = DERTree.elements(receipt.content[...])?.first?.children ?? []
        try expect(attributes.count == elements.count, "another number of attributes")
        for (attribute, element) in zip(attributes, elements) {
            guard case .primitive(let value)? = element.children.last?.content else {
                throw Violation("an attribute without a value")
            }
            try expect(attribute.value == value, "another value of attribute \(attribute.type)")
        }
        if let tree = DERTree.elements(receipt.content[...]) {
            try expect(tree.flatMap(\.encoded) == receipt.content, "a content that encodes otherwise")
        }
    }

    private static func verdict(
        on receipt: [UInt8], _ verifier: ReceiptVerifier
    ) -> Result<VerifiedReceipt, PayloadError> {
        Result { () throws(PayloadError) in try verifier.verify(receipt.span) }
    }

    private static func description(of verdict: Result<VerifiedReceipt, PayloadError>) -> String {
        switch verdict {
        case .success(let verified):
            Outcome(.success(VerifiedPayload(verified))).description + verified.effectiveDateSource
        case .failure(let error): Outcome(.failure(error)).description
        }
    }

    package func seeds(from line: [UInt8]) -> [[UInt8]] {
        guard line.starts(with: "MI".utf8) else { return [] }
        return [line] + (Base64URL.decodedStandard(line).map { [$0] } ?? [])
    }

    package func mutate(_ input: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        if input.first != 0x30, let der = Base64URL.decodedStandard(input), !tools.oneIn(4) {
            return Base64URL.encodedStandard(mutate(der, &tools))
        }
        guard !tools.oneIn(3), let data = try? SignedData(input.span),
            case .inPlace(let range) = data.content,
            let template = try? minter.signedData(DERMutator.changed(Array(input[range]), &tools))
        else { return DERMutator.changed(input, &tools) }
        var signed = template
        signed.form = tools.oneIn(4) ? .indefinite(pieceBytes: 100 + tools.below(1000)) : .definite
        return signed.der
    }
}
