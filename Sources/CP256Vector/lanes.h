// Eight integers at a time, modulo the field prime p or the group order n of P-256 (SEC 2, secp256r1).
//
// Limb i of lane j is the j-th 64-bit word of `limb[i]` and weighs 2^(52i), the radix of AVX-512 IFMA.
// Between operations limbs are signed and may exceed 52 bits; a value is what they sum to. IFMA reads the low
// 52 bits of its factors and drops the rest, so a factor must be *carried*: every limb in [0, 2^52), hence a
// value in [0, 2^260). Residues are in Montgomery's form with R = 2^260 unless a comment says "plain".
#ifndef STOREKIT_VERIFY_P256_LANES_H
#define STOREKIT_VERIFY_P256_LANES_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#define LANES_INLINE static inline __attribute__((always_inline, unused))

typedef struct {
    __m512i limb[5];
} lanes;

/// A number that all lanes share, in the same radix.
typedef struct {
    uint64_t limb[5];
} constant;

#define LIMB_MASK 0xfffffffffffffULL

static const constant unit = {{1, 0, 0, 0, 0}};
static const constant field_prime = {{0xfffffffffffff, 0x00fffffffffff, 0, 0x0001000000000, 0x0ffffffff0000}};
static const constant field_one = {
    {0x10, 0xf000000000000, 0xfffffffffffff, 0xffeffffffffff, 0x00000000fffff}};
static const constant field_r2 = {
    {0x300, 0xffffffff00000, 0xffffefffffffb, 0xfdfffffffffff, 0x0000004ffffff}};
static const constant field_r3 = {
    {0xfd0000000a000, 0xffffff7ffffff, 0xfffcffffffedf, 0x100000005ffff, 0x0000180000000}};
static const constant order = {
    {0x9cac2fc632551, 0xada7179e84f3b, 0xfffffffbce6fa, 0x0000fffffffff, 0x0ffffffff0000}};
static const constant order_r2 = {
    {0x5cc0dea6dc3ba, 0x192a067d8a084, 0xbec59615571bb, 0x1fc245b2392b6, 0x0e12d9559d956}};
static const constant prime_minus_order = {{0x6353d039cdaae, 0x5358e8617b0c4, 0x0000000431905, 0, 0}};

// MARK: Sums

LANES_INLINE __m512i every_lane(uint64_t word) { return _mm512_set1_epi64((long long)word); }

LANES_INLINE lanes from_constant(constant c)
{
    lanes r;
    for (int i = 0; i < 5; i++) r.limb[i] = every_lane(c.limb[i]);
    return r;
}

LANES_INLINE lanes add(lanes a, lanes b)
{
    for (int i = 0; i < 5; i++) a.limb[i] = _mm512_add_epi64(a.limb[i], b.limb[i]);
    return a;
}

LANES_INLINE lanes subtract(lanes a, lanes b)
{
    for (int i = 0; i < 5; i++) a.limb[i] = _mm512_sub_epi64(a.limb[i], b.limb[i]);
    return a;
}

/// a + multiple * p. The limbs of p are below 2^52, so those of a small multiple are far from overflow.
LANES_INLINE lanes add_primes(lanes a, uint64_t multiple)
{
    for (int i = 0; i < 5; i++)
        if (field_prime.limb[i] != 0)
            a.limb[i] = _mm512_add_epi64(a.limb[i], every_lane(multiple * field_prime.limb[i]));
    return a;
}

/// -a in the lanes of the mask, a in the others.
LANES_INLINE lanes negate_where(__mmask8 mask, lanes a)
{
    for (int i = 0; i < 5; i++)
        a.limb[i] = _mm512_mask_sub_epi64(a.limb[i], mask, _mm512_setzero_si512(), a.limb[i]);
    return a;
}

/// b in the lanes of the mask, a in the others.
LANES_INLINE lanes choose(__mmask8 mask, lanes a, lanes b)
{
    for (int i = 0; i < 5; i++) a.limb[i] = _mm512_mask_mov_epi64(a.limb[i], mask, b.limb[i]);
    return a;
}

