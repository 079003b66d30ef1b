// ECDSA verification on P-256 with vector instructions: eight signatures to a vector with AVX-512 IFMA, four
// with AVX2 and FMA. It is C because Swift has no access to these instructions. Its Swift caller does the
// rest: it makes the tables, and decides the signatures that this code leaves undecided. All inputs are
// public, so the code need not run in constant time.
#ifndef STOREKIT_VERIFY_P256_VECTOR_H
#define STOREKIT_VERIFY_P256_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The instruction sets that have a kernel.
enum p256_vector_instructions {
    /// AVX-512 F, BW, DQ, VL, IFMA and VBMI2: Intel since Ice Lake (servers), AMD since Zen 4.
    P256_VECTOR_AVX512 = 1,
    /// AVX2, FMA3, BMI1 and BMI2: Intel since Haswell, AMD since Excavator.
    P256_VECTOR_AVX2 = 2
};

/// Whether this CPU and its operating system can run the kernel. Always false on CPUs other than x86-64.
bool p256_vector_is_supported(enum p256_vector_instructions instructions);

/// The table of the generator G, and the window widths of that table and of every key's table.
///
/// A table with windows of w bits, 5 <= w <= 16, has k = ceil(256 / w) windows of 2^(w-1) points each. Entry
/// j of window i is the affine point (2j + 1) * 2^(w*i) * P, and starts at word 8 * (i * 2^(w-1) + j). It
/// holds x, then y. Each is four 64-bit limbs, least significant first, with the coordinate times 2^260 mod
/// p, fully reduced. Tables are aligned to 64 bytes.
struct p256_vector_tables {
    const uint64_t *generator;
    unsigned generator_bits;
    unsigned key_bits;
};

/// Bytes of scratch memory, aligned to 64 bytes, that a level of a table needs.
size_t p256_vector_level_scratch_bytes(enum p256_vector_instructions instructions);

/// Makes a level of a table, on a CPU that supports the instructions: in each window the first `present` entries, a
/// multiple of 8, plus the window's step, behind those entries.
///
/// - table: its memory, with `entries` entries for each window.
/// - steps: one point for each window, in the form of an entry, aligned to 64 bytes.
///
/// Returns false if a step has the abscissa of an entry; the level is then incomplete.
bool p256_vector_add_level(enum p256_vector_instructions instructions, uint64_t *table, unsigned windows,
                           unsigned entries, unsigned present, const uint64_t *steps, void *scratch);

/// The result for a signature. A few are undecided, because the fast formulas cannot judge them: the caller
/// does.
enum { P256_VECTOR_INVALID = 0, P256_VECTOR_VALID = 1, P256_VECTOR_UNDECIDED = 2 };

/// Bytes of scratch memory, aligned to 64 bytes, that verifying `count` signatures needs. A larger count
/// never needs less.
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
