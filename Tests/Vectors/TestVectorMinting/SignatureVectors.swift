import Minting
import TestMinting

/// `invalid/04-signature`: values that are not this key's signature of this header and payload.
enum SignatureVectors {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        var file = VectorFile("invalid/04-signature", "Signatures that are not right")
        let minter = fixtures.smallMinter
        let good = try minter.segments(payload: Payloads.smallTransaction.bytes)
        let signature = try minter.key.signature(of: good.signingInput)
        for (name, bytes, why) in rawForms(signature) {
            var segments = good
            segments.signature = Base64.urlEncoded(bytes)
            file.rejected(name, .invalidSignature, segments.compact, why)
        }
        for (name, bytes, why) in try otherMessages(minter.key, good) {
            var segments = good
            segments.signature = Base64.urlEncoded(bytes)
            file.rejected(name, .invalidSignature, segments.compact, why)
        }
        try swaps(fixtures, good, &file)
        return [file]
    }

    /// The order n of P-256 (SEC 2, 2.4.2).
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    private static func rawForms(_ signature: ECDSASignature) -> [(String, [UInt8], String)] {
        let (r, s, raw) = (signature.r, signature.s, signature.raw)
        let zero = [UInt8](repeating: 0, count: 32)
        let one = [UInt8](repeating: 0, count: 31) + [1]
        let ones = [UInt8](repeating: 0xFF, count: 32)
        var below = order
        below[31] -= 1
        var above = order
        above[31] += 1
        var rows: [(String, [UInt8], String)] = [
            ("empty", [], "No bytes."), ("63-bytes", raw.dropLast(), "A byte too few."),
            ("65-bytes", raw + [0], "A zero byte too many."),
            ("65-bytes-front", [0] + raw, "A zero byte in front."),
            ("32-bytes", r, "r alone."), ("128-bytes", raw + raw, "Twice."),
            (
                "96-bytes", [UInt8](repeating: 0, count: 16) + r + [UInt8](repeating: 0, count: 16) + s,
                "As wide as ES384."
            ),
            ("der", signature.der, "In DER, as certificates have it."),
            ("zero", zero + zero, "r and s are zero, which a careless verifier accepts for any payload."),
            ("r-zero", zero + s, "r is zero."), ("s-zero", r + zero, "s is zero."),
            ("r-order", order + s, "r is n."), ("s-order", r + order, "s is n."),
            ("both-order", order + order, "Both are n."), ("r-above-order", above + s, "r is n + 1."),
            ("s-above-order", r + above, "s is n + 1."), ("r-below-order", below + s, "r is n - 1."),
            ("s-below-order", r + below, "s is n - 1."), ("ones", ones + ones, "All bits set."),
            ("one-one", one + one, "r and s are one."), ("swapped", s + r, "r and s are swapped."),
            ("little-endian", r.reversed() + s.reversed(), "Least significant byte first."),
            ("r-negated", subtracted(r) + s, "n - r; only s may be negated."),
            ("r-twice", r + r, "s is r."),
        ]
        for bit in [0, 7, 8, 100, 255, 256, 257, 400, 511] {
            var flipped = raw
            flipped[bit / 8] ^= 0x80 >> (bit % 8)
            rows.append(("bit-\(bit)", flipped, "Bit \(bit) is flipped."))
        }
        return rows
    }

    /// n - x, for 0 < x < n.
    private static func subtracted(_ x: [UInt8]) -> [UInt8] {
        var borrow = 0
        var output = [UInt8](repeating: 0, count: 32)
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(x[index]) - borrow
            borrow = difference < 0 ? 1 : 0
            output[index] = UInt8(truncatingIfNeeded: difference)
        }
        return output
    }

    /// Correct signatures by the right key, but of other messages.
    private static func otherMessages(
        _ key: TestKey, _ good: TokenSegments
    ) throws(MintingError) -> [(String, [UInt8], String)] {
        let payload = Payloads.smallTransaction.bytes
        let input = good.signingInput
        let digest = try HashFunction.sha256.digest(input)
        let secp256k1 = try TestKey("another curve", on: .secp256k1)
        return [
            ("of-payload-only", try key.signature(of: payload).raw, "A signature of the payload alone."),
            (
                "of-payload-segment", try key.signature(of: Array(good.payload.utf8)).raw,
                "Of the payload segment alone."
            ),
            (
                "of-header-only", try key.signature(of: Array(good.header.utf8)).raw,
                "Of the header segment alone."
            ),
            ("of-trailing-dot", try key.signature(of: input + [0x2E]).raw, "With the second full stop."),
            ("of-sha384", try key.signature(of: input, hash: .sha384).raw, "With SHA-384."),
            ("of-sha512", try key.signature(of: input, hash: .sha512).raw, "With SHA-512."),
            ("of-digest", try key.signature(of: digest).raw, "Hashed twice."),
            ("of-nothing", try key.signature(of: []).raw, "Of nothing."),
            ("on-secp256k1", try secp256k1.signature(of: input).raw, "By a key on another curve."),
            ("by-stranger", try TestKey("stranger").signature(of: input).raw, "By another key."),
        ]
    }

    private static func swaps(
        _ fixtures: Fixtures, _ good: TokenSegments, _ file: inout VectorFile
    ) throws(MintingError) {
        let minter = fixtures.smallMinter
        let changed = Payloads.smallTransaction.setting("productId", "com.example.garden.everything")
        var other = good
        other.payload = Base64.urlEncoded(changed.bytes)
        file.rejected(
            "other-payload", .invalidSignature, other.compact, "Another payload under the signature.")
        other.payload = Base64.urlEncoded(Array((Payloads.smallTransaction.text + " ").utf8))
        file.rejected("longer-payload", .invalidSignature, other.compact, "A space behind the payload.")
        other = good
        other.signature = try minter.segments(payload: changed.bytes).signature
        file.rejected("other-signature", .invalidSignature, other.compact, "Another token's signature.")
        let older = try fixtures.p256.minter(leaf: 1)
        other = good
        other.signature = try older.segments(payload: Payloads.smallTransaction.bytes).signature
        file.rejected(
            "older-leaf", .invalidSignature, other.compact, "The signature of another leaf's token.")
        let impostor = TokenMinter(key: older.key, header: minter.header)
        try file.rejected(
            "older-key", .invalidSignature, impostor.token(payload: Payloads.smallTransaction.text),
            "Signed by another leaf's key under this leaf's header.")
        let spaced = TokenMinter(key: minter.key, header: minter.header + [0x20])
        other = try spaced.segments(payload: Payloads.smallTransaction.bytes)
        other.header = good.header
        file.rejected("other-header", .invalidSignature, other.compact, "Signed under another header.")
        var garbage = good
        garbage.payload = Base64.urlEncoded(Array("null".utf8))
        file.rejected(
            "before-payload", .invalidSignature, garbage.compact,
            "The payload is not read before the signature is right.")
    }
}