/// The same value, carried, if it is in [0, 2^260). Otherwise all limbs but the top one are in [0, 2^52), and
/// the sign of the top one is the value's.
LANES_INLINE lanes carried(lanes a)
{
    const __m512i mask = every_lane(LIMB_MASK);
    for (int i = 0; i < 4; i++) {
        a.limb[i + 1] = _mm512_add_epi64(a.limb[i + 1], _mm512_srai_epi64(a.limb[i], 52));
        a.limb[i] = _mm512_and_si512(a.limb[i], mask);
    }
    return a;
}

/// a less h * p, where h is what the top limb holds above bit 256: the value is in (-2^229, 2^256 + 2^229)
/// afterwards.
///
/// h * p = h (2^256 - 2^224 + 2^192 + 2^96 - 1). The value must be within 16 p and the lower limbs within
/// 2^62: those weigh less than 2^219, so the top limb is within 16 * 2^48 + 2^11 and |h| <= 17. Of the top
/// limb 48 bits are kept, in [0, 2^256); h * 2^224 and the lower limbs together are within 2^229.
LANES_INLINE lanes folded(lanes a)
{
    const __m512i h = _mm512_srai_epi64(a.limb[4], 48);
    a.limb[4] = _mm512_and_si512(a.limb[4], every_lane((1ULL << 48) - 1));
    a.limb[4] = _mm512_add_epi64(a.limb[4], _mm512_slli_epi64(h, 16));
    a.limb[3] = _mm512_sub_epi64(a.limb[3], _mm512_slli_epi64(h, 36));
    a.limb[1] = _mm512_sub_epi64(a.limb[1], _mm512_slli_epi64(h, 44));
    a.limb[0] = _mm512_add_epi64(a.limb[0], h);
    return a;
}

// MARK: Products

/// Ten columns of a product, column i of weight 2^(52i).
typedef struct {
    __m512i column[10];
} wide;

#ifdef P256_VECTOR_CHECK_BOUNDS
void p256_vector_check_factor(const void *limbs);
#endif

/// In checking builds, stops where a factor is not carried.
LANES_INLINE void check_factor(const lanes *a)
{
#ifdef P256_VECTOR_CHECK_BOUNDS
    p256_vector_check_factor(a);
#else
    (void)a;
#endif
}

/// a * b in columns. The low half of each of the 25 partial products goes to column i + j, the high half
/// above it: at most 5 + 4 terms below 2^52 in a column.
LANES_INLINE wide columns_of_product(const lanes *a, const lanes *b)
{
    wide z;
    check_factor(a);
    check_factor(b);
    for (int i = 0; i < 10; i++) z.column[i] = _mm512_setzero_si512();
#pragma unroll
    for (int i = 0; i < 5; i++) {
#pragma unroll
        for (int j = 0; j < 5; j++) {
            z.column[i + j] = _mm512_madd52lo_epu64(z.column[i + j], a->limb[i], b->limb[j]);
            z.column[i + j + 1] = _mm512_madd52hi_epu64(z.column[i + j + 1], a->limb[i], b->limb[j]);
        }
    }
    return z;
}

/// a * a in columns, the same sums. The columns, not a factor, are doubled: twice a limb would not fit 52
/// bits.
LANES_INLINE wide columns_of_square(const lanes *a)
{
    wide z;
    check_factor(a);
    for (int i = 0; i < 10; i++) z.column[i] = _mm512_setzero_si512();
#pragma unroll
    for (int i = 0; i < 4; i++) {
#pragma unroll
        for (int j = i + 1; j < 5; j++) {
            z.column[i + j] = _mm512_madd52lo_epu64(z.column[i + j], a->limb[i], a->limb[j]);
            z.column[i + j + 1] = _mm512_madd52hi_epu64(z.column[i + j + 1], a->limb[i], a->limb[j]);
        }
    }
#pragma unroll
    for (int i = 1; i < 9; i++) z.column[i] = _mm512_add_epi64(z.column[i], z.column[i]);
#pragma unroll
    for (int i = 0; i < 5; i++) {
        z.column[2 * i] = _mm512_madd52lo_epu64(z.column[2 * i], a->limb[i], a->limb[i]);
        z.column[2 * i + 1] = _mm512_madd52hi_epu64(z.column[2 * i + 1], a->limb[i], a->limb[i]);
    }
    return z;
}

