// Vectors of four 64-bit words, with AVX2 and FMA, for the many x86-64 processors without AVX-512 IFMA.
// words_avx512.h has the same names.
//
// These processors multiply integers of only 32 bits, but floating-point numbers of 53. Two fused
// multiply-adds give the whole product of two 52-bit integers. The first adds a constant whose last place is
// 2^52, which leaves the product's high half. The second subtracts that half, which leaves the low one. Sums
// add the bits of both halves as they are, and the part that the exponents contribute is subtracted once.
// Source: Emmart, Zheng, Weems, "Faster modular exponentiation using double precision floating point
// arithmetic on the GPU", ARITH 2018.
#ifndef STOREKIT_VERIFY_P256_WORDS_AVX2_H
#define STOREKIT_VERIFY_P256_WORDS_AVX2_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#define LANE_COUNT 4
#define LANES_INLINE static inline __attribute__((always_inline, unused))

typedef __m256i words;
/// A truth value for each lane: all bits of its word, or none.
typedef __m256i lane_mask;

// MARK: Words

LANES_INLINE words every_lane(uint64_t word) { return _mm256_set1_epi64x((long long)word); }
LANES_INLINE words words_add(words a, words b) { return _mm256_add_epi64(a, b); }
LANES_INLINE words words_subtract(words a, words b) { return _mm256_sub_epi64(a, b); }
LANES_INLINE words words_and(words a, words b) { return _mm256_and_si256(a, b); }
LANES_INLINE words words_or(words a, words b) { return _mm256_or_si256(a, b); }
LANES_INLINE words words_left(words a, unsigned count) { return _mm256_slli_epi64(a, (int)count); }
LANES_INLINE words words_right(words a, unsigned count) { return _mm256_srli_epi64(a, (int)count); }
/// A right shift that keeps the sign, which AVX2 lacks for 64-bit words. It adds an offset that makes the
/// number positive, shifts, and removes the offset.
LANES_INLINE words words_signed_right(words a, unsigned count)
{
    const words positive = words_add(a, every_lane(1ULL << 63));
    return words_subtract(words_right(positive, count), every_lane(1ULL << (63 - count)));
}
/// The low word of (high, low) shifted right by 1 to 63 bits.
LANES_INLINE words words_right_pair(words low, words high, int count)
{
    return words_or(words_right(low, (unsigned)count), words_left(high, (unsigned)(64 - count)));
}

LANES_INLINE words words_load(const void *address) { return _mm256_loadu_si256((const __m256i *)address); }
LANES_INLINE void words_store(void *address, words a) { _mm256_storeu_si256((__m256i *)address, a); }

/// 32-bit words, aligned to their size.
LANES_INLINE words words_load_halves(const uint32_t *address)
{
    return _mm256_cvtepu32_epi64(_mm_load_si128((const __m128i *)address));
}
LANES_INLINE void words_store_halves(uint32_t *address, words a)
{
    const __m256i low_halves = _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 2, 4, 6, 0, 0, 0, 0));
    _mm_store_si128((__m128i *)address, _mm256_castsi256_si128(low_halves));
}

/// Gives each lane the word of the lane whose index differs in that bit: 1 or 2.
LANES_INLINE words words_exchange(words a, int bit)
{
    return bit == 1 ? _mm256_permute4x64_epi64(a, 0xb1) : _mm256_permute4x64_epi64(a, 0x4e);
}

LANES_INLINE uint64_t words_first(words a) { return (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(a)); }

// MARK: Masks

