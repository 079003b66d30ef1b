import Minting
import TestMinting

/// `valid/signatures`: high and low s, and halves with leading zero bytes.
enum ValidSignatures {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        var file = VectorFile("valid/signatures", "Signatures of every legal form")
        for (name, form, why) in [
            ("low-s", ECDSASignature.SForm.low, "s at most half the order."),
            ("high-s", .high, "s above half the order is legal: half of Apple's own signatures have it."),
        ] {
            let token = try fixtures.smallMinter.token(payload: Payloads.smallTransaction.text, form)
            file.verified(name, .transaction, token, why)
        }
        let zeros: [(String, String, (ECDSASignature) -> Bool)] = [
            ("r-zero-byte", "r begins with a zero byte.", { $0.r[0] == 0 }),
            ("s-zero-byte", "s begins with a zero byte.", { $0.s[0] == 0 }),
            ("r-small-sign-bit", "r would need a zero byte in DER.", { $0.r[0] >= 0x80 && $0.s[0] < 0x80 }),
            ("s-high-sign-bit", "s would need a zero byte in DER.", { $0.r[0] < 0x80 && $0.s[0] >= 0x80 }),
            (
                "r-nine-zero-bits", "r begins with a zero byte and a zero bit.",
                { $0.r[0] == 0 && $0.r[1] < 0x80 }
            ),
        ]
        for (name, why, wanted) in zeros {
            try file.verified(name, .transaction, searched(fixtures.smallMinter, wanted), why)
        }
        return [file]
    }

    private static func searched(
        _ minter: TokenMinter, _ wanted: (ECDSASignature) -> Bool
    ) throws(MintingError) -> String {
        var segments = try minter.segments(payload: Payloads.smallTransaction.bytes)
        let signature = try DeterministicECDSA(curve: .p256, hash: .sha256)
            .firstSignature(message: segments.signingInput, scalar: minter.key.scalar, where: wanted)
        segments.signature = Base64.urlEncoded(signature.raw)
        return segments.compact
    }
}