/// z / 2^260 mod p by Montgomery's reduction, a limb at a time (Montgomery 1985).
///
/// p = -1 mod 2^52, so the quotient digit is the column itself, and p = -1 + 2^52 * 2^44 + 2^156 * 2^36 +
/// 2^208 * P4 with P4 = 2^48 - 2^16: adding q * p clears the column and adds to the five above it. IFMA takes
/// the digit's low 52 bits by itself; the bits above are carried first. No column gathers more than 14 terms
/// below 2^52 and one carry below 2^4, so each is below 15 * 2^52 < 2^56. The value is below z / 2^260 + p.
LANES_INLINE lanes reduced_mod_prime(wide z)
{
    const __m512i p1 = every_lane(1ULL << 44), p3 = every_lane(1ULL << 36);
    const __m512i p4 = every_lane(field_prime.limb[4]);
    lanes r;
#pragma unroll
    for (int i = 0; i < 5; i++) {
        const __m512i q = z.column[i];
        // Column 0 is one low half, below 2^52: it has no carry.
        if (i > 0) z.column[i + 1] = _mm512_add_epi64(z.column[i + 1], _mm512_srli_epi64(q, 52));
        z.column[i + 1] = _mm512_madd52lo_epu64(z.column[i + 1], q, p1);
        z.column[i + 2] = _mm512_madd52hi_epu64(z.column[i + 2], q, p1);
        z.column[i + 3] = _mm512_madd52lo_epu64(z.column[i + 3], q, p3);
        z.column[i + 4] = _mm512_madd52hi_epu64(z.column[i + 4], q, p3);
        z.column[i + 4] = _mm512_madd52lo_epu64(z.column[i + 4], q, p4);
        z.column[i + 5] = _mm512_madd52hi_epu64(z.column[i + 5], q, p4);
    }
    for (int i = 0; i < 5; i++) r.limb[i] = z.column[5 + i];
    return r;
}

/// a * b / 2^260 mod p, for carried factors: below a * b / 2^260 + p, limbs in [0, 15 * 2^52), not carried.
/// For a < A p and b < B p that is below (A B / 16 + 1) p, as 2^260 > 16 p.
LANES_INLINE lanes product(lanes a, lanes b) { return reduced_mod_prime(columns_of_product(&a, &b)); }

/// a * a / 2^260 mod p; the same bounds.
LANES_INLINE lanes square(lanes a) { return reduced_mod_prime(columns_of_square(&a)); }

/// A carried `product`.
LANES_INLINE lanes factor_product(lanes a, lanes b) { return carried(product(a, b)); }

/// a * b / 2^260 mod n, carried: below a * b / 2^260 + n, so below 2n for factors below 2^257. The digit is q
/// = column * -n^-1 mod 2^52; a column gathers at most 9 + 10 terms and a carry, well within 64 bits.
LANES_INLINE lanes order_product(lanes a, lanes b)
{
    const __m512i negative_inverse = every_lane(0x1c8aaee00bc4f);
    wide z = columns_of_product(&a, &b);
    lanes r;
#pragma unroll
    for (int i = 0; i < 5; i++) {
        const __m512i q = _mm512_madd52lo_epu64(_mm512_setzero_si512(), z.column[i], negative_inverse);
#pragma unroll
        for (int j = 0; j < 5; j++) {
            const __m512i limb = every_lane(order.limb[j]);
            z.column[i + j] = _mm512_madd52lo_epu64(z.column[i + j], q, limb);
            z.column[i + j + 1] = _mm512_madd52hi_epu64(z.column[i + j + 1], q, limb);
        }
        z.column[i + 1] = _mm512_add_epi64(z.column[i + 1], _mm512_srli_epi64(z.column[i], 52));
    }
    for (int i = 0; i < 5; i++) r.limb[i] = z.column[5 + i];
    return carried(r);
}

