// Vectors of eight 64-bit words, with AVX-512 IFMA and VBMI2. words_avx2.h has the same names.
#ifndef STOREKIT_VERIFY_P256_WORDS_AVX512_H
#define STOREKIT_VERIFY_P256_WORDS_AVX512_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#define LANE_COUNT 8
#define LANES_INLINE static inline __attribute__((always_inline, unused))

typedef __m512i words;
/// A truth value for each lane.
typedef __mmask8 lane_mask;

// MARK: Words

LANES_INLINE words every_lane(uint64_t word) { return _mm512_set1_epi64((long long)word); }
LANES_INLINE words words_add(words a, words b) { return _mm512_add_epi64(a, b); }
LANES_INLINE words words_subtract(words a, words b) { return _mm512_sub_epi64(a, b); }
LANES_INLINE words words_and(words a, words b) { return _mm512_and_si512(a, b); }
LANES_INLINE words words_or(words a, words b) { return _mm512_or_si512(a, b); }
LANES_INLINE words words_left(words a, unsigned count) { return _mm512_slli_epi64(a, count); }
LANES_INLINE words words_right(words a, unsigned count) { return _mm512_srli_epi64(a, count); }
/// A right shift that keeps the sign.
LANES_INLINE words words_signed_right(words a, unsigned count) { return _mm512_srai_epi64(a, count); }
/// The low word of (high, low) shifted right by 1 to 63 bits.
LANES_INLINE words words_right_pair(words low, words high, int count)
{
    return _mm512_shrdv_epi64(low, high, every_lane((uint64_t)count));
}

LANES_INLINE words words_load(const void *address) { return _mm512_loadu_si512(address); }
LANES_INLINE void words_store(void *address, words a) { _mm512_storeu_si512(address, a); }

/// 32-bit words, aligned to their size.
LANES_INLINE words words_load_halves(const uint32_t *address)
{
    return _mm512_cvtepu32_epi64(_mm256_load_si256((const __m256i *)address));
}
LANES_INLINE void words_store_halves(uint32_t *address, words a)
{
    _mm256_store_si256((__m256i *)address, _mm512_cvtepi64_epi32(a));
}

/// Gives each lane the word of the lane whose index differs in that bit: 1, 2 or 4.
LANES_INLINE words words_exchange(words a, int bit)
{
    const __m512i numbers = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm512_permutexvar_epi64(_mm512_xor_si512(numbers, every_lane((uint64_t)bit)), a);
}

LANES_INLINE uint64_t words_first(words a) { return (uint64_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(a)); }

// MARK: Masks

LANES_INLINE lane_mask mask_of_bits(uint8_t bits) { return bits; }
LANES_INLINE uint8_t mask_bits(lane_mask mask) { return mask; }
LANES_INLINE lane_mask mask_and(lane_mask a, lane_mask b) { return a & b; }
LANES_INLINE lane_mask mask_or(lane_mask a, lane_mask b) { return a | b; }
LANES_INLINE lane_mask mask_xor(lane_mask a, lane_mask b) { return a ^ b; }
LANES_INLINE lane_mask words_equal(words a, words b) { return _mm512_cmpeq_epi64_mask(a, b); }
LANES_INLINE lane_mask words_negative(words a) { return _mm512_cmplt_epi64_mask(a, _mm512_setzero_si512()); }
/// The lanes in which the words have a bit in common, and those in which they have none.
LANES_INLINE lane_mask words_meet(words a, words b) { return _mm512_test_epi64_mask(a, b); }
LANES_INLINE lane_mask words_miss(words a, words b) { return _mm512_testn_epi64_mask(a, b); }
/// b where the mask is set, a elsewhere.
LANES_INLINE words words_choose(lane_mask mask, words a, words b)
{
    return _mm512_mask_mov_epi64(a, mask, b);
}
/// -a where the mask is set, a elsewhere.
LANES_INLINE words words_negate(lane_mask mask, words a)
{
    return _mm512_mask_sub_epi64(a, mask, _mm512_setzero_si512(), a);
}

// MARK: Products of 52-bit words

/// How the product of two residues is compiled: inlined into its caller, which has enough registers.
#define LANES_PRODUCT LANES_INLINE

/// IFMA multiplies integers and reads only the low 52 bits of its factors, so factors need no preparation.
typedef words factor;

