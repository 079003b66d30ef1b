// Replaces the compiler's <immintrin.h>, to test the kernel on a CPU without AVX-512: plain C that gives the
// same results, lane by lane. A build has it with the options that Tests/README.md names. It is slow, and for tests only.
// Its folder is searched for every module's C. Only what includes the kernels' header gets this one.
#ifndef STOREKIT_VERIFY_P256_KERNELS_H
#include_next <immintrin.h>
#else
#pragma once

#include <stdint.h>
#include <string.h>

// Vectors are passed only between inlined functions.
#pragma clang diagnostic ignored "-Wpsabi"

#define EMULATED static inline __attribute__((always_inline, unused))
#define LOW_52 0xfffffffffffffULL
#define _MM_HINT_T0 3

typedef uint64_t __m512i __attribute__((vector_size(64), aligned(64)));
typedef struct {
    uint64_t word[4];
} __m256i;
typedef struct {
    uint64_t word[2];
} __m128i;
typedef uint8_t __mmask8;

/// A vector in which lane i has the expression's value for i.
#define EACH_LANE(expression) \
    __m512i lanes; \
    for (int i = 0; i < 8; i++) lanes[i] = (expression); \
    return lanes

/// A mask in which bit i says whether the expression holds for i.
#define EACH_BIT(expression) \
    unsigned bits = 0; \
    for (int i = 0; i < 8; i++) bits |= (expression) ? 1U << i : 0; \
    return (__mmask8)bits

// Constants and moves.

EMULATED __m512i _mm512_set1_epi64(long long x) { EACH_LANE((uint64_t)x); }
EMULATED __m512i _mm512_setzero_si512(void) { EACH_LANE(0); }
EMULATED __m512i _mm512_setr_epi64(long long a, long long b, long long c, long long d, long long e,
                                   long long f, long long g, long long h)
{
    const long long all[8] = {a, b, c, d, e, f, g, h};
    EACH_LANE((uint64_t)all[i]);
}
EMULATED __m128i _mm_setr_epi8(char a, char b, char c, char d, char e, char f, char g, char h, char i, char j,
                               char k, char l, char m, char n, char o, char p)
{
    const char all[16] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p};
    __m128i result;
    memcpy(&result, all, sizeof result);
    return result;
}
EMULATED long long _mm_cvtsi128_si64(__m128i a) { return (long long)a.word[0]; }
EMULATED __m128i _mm512_castsi512_si128(__m512i a) { return (__m128i){{a[0], a[1]}}; }
EMULATED __m512i _mm512_zextsi256_si512(__m256i a) { EACH_LANE(i < 4 ? a.word[i] : 0); }
EMULATED __m512i _mm512_broadcast_i32x4(__m128i a) { EACH_LANE(a.word[i & 1]); }
EMULATED __m256i _mm512_cvtepi64_epi32(__m512i a)
{
    uint32_t halves[8];
    for (int i = 0; i < 8; i++) halves[i] = (uint32_t)a[i];
    __m256i result;
    memcpy(&result, halves, sizeof result);
    return result;
}
EMULATED __m512i _mm512_cvtepu32_epi64(__m256i a)
{
    uint32_t halves[8];
    memcpy(halves, &a, sizeof halves);
    EACH_LANE(halves[i]);
}

// Memory. Aligned forms trap on other addresses, as the real instructions do.

EMULATED void demand_alignment(const void *address, uintptr_t bytes)
{
    if ((uintptr_t)address % bytes != 0) __builtin_trap();
}
EMULATED __m512i _mm512_loadu_si512(const void *p)
{
    __m512i result;
    memcpy(&result, p, sizeof result);
    return result;
}
EMULATED __m512i _mm512_load_si512(const void *p)
{
    demand_alignment(p, 64);
    return _mm512_loadu_si512(p);
}
EMULATED void _mm512_storeu_si512(void *p, __m512i a) { memcpy(p, &a, sizeof a); }
EMULATED __m256i _mm256_loadu_si256(const __m256i *p)
{
    __m256i result;
    memcpy(&result, p, sizeof result);
    return result;
}
EMULATED __m256i _mm256_load_si256(const __m256i *p)
{
    demand_alignment(p, 32);
    return _mm256_loadu_si256(p);
}
EMULATED void _mm256_store_si256(__m256i *p, __m256i a)
{
    demand_alignment(p, 32);
    memcpy(p, &a, sizeof a);
}
EMULATED void _mm_prefetch(const char *p, int hint) { (void)p, (void)hint; }

