import Minting
import TestMinting

/// `invalid/04-receipt-signature`: values that are not this key's signature of this content.
enum ReceiptSignatureVectors {
    static func files(_ fixtures: ReceiptFixtures) throws(MintingError) -> [VectorFile] {
        var file = VectorFile.receipts(
            "invalid/04-receipt-signature", "Signatures of receipts that are not right")
        let template = try fixtures.template()
        for (name, signature, why) in try bytes(template) + otherMessages(fixtures) + blocks(fixtures) {
            file.rejected(
                name, .invalidSignature, template.with { $0.signers[0].signature = signature }.base64, why)
        }
        for (name, changed, why) in try otherContents(fixtures) {
            file.rejected(name, .invalidSignature, changed.base64, why)
        }
        return [file]
    }

    private typealias Row = (name: String, signature: [UInt8], why: String)

    private static func bytes(_ template: SignedDataTemplate) throws(MintingError) -> [Row] {
        let signature = template.signers[0].signature
        let count = signature.count
        var rows: [Row] = [
            ("empty", [], "No bytes."), ("shorter", signature.dropLast(), "A byte too few."),
            ("longer", signature + [0], "A zero byte too many."),
            ("longer-front", [0] + signature, "A zero byte in front."),
            ("half", Array(signature.prefix(count / 2)), "Half of it."),
            ("double", signature + signature, "Twice."),
            ("zero", [UInt8](repeating: 0, count: count), "Zero."),
            ("one", [UInt8](repeating: 0, count: count - 1) + [1], "One."),
            ("ones", [UInt8](repeating: 0xFF, count: count), "All bits set, more than the modulus."),
            ("reversed", signature.reversed(), "Least significant byte first."),
            ("wrapped", Array(DER.octetString(signature).prefix(count)), "Behind a tag and a length."),
        ]
        for index in [0, 1, 127, count - 1] {
            rows.append(("byte-\(index)", signature.flipping(index), "A bit of byte \(index) is flipped."))
        }
        return rows
    }

    private static func otherMessages(_ fixtures: ReceiptFixtures) throws(MintingError) -> [Row] {
        let key = fixtures.pki.leaf.key
        let content = Receipts.small.der
        let digest = try HashFunction.sha256.digest(content)
        return [
            (
                "of-octets", try key.signature(of: DER.octetString(content), hash: .sha256),
                "Of the content with its tag and length (RFC 5652, 5.4)."
            ),
            (
                "of-attributes", try key.signature(of: DER.contents(content), hash: .sha256),
                "Of the content without the SET's tag and length."
            ),
            ("of-digest", try key.signature(of: digest, hash: .sha256), "Of its hash, hashed again."),
            ("of-nothing", try key.signature(of: [], hash: .sha256), "Of nothing."),
            ("of-sha384", try key.signature(of: content, hash: .sha384), "With SHA-384."),
            ("of-sha1", try key.signature(of: content, hash: .sha1), "With SHA-1, where it says SHA-256."),
            ("pss", try key.pssSignature(of: content), "RSASSA-PSS, where it says rsaEncryption."),
            (
                "by-intermediate", try fixtures.pki.intermediate.key.signature(of: content, hash: .sha256),
                "By the intermediate's key."
            ),
            (
                "by-older-leaf", try fixtures.pki.leaves[1].key.signature(of: content, hash: .sha256),
                "By another leaf's key."
            ),
            (
                "by-forger", try RSATestKey(.forger).signature(of: content, hash: .sha256),
                "By a forger's key."
            ),
            (
                "by-short-key", try RSATestKey(.short).signature(of: content, hash: .sha256),
                "By a shorter key."
            ),
        ]
    }