LANES_INLINE factor factor_of(words a) { return a; }
LANES_INLINE words hidden(words a) { return a; }

/// Adds the low and the high half of a * b, each of 52 bits, with the excess that `product_excess` gives.
LANES_INLINE void add_product(words *low, words *high, factor a, factor b)
{
    *low = _mm512_madd52lo_epu64(*low, a, b);
    *high = _mm512_madd52hi_epu64(*high, a, b);
}

/// The excess that `add_product` adds to a sum of `lows` low and `highs` high halves.
LANES_INLINE uint64_t product_excess(unsigned lows, unsigned highs)
{
    (void)lows, (void)highs;
    return 0;
}

/// The low 52 bits of a * b.
LANES_INLINE words low_product(factor a, factor b)
{
    return _mm512_madd52lo_epu64(_mm512_setzero_si512(), a, b);
}

/// Adds q * (p + 1) for the field prime p and the low 52 bits q of column 0. p = -1 + 2^52 * 2^44 + 2^156 *
/// 2^36 + 2^208 * P4 with P4 = 2^48 - 2^16.
LANES_INLINE void add_digit_multiple(words *column)
{
    const words q = column[0], p1 = every_lane(1ULL << 44), p3 = every_lane(1ULL << 36);
    const words p4 = every_lane((1ULL << 48) - (1ULL << 16));
    add_product(&column[1], &column[2], q, p1);
    add_product(&column[3], &column[4], q, p3);
    add_product(&column[4], &column[5], q, p4);
}

/// The products need no special mode of the processor.
LANES_INLINE unsigned enter_arithmetic(void) { return 0; }
LANES_INLINE void leave_arithmetic(unsigned mode) { (void)mode; }

// MARK: Rows

/// A table's entry or a signature: two numbers of four words, x and y.
typedef __m512i row;

LANES_INLINE row row_load(const void *address) { return _mm512_load_si512(address); }

/// Reorders big-endian numbers of 32 bytes: reverses the bytes in words, and the words in each half.
LANES_INLINE row row_in_order(__m512i a)
{
    const __m128i reversed = _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
    const __m512i bytes = _mm512_broadcast_i32x4(reversed);
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(3, 2, 1, 0, 7, 6, 5, 4), _mm512_shuffle_epi8(a, bytes));
}
/// Both numbers, 64 bytes.
LANES_INLINE row row_load_big_endian(const uint8_t *address)
{
    return row_in_order(_mm512_loadu_si512(address));
}
/// x only, 32 bytes.
LANES_INLINE row row_load_big_endian_x(const uint8_t *address)
{
    const __m256i half = _mm256_loadu_si256((const __m256i *)address);
    return row_in_order(_mm512_zextsi256_si512(half));
}

/// An 8 x 8 transposition: first in pairs of rows, then of 128-bit blocks. Each shuffle of blocks keeps two
/// from either side. Words 0-3 belong to x, 4-7 to y.
LANES_INLINE void words_of_rows(const row rows[LANE_COUNT], words word[8])
{
#pragma unroll
    for (int odd = 0; odd < 2; odd++) {
        __m512i pair[4];
        for (int i = 0; i < 4; i++)
            pair[i] = odd ? _mm512_unpackhi_epi64(rows[2 * i], rows[2 * i + 1])
                          : _mm512_unpacklo_epi64(rows[2 * i], rows[2 * i + 1]);
        const __m512i x_low = _mm512_shuffle_i64x2(pair[0], pair[1], 0x44);
        const __m512i x_high = _mm512_shuffle_i64x2(pair[2], pair[3], 0x44);
        const __m512i y_low = _mm512_shuffle_i64x2(pair[0], pair[1], 0xee);
        const __m512i y_high = _mm512_shuffle_i64x2(pair[2], pair[3], 0xee);
        word[odd] = _mm512_shuffle_i64x2(x_low, x_high, 0x88);
        word[odd + 2] = _mm512_shuffle_i64x2(x_low, x_high, 0xdd);
        word[odd + 4] = _mm512_shuffle_i64x2(y_low, y_high, 0x88);
        word[odd + 6] = _mm512_shuffle_i64x2(y_low, y_high, 0xdd);
    }
}

#endif
