// The kernel's entry: scalars and digits, the batch's shape, verdicts. See p256_vector.h for what it
// promises.
#include "p256_vector.h"

// Clang only: its pragma gives every function of the kernel the instruction set, and no compiler flag is
// needed. P256_VECTOR_EMULATED runs the same code on any CPU, for tests (see emulation/immintrin.h), and
// P256_VECTOR_DISABLED leaves it out.
#if defined(P256_VECTOR_EMULATED) || \
    (defined(__x86_64__) && defined(__clang__) && !defined(P256_VECTOR_DISABLED))

#include <immintrin.h>

#ifdef P256_VECTOR_EMULATED
bool p256_vector_is_supported(void) { return true; }
#else
bool p256_vector_is_supported(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vbmi2");
}

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,avx512vbmi2"))), apply_to = function)
#endif

#include "sums.h"

/// Signatures that share their inversions. The working set of 64 groups with four accumulators each, 500 kB,
/// fits a second-level cache of 1 MB or more; larger batches gain nothing.
#define BLOCK_GROUPS 64

/// Fewer groups than this are summed in Jacobian form: an inversion, some 1.5 us, is too much for so few
/// additions.
#define BATCH_GROUPS 4

/// Groups from which four accumulators are as good as eight: there are enough additions to share an
/// inversion.
#define FOUR_ACCUMULATOR_GROUPS 32
#define MAXIMAL_SUMS (4 * BLOCK_GROUPS)

static unsigned window_count(unsigned bits) { return (256 + bits - 1) / bits; }

/// Groups for so many signatures of a block, an even number as the batch form needs it.
static size_t padded_groups(size_t count)
{
    const size_t groups = (count + 15) / 16 * 2;
    return groups < BLOCK_GROUPS ? groups : BLOCK_GROUPS;
}

size_t p256_vector_scratch_bytes(size_t count)
{
    const size_t groups = padded_groups(count);
    const size_t sums = 8 * groups < MAXIMAL_SUMS ? 8 * groups : MAXIMAL_SUMS;
    return groups * sizeof(group) + sums * (sizeof(lane_pair) + sizeof(addition));
}

// MARK: Scalars

/// Loads eight signatures, from `first`, and their digests; the last one again and again beyond the end.
static void load_group(group *g, size_t first, size_t count, const uint64_t *const *keys,
                       const uint8_t *digests, const uint8_t *signatures)
{
    // Big-endian numbers of 32 bytes as little-endian words: bytes reversed within words, words within
    // halves.
    const __m128i reversed = _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
    const __m512i bytes = _mm512_broadcast_i32x4(reversed);
    const __m512i words = _mm512_setr_epi64(3, 2, 1, 0, 7, 6, 5, 4);
    __m512i signature[8], digest[8];
    uint64_t key[8];
    for (size_t lane = 0; lane < 8; lane++) {
        const size_t index = first + lane < count ? first + lane : count - 1;
        const __m256i e = _mm256_loadu_si256((const __m256i *)(digests + 32 * index));
        signature[lane] = _mm512_loadu_si512(signatures + 64 * index);
        signature[lane] = _mm512_permutexvar_epi64(words, _mm512_shuffle_epi8(signature[lane], bytes));
        digest[lane] = _mm512_permutexvar_epi64(words, _mm512_shuffle_epi8(_mm512_zextsi256_si512(e), bytes));
        key[lane] = (uint64_t)keys[index];
    }
    const lane_pair rs = from_rows(signature);
    const constant zero = {{0}};
    const __mmask8 in_range = less_lanes(rs.x, order) & less_lanes(rs.y, order);
    g->rejected = (__mmask8)(~in_range | equal_lanes(rs.x, zero) | equal_lanes(rs.y, zero));
    g->ambiguous = less_lanes(rs.x, prime_minus_order);
    g->undecided = 0;
    g->r = rs.x;
    g->s = choose(g->rejected, rs.y, from_constant(unit)); // keeps the product of all s invertible
    g->digest = from_rows(digest).x;
    g->keys = _mm512_loadu_si512(key);
}