LANES_INLINE lane_mask words_equal(words a, words b) { return _mm256_cmpeq_epi64(a, b); }
LANES_INLINE lane_mask mask_of_bits(uint8_t bits)
{
    const words bit = _mm256_setr_epi64x(1, 2, 4, 8);
    return words_equal(words_and(every_lane(bits), bit), bit);
}
LANES_INLINE uint8_t mask_bits(lane_mask mask)
{
    return (uint8_t)_mm256_movemask_pd(_mm256_castsi256_pd(mask));
}
LANES_INLINE lane_mask mask_and(lane_mask a, lane_mask b) { return words_and(a, b); }
LANES_INLINE lane_mask mask_or(lane_mask a, lane_mask b) { return words_or(a, b); }
LANES_INLINE lane_mask mask_xor(lane_mask a, lane_mask b) { return _mm256_xor_si256(a, b); }
LANES_INLINE lane_mask words_negative(words a) { return _mm256_cmpgt_epi64(_mm256_setzero_si256(), a); }
/// The lanes in which the words have a bit in common, and those in which they have none.
LANES_INLINE lane_mask words_miss(words a, words b) { return words_equal(words_and(a, b), every_lane(0)); }
LANES_INLINE lane_mask words_meet(words a, words b) { return mask_xor(words_miss(a, b), every_lane(~0ULL)); }
/// b where the mask is set, a elsewhere.
LANES_INLINE words words_choose(lane_mask mask, words a, words b) { return _mm256_blendv_epi8(a, b, mask); }
/// -a where the mask is set, a elsewhere.
LANES_INLINE words words_negate(lane_mask mask, words a) { return words_subtract(mask_xor(a, mask), mask); }

// MARK: Products of 52-bit words

/// How the product of two residues is compiled: as a function of its own. It has 400 instructions. Inlining
/// five of them into an addition's loop overflows the processor's cache of decoded instructions; each
/// signature took 4 % longer.
#define LANES_PRODUCT static __attribute__((noinline))

/// A word below 2^52, converted to floating point.
typedef __m256d factor;

/// 2^52, and its bits. The bits of 2^52 + x are these plus x, for 0 <= x < 2^52.
#define TWO_52 0x1p52
#define TWO_52_BITS (0x433ULL << 52)
/// The same for 2^104 + 2^52 x.
#define TWO_104 0x1p104
#define TWO_104_BITS (0x467ULL << 52)

LANES_INLINE factor factor_of(words a)
{
    const __m256d above = _mm256_castsi256_pd(words_or(a, every_lane(TWO_52_BITS)));
    return _mm256_sub_pd(above, _mm256_set1_pd(TWO_52));
}

/// The same words, hidden from the compiler, which would compute with constants in the usual rounding mode.
LANES_INLINE words hidden(words a)
{
    __asm__("" : "+x"(a));
    return a;
}

/// Splits a * b = 2^52 h + l: gives the bits of 2^104 + 2^52 h and of 2^52 + l.
///
/// Rounding is towards zero (`enter_arithmetic`). 2^104 + a b is below 2^105, so it loses the part below
/// 2^52, which leaves 2^104 + 2^52 h. Subtracting this from 2^104 + 2^52 gives 2^52 (1 - h), exact with its
/// 52 bits. Adding a b gives 2^52 + l, an integer below 2^53, hence exact.
LANES_INLINE void multiply(factor a, factor b, words *low, words *high)
{
    const __m256d upper = _mm256_fmadd_pd(a, b, _mm256_set1_pd(TWO_104));
    const __m256d lower = _mm256_fmadd_pd(a, b, _mm256_sub_pd(_mm256_set1_pd(TWO_104 + TWO_52), upper));
    *high = _mm256_castpd_si256(upper);
    *low = _mm256_castpd_si256(lower);
}

/// Adds the low and the high half of a * b, each of 52 bits, with the excess that `product_excess` gives.
LANES_INLINE void add_product(words *low, words *high, factor a, factor b)
{
    words l, h;
    multiply(a, b, &l, &h);
    *low = words_add(*low, l);
    *high = words_add(*high, h);
}

/// The excess that `add_product` adds to a sum of `lows` low and `highs` high halves, modulo 2^64.
LANES_INLINE uint64_t product_excess(unsigned lows, unsigned highs)
{
    return lows * TWO_52_BITS + highs * TWO_104_BITS;
}

