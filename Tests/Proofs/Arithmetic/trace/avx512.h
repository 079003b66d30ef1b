// AVX-512: every intrinsic of the kernel, recorded under its own name.
#ifndef ARITHMETIC_TRACE_AVX512_H
#define ARITHMETIC_TRACE_AVX512_H

#include "recorder.h"

#include <string.h>

typedef struct { int line; } __m512i;

#define VECTOR(x) ((__m512i){x})
#define RECORD_TWO(name) \
    RECORDED __m512i name(__m512i a, __m512i b) { return VECTOR(record(#name, a.line, b.line, 0)); }
#define RECORD_THREE(name) \
    RECORDED __m512i name(__m512i a, __m512i b, __m512i c) { return VECTOR(record(#name, a.line, b.line, c.line)); }
#define RECORD_COUNT(name) \
    RECORDED __m512i name(__m512i a, unsigned count) { return VECTOR(record(#name, a.line, count, 0)); }
#define RECORD_COMPARISON(name) \
    RECORDED __mmask8 name(__m512i a, __m512i b) { return record_comparison(#name, a.line, b.line); }

RECORD_TWO(_mm512_add_epi64)
RECORD_TWO(_mm512_sub_epi64)
RECORD_TWO(_mm512_and_si512)
RECORD_TWO(_mm512_or_si512)
RECORD_TWO(_mm512_xor_si512)
RECORD_TWO(_mm512_permutexvar_epi64)
RECORD_TWO(_mm512_shuffle_epi8)
RECORD_TWO(_mm512_unpacklo_epi64)
RECORD_TWO(_mm512_unpackhi_epi64)
RECORD_THREE(_mm512_shrdv_epi64)
RECORD_THREE(_mm512_madd52lo_epu64)
RECORD_THREE(_mm512_madd52hi_epu64)
RECORD_COUNT(_mm512_slli_epi64)
RECORD_COUNT(_mm512_srli_epi64)
RECORD_COUNT(_mm512_srai_epi64)
RECORD_COMPARISON(_mm512_cmpeq_epi64_mask)
RECORD_COMPARISON(_mm512_cmplt_epi64_mask)
RECORD_COMPARISON(_mm512_test_epi64_mask)
RECORD_COMPARISON(_mm512_testn_epi64_mask)

RECORDED __m512i _mm512_set1_epi64(long long a) { return VECTOR(record("splat", a, 0, 0)); }
RECORDED __m512i _mm512_setzero_si512(void) { return VECTOR(record("splat", 0, 0, 0)); }
RECORDED __m512i _mm512_setr_epi64(long long a, long long b, long long c, long long d, long long e, long long f,
                                   long long g, long long h)
{
    const long long words[8] = {a, b, c, d, e, f, g, h};
    return VECTOR(record_constant(words, 64));
}
RECORDED __m512i _mm512_mask_mov_epi64(__m512i a, __mmask8 mask, __m512i b)
{
    return VECTOR(record_masked("_mm512_mask_mov_epi64", mask, a.line, b.line));
}
/// The kernel passes `a` twice: as what stays where the mask is clear, and as the subtrahend.
RECORDED __m512i _mm512_mask_sub_epi64(__m512i kept, __mmask8 mask, __m512i a, __m512i b)
{
    const int difference = record("_mm512_sub_epi64", a.line, b.line, 0);
    return VECTOR(record_masked("_mm512_mask_mov_epi64", mask, kept.line, difference));
}
RECORDED __m512i _mm512_shuffle_i64x2(__m512i a, __m512i b, int order)
{
    return VECTOR(record("_mm512_shuffle_i64x2", a.line, b.line, order));
}
RECORDED __m512i _mm512_loadu_si512(const void *p) { return VECTOR(record_load("load512", p)); }
RECORDED __m512i _mm512_load_si512(const void *p) { return VECTOR(record_load("load512", p)); }
RECORDED void _mm512_storeu_si512(void *p, __m512i a) { record_store("store", p, a.line); }
RECORDED __m512i _mm512_cvtepu32_epi64(__m256i a) { return VECTOR(record("_mm512_cvtepu32_epi64", a.line, 0, 0)); }
RECORDED __m256i _mm512_cvtepi64_epi32(__m512i a)
{
    return (__m256i){record("_mm512_cvtepi64_epi32", a.line, 0, 0)};
}
RECORDED __m512i _mm512_zextsi256_si512(__m256i a) { return VECTOR(record("_mm512_zextsi256_si512", a.line, 0, 0)); }
RECORDED __m512i _mm512_broadcast_i32x4(__m128i a) { return VECTOR(record("_mm512_broadcast_i32x4", a.line, 0, 0)); }
RECORDED __m128i _mm512_castsi512_si128(__m512i a) { return (__m128i){a.line}; }
RECORDED __m128i _mm_setr_epi8(char a, char b, char c, char d, char e, char f, char g, char h, char i, char j, char k,
                               char l, char m, char n, char o, char p)
{
    const char bytes[16] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p};
    return (__m128i){record_constant(bytes, 16)};
}

#undef VECTOR
#undef RECORD_TWO
#undef RECORD_THREE
#undef RECORD_COUNT
#undef RECORD_COMPARISON

#endif