/// u in [0, n) from the product of two factors modulo n.
LANES_INLINE lanes order_residue(lanes a, lanes b)
{
    const lanes u = order_product(a, b); // below 2^512 / 2^260 + n < 2n
    const lanes less = carried(subtract(u, from_constant(order)));
    return choose(less_lanes(u, order), less, u);
}

/// Writes u, in [0, n), as a sum of d_i 2^(w i) with odd digits |d_i| < 2^w (Joye and Tunstall, "Exponent
/// recoding and regular exponentiation algorithms", 2009): no digit is zero.
///
/// An even u is replaced by n - u, which is odd, and all signs are flipped; 0 becomes n, whose sum meets an
/// exceptional addition or is infinity correctly left out. With v = (u - 1) / 2 + 2^(w k - 1) and v_i its
/// digits to the base 2^w, d_i = 2 v_i - (2^w - 1), because the constants add up to 2^(w k) - 1. So d_i is
/// negative where bit w - 1 of v_i is clear, and the entry of |d_i| = 2j + 1 is j = v_i or its complement,
/// without that bit.
static void write_digits(uint32_t (*digits)[8], lanes u, unsigned bits)
{
    const unsigned windows = window_count(bits), top = windows * bits - 1; // 255 <= top < 271
    const __m512i one = every_lane(1), sign = every_lane(1ULL << (bits - 1));
    const __mmask8 flipped = _mm512_testn_epi64_mask(u.limb[0], one);
    u = choose(flipped, u, carried(subtract(from_constant(order), u)));

    __m512i v[7]; // u / 2 < 2^255, so that bit `top` is clear before it is set
    for (int i = 0; i < 5; i++) {
        v[i] = _mm512_srli_epi64(u.limb[i], 1);
        if (i < 4) v[i] = _mm512_or_si512(v[i], _mm512_slli_epi64(_mm512_and_si512(u.limb[i + 1], one), 51));
    }
    v[5] = v[6] = _mm512_setzero_si512();
    v[top / 52] = _mm512_or_si512(v[top / 52], every_lane(1ULL << (top % 52)));

    for (unsigned i = 0; i < windows; i++) {
        const unsigned limb = bits * i / 52, shift = bits * i % 52;
        const __m512i low = _mm512_srl_epi64(v[limb], _mm_cvtsi32_si128((int)shift));
        const __m512i high = _mm512_sll_epi64(v[limb + 1], _mm_cvtsi32_si128((int)(52 - shift)));
        const __m512i digit = _mm512_or_si512(low, high);
        const __mmask8 negative = _mm512_testn_epi64_mask(digit, sign);
        __m512i entry = _mm512_mask_xor_epi64(digit, negative, digit, every_lane(~0ULL));
        entry = _mm512_and_si512(entry, every_lane((1ULL << (bits - 1)) - 1));
        entry = _mm512_add_epi64(entry, every_lane((uint64_t)i << (bits - 1)));
        entry = _mm512_slli_epi64(entry, 6); // below 2^25: 64 bytes, 2^15 points, 16 windows
        entry = _mm512_mask_or_epi64(entry, negative ^ flipped, entry, one);
        _mm256_store_si256((__m256i *)digits[i], _mm512_cvtepi64_epi32(entry));
    }
}

/// u1 = digest / s and u2 = r / s mod n, as digits, with one inversion for all groups.
static void prepare_scalars(const struct p256_vector_tables *tables, group *groups, size_t group_count)
{
    lanes chain = from_constant(unit);
    for (size_t g = 0; g < group_count; g++) {
        groups[g].prefix = chain;
        chain = order_product(chain, groups[g].s);
    }
    // No s is 0 mod n. What comes back is 2^260 / s, as the factor 1 / s of a Montgomery product.
    invert_lanes(&chain, &order_modulus);
    for (size_t g = group_count; g-- > 0;) {
        const lanes inverse = order_product(chain, groups[g].prefix);
        chain = order_product(chain, groups[g].s);
        uint32_t (*digits)[8] = groups[g].digits;
        write_digits(digits, order_residue(groups[g].digest, inverse), tables->generator_bits);
        write_digits(digits + window_count(tables->generator_bits), order_residue(groups[g].r, inverse),
                     tables->key_bits);
    }
}

