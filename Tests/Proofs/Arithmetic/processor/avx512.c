// AVX-512 on this processor.
#include "fits.h"
#include "lines.h"

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,avx512vbmi2"))), apply_to = function)

#define TWO(name) \
    for (int n = 0; n < ROUNDS; n++) { \
        __m512i a, b, r; \
        FILL(a); \
        FILL(b); \
        if (n % 8 == 0) b = a; \
        r = name(a, b); \
        LINE(name, 0), PRINT(a), PRINT(b), PRINT(r), puts(""); \
    }
#define THREE(name) \
    for (int n = 0; n < ROUNDS; n++) { \
        __m512i a, b, c, r; \
        FILL(a); \
        FILL(b); \
        FILL(c); \
        r = name(a, b, c); \
        LINE(name, 0), PRINT(a), PRINT(b), PRINT(c), PRINT(r), puts(""); \
    }
#define COUNT(name) \
    for (unsigned count = 0; count < 64; count++) { \
        __m512i a, r; \
        FILL(a); \
        r = name(a, count); \
        LINE(name, count), PRINT(a), PRINT(r), puts(""); \
    }
#define COMPARISON(name) \
    for (int n = 0; n < ROUNDS; n++) { \
        __m512i a, b, r; \
        FILL(a); \
        FILL(b); \
        if (n % 4 == 0) b = a; \
        if (n % 4 == 1) b = _mm512_setzero_si512(); \
        const __mmask8 mask = name(a, b); \
        for (int i = 0; i < 8; i++) ((uint64_t *)&r)[i] = mask >> i & 1; \
        LINE(name, 0), PRINT(a), PRINT(b), PRINT(r), puts(""); \
    }
#define ORDER(name, order) \
    for (int n = 0; n < 8; n++) { \
        __m512i a, b, r; \
        FILL(a); \
        FILL(b); \
        r = name(a, b, order); \
        LINE(name, order), PRINT(a), PRINT(b), PRINT(r), puts(""); \
    }
/// An instruction with operands or a result of other sizes.
#define CONVERSION(name, from, to) \
    for (int n = 0; n < ROUNDS; n++) { \
        from a; \
        FILL(a); \
        const to r = name(a); \
        LINE(name, 0), PRINT(a), PRINT(r), puts(""); \
    }

static void print_masked(void)
{
    for (int n = 0; n < ROUNDS; n++) {
        __m512i a, b, m, r;
        FILL(a);
        FILL(b);
        const __mmask8 mask = (__mmask8)random_word();
        for (int i = 0; i < 8; i++) ((uint64_t *)&m)[i] = mask >> i & 1;
        r = _mm512_mask_mov_epi64(a, mask, b);
        LINE(_mm512_mask_mov_epi64, 0), PRINT(m), PRINT(a), PRINT(b), PRINT(r), puts("");
        r = _mm512_mask_sub_epi64(a, mask, _mm512_setzero_si512(), b);
        LINE(mask_negation, 0), PRINT(m), PRINT(a), PRINT(b), PRINT(r), puts("");
    }
}

static void print_bytes(void)
{
    for (int n = 0; n < ROUNDS; n++) {
        __m512i a, order, r;
        FILL(a);
        FILL(order);
        order = _mm512_and_si512(order, _mm512_set1_epi8(0x7f));
        r = _mm512_shuffle_epi8(a, order);
        LINE(_mm512_shuffle_epi8, 0), PRINT(a), PRINT(order), PRINT(r), puts("");
    }
}

static void print_all(void)
{
    TWO(_mm512_add_epi64)
    TWO(_mm512_sub_epi64)
    TWO(_mm512_and_si512)
    TWO(_mm512_or_si512)
    TWO(_mm512_xor_si512)
    TWO(_mm512_permutexvar_epi64)
    TWO(_mm512_unpacklo_epi64)
    TWO(_mm512_unpackhi_epi64)
    THREE(_mm512_madd52lo_epu64)
    THREE(_mm512_madd52hi_epu64)
    for (uint64_t count = 1; count < 64; count++) {
        __m512i a, b, c = _mm512_set1_epi64((long long)count), r;
        FILL(a);
        FILL(b);
        r = _mm512_shrdv_epi64(a, b, c);
        LINE(_mm512_shrdv_epi64, 0), PRINT(a), PRINT(b), PRINT(c), PRINT(r), puts("");
    }
    COUNT(_mm512_slli_epi64)
    COUNT(_mm512_srli_epi64)
    COUNT(_mm512_srai_epi64)
    COMPARISON(_mm512_cmpeq_epi64_mask)
    COMPARISON(_mm512_cmplt_epi64_mask)
    COMPARISON(_mm512_test_epi64_mask)
    COMPARISON(_mm512_testn_epi64_mask)
    ORDER(_mm512_shuffle_i64x2, 0x44)
    ORDER(_mm512_shuffle_i64x2, 0xee)
    ORDER(_mm512_shuffle_i64x2, 0x88)
    ORDER(_mm512_shuffle_i64x2, 0xdd)
    CONVERSION(_mm512_cvtepu32_epi64, __m256i, __m512i)
    CONVERSION(_mm512_cvtepi64_epi32, __m512i, __m256i)
    CONVERSION(_mm512_zextsi256_si512, __m256i, __m512i)
    CONVERSION(_mm512_broadcast_i32x4, __m128i, __m512i)
    print_masked();
    print_bytes();
}

#pragma clang attribute pop

int main(void)
{
    if (!fits("avx512")) return 77;
    print_all();
}