// Arithmetic and logic. IFMA reads 52 bits of each factor and adds one half of the product.

EMULATED __m512i _mm512_add_epi64(__m512i a, __m512i b) { return a + b; }
EMULATED __m512i _mm512_sub_epi64(__m512i a, __m512i b) { return a - b; }
EMULATED __m512i _mm512_and_si512(__m512i a, __m512i b) { return a & b; }
EMULATED __m512i _mm512_or_si512(__m512i a, __m512i b) { return a | b; }
EMULATED __m512i _mm512_xor_si512(__m512i a, __m512i b) { return a ^ b; }
EMULATED __m512i _mm512_madd52lo_epu64(__m512i sum, __m512i a, __m512i b)
{
    EACH_LANE(sum[i] + ((a[i] & LOW_52) * (b[i] & LOW_52) & LOW_52));
}
EMULATED __m512i _mm512_madd52hi_epu64(__m512i sum, __m512i a, __m512i b)
{
    EACH_LANE(sum[i] + (uint64_t)((unsigned __int128)(a[i] & LOW_52) * (b[i] & LOW_52) >> 52));
}

// Shifts. A count of the word's size or more gives zero.

EMULATED __m512i _mm512_srli_epi64(__m512i a, unsigned n) { EACH_LANE(n > 63 ? 0 : a[i] >> n); }
EMULATED __m512i _mm512_slli_epi64(__m512i a, unsigned n) { EACH_LANE(n > 63 ? 0 : a[i] << n); }
EMULATED __m512i _mm512_srai_epi64(__m512i a, unsigned n) { EACH_LANE((uint64_t)((int64_t)a[i] >> n)); }
EMULATED __m512i _mm512_shrdv_epi64(__m512i a, __m512i b, __m512i n)
{
    EACH_LANE((n[i] & 63) == 0 ? a[i] : a[i] >> (n[i] & 63) | b[i] << (64 - (n[i] & 63)));
}

// Masks.

EMULATED __m512i _mm512_mask_mov_epi64(__m512i other, __mmask8 mask, __m512i a)
{
    EACH_LANE(mask >> i & 1 ? a[i] : other[i]);
}
EMULATED __m512i _mm512_mask_sub_epi64(__m512i other, __mmask8 mask, __m512i a, __m512i b)
{
    EACH_LANE(mask >> i & 1 ? a[i] - b[i] : other[i]);
}
EMULATED __mmask8 _mm512_cmpeq_epi64_mask(__m512i a, __m512i b) { EACH_BIT(a[i] == b[i]); }
EMULATED __mmask8 _mm512_cmplt_epi64_mask(__m512i a, __m512i b) { EACH_BIT((int64_t)a[i] < (int64_t)b[i]); }
EMULATED __mmask8 _mm512_test_epi64_mask(__m512i a, __m512i b) { EACH_BIT((a[i] & b[i]) != 0); }
EMULATED __mmask8 _mm512_testn_epi64_mask(__m512i a, __m512i b) { EACH_BIT((a[i] & b[i]) == 0); }

// Permutations.

EMULATED __m512i _mm512_unpacklo_epi64(__m512i a, __m512i b) { EACH_LANE(i & 1 ? b[i - 1] : a[i]); }
EMULATED __m512i _mm512_unpackhi_epi64(__m512i a, __m512i b) { EACH_LANE(i & 1 ? b[i] : a[i + 1]); }
EMULATED __m512i _mm512_shuffle_i64x2(__m512i a, __m512i b, int order)
{
    EACH_LANE((i < 4 ? a : b)[2 * (order >> (i & 6) & 3) + (i & 1)]);
}
EMULATED __m512i _mm512_permutexvar_epi64(__m512i places, __m512i a) { EACH_LANE(a[places[i] & 7]); }
EMULATED __m512i _mm512_shuffle_epi8(__m512i a, __m512i places)
{
    uint8_t from[64], order[64], to[64];
    memcpy(from, &a, 64);
    memcpy(order, &places, 64);
    for (int i = 0; i < 64; i++) to[i] = order[i] & 0x80 ? 0 : from[(i & ~15) | (order[i] & 15)];
    return _mm512_loadu_si512(to);
}

#endif