// MARK: Verifying

static uint8_t verdict(const group *g, size_t lane)
{
    if (g->rejected >> lane & 1) return P256_VECTOR_INVALID;
    if (g->undecided >> lane & 1) return P256_VECTOR_UNDECIDED;
    if (g->accepted >> lane & 1) return P256_VECTOR_VALID;
    return g->ambiguous >> lane & 1 ? P256_VECTOR_UNDECIDED : P256_VECTOR_INVALID;
}

/// Sums and compares `group_count` groups; `memory` is for those and one more, if their number is odd.
static void judge(const window_tables *tables, group *groups, unsigned group_count, void *memory)
{
    if (group_count < BATCH_GROUPS) {
        for (unsigned g = 0; g + 1 < group_count; g += 2) judge_jacobian(tables, &groups[g], 2);
        if (group_count % 2 != 0) judge_jacobian(tables, &groups[group_count - 1], 1);
        return;
    }
    const unsigned accumulators = group_count < FOUR_ACCUMULATOR_GROUPS ? 8 : 4;
    lane_pair *sums = memory;
    judge_batch(&(batch){
        .tables = tables,
        .groups = groups,
        .group_count = group_count,
        .accumulators = accumulators,
        .sums = sums,
        .additions = (addition *)(sums + accumulators * group_count),
    });
}

void p256_vector_verify(const struct p256_vector_tables *tables, size_t count, const uint64_t *const *keys,
                        const uint8_t *digests, const uint8_t *signatures, uint8_t *verdicts, void *scratch)
{
    const unsigned generator_windows = window_count(tables->generator_bits);
    const window_tables windows = {
        tables->generator, generator_windows, generator_windows + window_count(tables->key_bits)};
    group *groups = scratch;
    size_t first = 0;
    // Blocks of nearly the same size: a small last one would pay for its inversions alone.
    for (size_t blocks = (count + 8 * BLOCK_GROUPS - 1) / (8 * BLOCK_GROUPS); blocks > 0; blocks--) {
        const size_t share = ((count - first) / blocks + 15) / 16 * 16;
        const size_t size = blocks > 1 ? share : count - first;
        size_t group_count = (size + 7) / 8;
        if (group_count >= BATCH_GROUPS) group_count += group_count % 2;
        for (size_t g = 0; g < group_count; g++)
            load_group(&groups[g], first + 8 * g, first + size, keys, digests, signatures);
        prepare_scalars(tables, groups, group_count);
        judge(&windows, groups, (unsigned)group_count, groups + padded_groups(size));
        for (size_t i = 0; i < size; i++) verdicts[first + i] = verdict(&groups[i / 8], i % 8);
        first += size;
    }
}

#ifndef P256_VECTOR_EMULATED
#pragma clang attribute pop
#endif

#else // Never called: the caller asks p256_vector_is_supported first.

bool p256_vector_is_supported(void) { return false; }

size_t p256_vector_scratch_bytes(size_t count)
{
    (void)count;
    return 64;
}

void p256_vector_verify(const struct p256_vector_tables *tables, size_t count, const uint64_t *const *keys,
                        const uint8_t *digests, const uint8_t *signatures, uint8_t *verdicts, void *scratch)
{
    (void)tables, (void)keys, (void)digests, (void)signatures, (void)scratch;
    for (size_t i = 0; i < count; i++) verdicts[i] = P256_VECTOR_UNDECIDED;
}

#endif
