// ECDSA verification on P-256 by vector instructions: eight signatures to a vector by AVX-512 IFMA, four by AVX2 and
// FMA. C because Swift reaches none of these instructions; everything it needs besides (tables, verdicts on undecided
// signatures) is done by its Swift caller. All of its inputs are public, so nothing here takes care to run in
// constant time.
#ifndef STOREKIT_VERIFY_P256_VECTOR_H
#define STOREKIT_VERIFY_P256_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The instruction sets that there is a kernel for.
enum p256_vector_instructions {
    /// AVX-512 F, BW, DQ, VL, IFMA and VBMI2: Intel since Ice Lake (servers), AMD since Zen 4.
    P256_VECTOR_AVX512 = 1,
    /// AVX2, FMA3, BMI1 and BMI2: Intel since Haswell, AMD since Excavator.
    P256_VECTOR_AVX2 = 2
};

/// Whether this CPU and its operating system run the kernel. False on everything but x86-64.
bool p256_vector_is_supported(enum p256_vector_instructions instructions);

/// The table of the generator G, and the widths of the windows of that table and of every key's.
///
/// A table with windows of w bits, 5 <= w <= 16, has k = ceil(256 / w) windows of 2^(w-1) points each. Entry
/// j of window i, at 8 * (i * 2^(w-1) + j) words, is the affine point (2j + 1) * 2^(w*i) * P: x, then y, each
/// four 64-bit limbs, least significant first, holding the coordinate times 2^260 mod p, fully reduced.
/// Tables are aligned to 64 bytes.
struct p256_vector_tables {
    const uint64_t *generator;
    unsigned generator_bits;
    unsigned key_bits;
};

/// What is known of a signature. Undecided are the few that the fast formulas cannot judge: the caller does.
enum { P256_VECTOR_INVALID = 0, P256_VECTOR_VALID = 1, P256_VECTOR_UNDECIDED = 2 };

/// Bytes of scratch memory, aligned to 64 bytes, that verifying `count` signatures needs. Never less for a
/// larger count.
size_t p256_vector_scratch_bytes(enum p256_vector_instructions instructions, size_t count);

/// Verifies `count` signatures, 1 to 1024, on a CPU that supports the instructions.
///
/// - keys: each signature's key table.
/// - digests: 32 bytes each, big endian, contiguous; any 256-bit value.
/// - signatures: 64 bytes each, r || s, big endian, contiguous; any value.
/// - verdicts: one byte each, of the enumeration above.
void p256_vector_verify(enum p256_vector_instructions instructions, const struct p256_vector_tables *tables,
                        size_t count, const uint64_t *const *keys, const uint8_t *digests,
                        const uint8_t *signatures, uint8_t *verdicts, void *scratch);

#endif