    /// Blocks that are not EMSA-PKCS1-v1_5 (RFC 8017, 9.2), signed with the right private key.
    private static func blocks(_ fixtures: ReceiptFixtures) throws(MintingError) -> [Row] {
        let digest = try HashFunction.sha256.digest(Receipts.small.der)
        let info = DER.sequence(HashFunction.sha256.der, DER.octetString(digest))
        let sha512 = DER.sequence(HashFunction.sha512.der, DER.octetString(digest))
        let sha1 = DER.sequence(HashFunction.sha1.der, DER.octetString(Array(digest.prefix(20))))
        let octets = DER.sequence(
            DER.sequence(
                DER.objectIdentifier(HashFunction.sha256.objectIdentifier), DER.octetString(digest)),
            DER.octetString(digest))
        let garbage = { (count: Int) in [UInt8](repeating: 0xA5, count: count) }
        let length = 256
        let good = padded(info, to: length)
        var marked = good
        marked[100] = 0xFE
        let forms: [(String, [UInt8], String)] = [
            (
                "block-garbage-behind",
                [0, 1] + [UInt8](repeating: 0xFF, count: 8) + [0] + info
                    + garbage(length - 11 - info.count),
                "Eight bytes of padding, and garbage behind the hash."
            ),
            (
                "block-garbage-byte", padded(info + [0], to: length), "A byte behind the DigestInfo."
            ),
            (
                "block-garbage-within", padded(DER.sequence(DER.contents(info), garbage(60)), to: length),
                "Garbage within the DigestInfo."
            ),
            (
                "block-garbage-parameters", padded(octets, to: length),
                "Garbage for parameters of the algorithm."
            ),
            ("block-sha512", padded(sha512, to: length), "The DigestInfo says SHA-512."),
            ("block-sha1", padded(sha1, to: length), "The DigestInfo says SHA-1."),
            ("block-hash-alone", padded(digest, to: length), "The hash without a DigestInfo."),
            ("block-longer-length", padded(DER.longerLength(info), to: length), "A DigestInfo beyond DER."),
            ("block-type-2", [0, 2] + good.dropFirst(2), "Block type 2, that of encryption."),
            ("block-type-0", [0, 0] + good.dropFirst(2), "Block type 0."),
            ("block-padding", marked, "A byte of padding is not FF."),
            (
                "block-no-separator", good.replacingZero(before: info.count),
                "No zero byte before the DigestInfo."
            ),
            (
                "block-short-padding",
                [0, 1] + [UInt8](repeating: 0, count: length - 2 - info.count - 9)
                    + [UInt8](repeating: 0xFF, count: 8) + [0] + info,
                "Zero bytes among the padding."
            ),
        ]
        var rows: [Row] = []
        for (name, block, why) in forms {
            rows.append((name, try fixtures.pki.leaf.key.signature(ofBlock: block), why))
        }
        return rows
    }

    /// EMSA-PKCS1-v1_5 around these bytes.
    private static func padded(_ bytes: [UInt8], to count: Int) -> [UInt8] {
        [0, 1] + [UInt8](repeating: 0xFF, count: count - 3 - bytes.count) + [0] + bytes
    }

    private static func otherContents(
        _ fixtures: ReceiptFixtures
    ) throws(MintingError) -> [(String, SignedDataTemplate, String)] {
        typealias App = ReceiptAttribute.App
        let template = try fixtures.template()
        let content = Receipts.small.der
        let indefinite = template.with { $0.form = .indefinite(pieceBytes: 50) }
        let sha1 = fixtures.smallMinter.with { $0.hash = .sha1 }
        return [
            (
                "content-changed",
                template.with {
                    $0.content = Receipts.small.setting(App.environment, text: "ProductionSandboy").der
                }, "One letter of the content is another."
            ),
            (
                "content-first-byte", template.with { $0.content = content.flipping(0) },
                "A bit of the first byte: the content is not read before the signature is right."
            ),
            (
                "content-last-byte", template.with { $0.content = content.flipping(content.count - 1) },
                "A bit of the last byte."
            ),
            ("content-longer", template.with { $0.content = content + [0] }, "A byte behind the content."),
            ("content-empty", template.with { $0.content = [] }, "No content."),
            (
                "content-of-other-receipt", template.with { $0.content = Receipts.sandbox.der },
                "Another receipt's content."
            ),
            (
                "content-pieces-swapped",
                indefinite.spoiling(.octets) { octets in
                    // Each piece has a tag and a length of one byte and 50 bytes of content.
                    let (first, second) = (octets[2..<54], octets[54..<106])
                    return [0x24, 0x80] + second + first + octets.dropFirst(106)
                }, "Two pieces of the content are swapped."
            ),
            (
                "content-piece-missing",
                indefinite.spoiling(.octets) { [0x24, 0x80] + $0.dropFirst(54) },
                "The first piece of the content is missing."
            ),
            (
                "sha1", try sha1.signedData(content),
                "Rightly signed with SHA-1, which is borne under Apple's own root alone."
            ),
        ]
    }
}

extension [UInt8] {
    /// A copy in which the byte before the last `count` bytes is FF.
    fileprivate func replacingZero(before count: Int) -> [UInt8] {
        var bytes = self
        bytes[bytes.count - count - 1] = 0xFF
        return bytes
    }
}
