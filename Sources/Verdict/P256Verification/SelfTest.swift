/// Asks a vector kernel for what is known already, before any verdict depends on it.
///
/// A processor may claim instructions that it does not execute correctly. Valgrind ignores the rounding mode
/// that the AVX2 kernel sets, so that this kernel refuses genuine signatures there. Emulators and virtual
/// machines may have other faults. A kernel that fails is not used: `P256Verifier.Arithmetic.available`.
package enum SelfTest {
    /// Whether a kernel makes the right table, and gives the right verdict in every lane. It takes less than a millisecond.
    ///
    /// The batches are verified in both forms of the kernels. In each, good and bad signatures alternate from
    /// lane to lane, and then the other way round.
    ///
    /// - Parameters:
    ///   - arithmetic: one whose instructions the processor claims to have.
    ///   - readTable: what becomes of the words of a table that the kernel made. Tests plant faults here.
    ///   - readVerdicts: what becomes of a batch's verdicts. Tests plant faults here.
    package static func isPassed(
        by arithmetic: P256Verifier.Arithmetic, readTable: ([UInt64]) -> [UInt64] = { $0 },
        readVerdicts: ([Bool]) -> [Bool] = { $0 }
    ) -> Bool {
        guard let key = P256PublicKey(uncompressedPoint: KnownSignature.key.span) else { return false }
        let table = P256KeyTable(key, windowBits: windowBits, arithmetic: .portable)
        let made = P256KeyTable(key, windowBits: windowBits, arithmetic: arithmetic)
        guard readTable(made.content) == table.content else { return false }
        // The kernel can make tables, so it makes this one too.
        let generator = P256KeyTable(.generator, windowBits: windowBits, arithmetic: arithmetic)
        let verifier = P256Verifier(arithmetic: arithmetic, generator: generator)
        let sizes = batchSizes(for: arithmetic)
        var batch = P256Batch(capacity: sizes.max() ?? 1)
        for size in sizes {
            for parity in 0..<2 {
                let expected = (0..<size).map { $0 % 2 == parity }
                batch.removeAll()
                for (index, isGood) in expected.enumerated() {
                    let (signed, other) = KnownSignature.pair(swapped: index / 2 % 2 == 1)
                    batch.append(
                        signature: signed.signature.span,
                        digest: isGood ? signed.digest.span : other.digest.span, key: table)
                }
                verifier.verify(&batch)
                var verdicts: [Bool] = []
                for index in 0..<size { verdicts.append(batch.isValid(at: index)) }
                guard readVerdicts(verdicts) == expected else { return false }
            }
        }
        return true
    }

    /// The narrowest tables take the least time to make. Half of their points are made by the kernel.
    private static let windowBits = 5

    /// The numbers of signatures in a batch. The kernels sum small batches in Jacobian form and larger ones
    /// in affine form: from five signatures on with AVX2, from 25 on with AVX-512. All lanes are filled.
    package static func batchSizes(for arithmetic: P256Verifier.Arithmetic) -> [Int] {
        arithmetic == .avx512 ? [8, 32] : [4, 8]
    }
}

/// Signatures of the same key over two messages: RFC 6979, appendix A.2.5, with SHA-256. Each is a bad one
/// over the other's digest.
private struct KnownSignature {
    /// `r || s`.
    let signature: [UInt8]
    /// The message's SHA-256.
    let digest: [UInt8]

    /// The key, as an uncompressed point.
    static let key =
        [4]
        + bytes(0x60fe_d4ba_255a_9d31, 0xc961_eb74_c635_6d68, 0xc049_b892_3b61_fa6c, 0xe669_622e_60f2_9fb6)
        + bytes(0x7903_fe10_08b8_bc99, 0xa41a_e9e9_5628_bc64, 0xf2f1_b20c_2d7e_9f51, 0x77a3_c294_d446_2299)

    /// Over the message "sample".
    private static let sample = KnownSignature(
        signature: bytes(
            0xefd4_8b2a_acb6_a8fd, 0x1140_dd9c_d45e_81d6, 0x9d2c_877b_56aa_f991, 0xc34d_0ea8_4eaf_3716)
            + bytes(
                0xf7cb_1c94_2d65_7c41, 0xd436_c7a1_b6e2_9f65, 0xf3e9_00db_b9af_f406, 0x4dc4_ab2f_843a_cda8),
        digest: bytes(
            0xaf2b_dbe1_aa9b_6ec1, 0xe2ad_e1d6_94f4_1fc7, 0x1a83_1d02_68e9_8915, 0x6211_3d8a_62ad_d1bf))
    /// Over the message "test".
    private static let test = KnownSignature(
        signature: bytes(
            0xf1ab_b023_5183_51cd, 0x71d8_8156_7b1e_a663, 0xed3e_fcf6_c513_2b35, 0x4f28_d3b0_b7d3_8367)
            + bytes(
                0x019f_4113_742a_2b14, 0xbd25_926b_49c6_4915, 0x5f26_7e60_d381_4b4c, 0x0cc8_4250_e46f_0083),
        digest: bytes(
            0x9f86_d081_884c_7d65, 0x9a2f_eaa0_c55a_d015, 0xa3bf_4f1b_2b0b_822c, 0xd15d_6c15_b0f0_0a08))

    static func pair(swapped: Bool) -> (KnownSignature, other: KnownSignature) {
        swapped ? (test, sample) : (sample, test)
    }

    /// The bytes of words, the most significant first.
    private static func bytes(_ words: UInt64...) -> [UInt8] {
        words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    }
}