// MARK: Comparisons

/// The lanes in which a carried value equals a constant, limb by limb.
LANES_INLINE __mmask8 equal_lanes(lanes a, constant c)
{
    __mmask8 mask = 0xff;
    for (int i = 0; i < 5; i++) mask = _mm512_mask_cmpeq_epi64_mask(mask, a.limb[i], every_lane(c.limb[i]));
    return mask;
}

/// The lanes in which a carried value is below a constant.
LANES_INLINE __mmask8 less_lanes(lanes a, constant c)
{
    const lanes difference = carried(subtract(a, from_constant(c)));
    return _mm512_cmplt_epi64_mask(difference.limb[4], _mm512_setzero_si512());
}

/// The lanes in which a carried value is a multiple of p. Its product by 1 / 2^260 is below 1 + p: a multiple
/// of p is reduced to 0 or to p.
LANES_INLINE __mmask8 zero_lanes(lanes a)
{
    const lanes reduced = factor_product(a, from_constant(unit));
    return (__mmask8)(equal_lanes(reduced, (constant){{0}}) | equal_lanes(reduced, field_prime));
}

// MARK: Loading

/// Two 256-bit numbers to a lane.
typedef struct {
    lanes x, y;
} lane_pair;

/// Four 64-bit limbs as five of 52 bits: carried, below 2^256.
LANES_INLINE lanes from_words(const __m512i word[4])
{
    const __m512i mask = every_lane(LIMB_MASK);
    return (lanes){{
        _mm512_and_si512(word[0], mask),
        _mm512_and_si512(_mm512_shrdi_epi64(word[0], word[1], 52), mask),
        _mm512_and_si512(_mm512_shrdi_epi64(word[1], word[2], 40), mask),
        _mm512_and_si512(_mm512_shrdi_epi64(word[2], word[3], 28), mask),
        _mm512_srli_epi64(word[3], 16),
    }};
}

/// Words 0-3 of row j are the number x of lane j, words 4-7 its y: an 8 x 8 transposition, first within pairs
/// of rows, then of 128-bit blocks, each shuffle of which keeps two blocks from either side.
LANES_INLINE lane_pair from_rows(const __m512i row[8])
{
    __m512i word[8];
#pragma unroll
    for (int odd = 0; odd < 2; odd++) {
        __m512i pair[4];
        for (int i = 0; i < 4; i++)
            pair[i] = odd ? _mm512_unpackhi_epi64(row[2 * i], row[2 * i + 1])
                          : _mm512_unpacklo_epi64(row[2 * i], row[2 * i + 1]);
        const __m512i x_low = _mm512_shuffle_i64x2(pair[0], pair[1], 0x44);
        const __m512i x_high = _mm512_shuffle_i64x2(pair[2], pair[3], 0x44);
        const __m512i y_low = _mm512_shuffle_i64x2(pair[0], pair[1], 0xee);
        const __m512i y_high = _mm512_shuffle_i64x2(pair[2], pair[3], 0xee);
        word[odd] = _mm512_shuffle_i64x2(x_low, x_high, 0x88);
        word[odd + 2] = _mm512_shuffle_i64x2(x_low, x_high, 0xdd);
        word[odd + 4] = _mm512_shuffle_i64x2(y_low, y_high, 0x88);
        word[odd + 6] = _mm512_shuffle_i64x2(y_low, y_high, 0xdd);
    }
    return (lane_pair){from_words(word), from_words(word + 4)};
}

#endif