/// The low 52 bits of a * b.
LANES_INLINE words low_product(factor a, factor b)
{
    words low, high;
    multiply(a, b, &low, &high);
    return words_and(low, every_lane((1ULL << 52) - 1));
}

/// Adds q * (p + 1) for the field prime p and the low 52 bits q of column 0. p = -1 + 2^52 * 2^44 + 2^156 *
/// 2^36 + 2^208 * P4 with P4 = 2^48 - 2^16. Products by a power of two are shifts here.
LANES_INLINE void add_digit_multiple(words *column)
{
    const words mask = every_lane((1ULL << 52) - 1);
    const words q = words_and(column[0], mask);
    column[1] = words_add(column[1], words_and(words_left(q, 44), mask));
    column[2] = words_add(column[2], words_right(q, 8));
    column[3] = words_add(column[3], words_and(words_left(q, 36), mask));
    column[4] = words_add(column[4], words_right(q, 16));
    add_product(&column[4], &column[5], factor_of(q), _mm256_set1_pd(0x1p48 - 0x1p16));
    column[4] = words_subtract(column[4], every_lane(product_excess(1, 0)));
    column[5] = words_subtract(column[5], every_lane(product_excess(0, 1)));
}

/// Makes this thread round towards zero and raise no exceptions. Returns the previous mode.
LANES_INLINE unsigned enter_arithmetic(void)
{
    const unsigned mode = _mm_getcsr();
    _mm_setcsr(_MM_MASK_MASK | _MM_ROUND_TOWARD_ZERO);
    return mode;
}
LANES_INLINE void leave_arithmetic(unsigned mode) { _mm_setcsr(mode); }

// MARK: Rows

/// A table's entry or a signature: two numbers of four words, x and y.
typedef struct {
    __m256i x, y;
} row;

LANES_INLINE row row_load(const void *address)
{
    const __m256i *halves = address;
    return (row){_mm256_load_si256(halves), _mm256_load_si256(halves + 1)};
}

/// Loads big-endian numbers of 32 bytes: reverses the bytes in words, and the words in the number.
LANES_INLINE __m256i load_big_endian(const uint8_t *address)
{
    const __m256i bytes = _mm256_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8,
                                           7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
    return _mm256_permute4x64_epi64(_mm256_shuffle_epi8(words_load(address), bytes), 0x1b);
}
/// Both numbers, 64 bytes.
LANES_INLINE row row_load_big_endian(const uint8_t *address)
{
    return (row){load_big_endian(address), load_big_endian(address + 32)};
}
/// x only, 32 bytes.
LANES_INLINE row row_load_big_endian_x(const uint8_t *address)
{
    return (row){load_big_endian(address), _mm256_setzero_si256()};
}

/// A 4 x 4 transposition: first in pairs of rows, then of 128-bit halves.
LANES_INLINE void transpose(__m256i a, __m256i b, __m256i c, __m256i d, words word[4])
{
    const __m256i even_low = _mm256_unpacklo_epi64(a, b), odd_low = _mm256_unpackhi_epi64(a, b);
    const __m256i even_high = _mm256_unpacklo_epi64(c, d), odd_high = _mm256_unpackhi_epi64(c, d);
    word[0] = _mm256_permute2x128_si256(even_low, even_high, 0x20);
    word[1] = _mm256_permute2x128_si256(odd_low, odd_high, 0x20);
    word[2] = _mm256_permute2x128_si256(even_low, even_high, 0x31);
    word[3] = _mm256_permute2x128_si256(odd_low, odd_high, 0x31);
}

/// Words 0-3 belong to x, 4-7 to y.
LANES_INLINE void words_of_rows(const row rows[LANE_COUNT], words word[8])
{
    transpose(rows[0].x, rows[1].x, rows[2].x, rows[3].x, word);
    transpose(rows[0].y, rows[1].y, rows[2].y, rows[3].y, word + 4);
}

#endif
