// AVX2 and FMA: every intrinsic of the kernel, recorded under its own name.
#ifndef ARITHMETIC_TRACE_AVX2_H
#define ARITHMETIC_TRACE_AVX2_H

#include "recorder.h"

#include <string.h>

/// As large as the processor's, so that the kernel's address arithmetic is the real one.
typedef struct { int line; int unused[7]; } __m256i;
typedef struct { int line; } __m256d;

/// `hidden` is an empty assembler statement on a vector, which is a number here.
#define __asm__(...)

#define _MM_MASK_MASK 0x1f80
#define _MM_ROUND_TOWARD_ZERO 0x6000
RECORDED unsigned _mm_getcsr(void) { return 0x1f80; }
RECORDED void _mm_setcsr(unsigned mode) { record("_mm_setcsr", mode, 0, 0); }

#define VECTOR(x) ((__m256i){x})
#define DOUBLES(x) ((__m256d){x})
#define RECORD_TWO(name) \
    RECORDED __m256i name(__m256i a, __m256i b) { return VECTOR(record(#name, a.line, b.line, 0)); }
#define RECORD_COUNT(name) \
    RECORDED __m256i name(__m256i a, int count) { return VECTOR(record(#name, a.line, count, 0)); }

RECORD_TWO(_mm256_add_epi64)
RECORD_TWO(_mm256_sub_epi64)
RECORD_TWO(_mm256_and_si256)
RECORD_TWO(_mm256_or_si256)
RECORD_TWO(_mm256_xor_si256)
RECORD_TWO(_mm256_cmpeq_epi64)
RECORD_TWO(_mm256_cmpgt_epi64)
RECORD_TWO(_mm256_shuffle_epi8)
RECORD_TWO(_mm256_unpacklo_epi64)
RECORD_TWO(_mm256_unpackhi_epi64)
RECORD_TWO(_mm256_permutevar8x32_epi32)
RECORD_COUNT(_mm256_slli_epi64)
RECORD_COUNT(_mm256_srli_epi64)
RECORD_COUNT(_mm256_permute4x64_epi64)

RECORDED __m256i _mm256_set1_epi64x(long long a) { return VECTOR(record("splat", a, 0, 0)); }
RECORDED __m256i _mm256_setzero_si256(void) { return VECTOR(record("splat", 0, 0, 0)); }
RECORDED __m256i _mm256_setr_epi64x(long long a, long long b, long long c, long long d)
{
    const long long words[4] = {a, b, c, d};
    return VECTOR(record_constant(words, 32));
}
RECORDED __m256i _mm256_setr_epi32(int a, int b, int c, int d, int e, int f, int g, int h)
{
    const int words[8] = {a, b, c, d, e, f, g, h};
    return VECTOR(record_constant(words, 32));
}
RECORDED int record_bytes(const char *bytes, int count) { return record_constant(bytes, count); }
#define _mm256_setr_epi8(...) ((__m256i){record_bytes((const char[32]){__VA_ARGS__}, 32)})
RECORDED __m256i _mm256_blendv_epi8(__m256i a, __m256i b, __m256i mask)
{
    return VECTOR(record("_mm256_blendv_epi8", a.line, b.line, mask.line));
}
RECORDED __m256i _mm256_permute2x128_si256(__m256i a, __m256i b, int order)
{
    return VECTOR(record("_mm256_permute2x128_si256", a.line, b.line, order));
}
RECORDED __m256i _mm256_loadu_si256(const __m256i *p) { return VECTOR(record_load("load256", p)); }
RECORDED __m256i _mm256_load_si256(const __m256i *p) { return VECTOR(record_load("load256", p)); }
RECORDED void _mm256_storeu_si256(__m256i *p, __m256i a) { record_store("store", p, a.line); }
RECORDED void _mm256_store_si256(__m256i *p, __m256i a) { record_store("store", p, a.line); }
RECORDED __m128i _mm_load_si128(const __m128i *p) { return (__m128i){record_load("load128", p)}; }
RECORDED void _mm_store_si128(__m128i *p, __m128i a) { record_store("store", p, a.line); }
RECORDED __m256i _mm256_cvtepu32_epi64(__m128i a) { return VECTOR(record("_mm256_cvtepu32_epi64", a.line, 0, 0)); }
RECORDED __m128i _mm256_castsi256_si128(__m256i a) { return (__m128i){a.line}; }
RECORDED int _mm256_movemask_pd(__m256d a) { return record("_mm256_movemask_pd", a.line, 0, 0), 0; }

RECORDED __m256d _mm256_castsi256_pd(__m256i a) { return DOUBLES(record("_mm256_castsi256_pd", a.line, 0, 0)); }
RECORDED __m256i _mm256_castpd_si256(__m256d a) { return VECTOR(record("_mm256_castpd_si256", a.line, 0, 0)); }
RECORDED __m256d _mm256_set1_pd(double a)
{
    long long bits;
    memcpy(&bits, &a, 8);
    return DOUBLES(record("splat_double", bits, 0, 0));
}
RECORDED __m256d _mm256_sub_pd(__m256d a, __m256d b) { return DOUBLES(record("_mm256_sub_pd", a.line, b.line, 0)); }
RECORDED __m256d _mm256_fmadd_pd(__m256d a, __m256d b, __m256d c)
{
    return DOUBLES(record("_mm256_fmadd_pd", a.line, b.line, c.line));
}

#undef VECTOR
#undef DOUBLES
#undef RECORD_TWO
#undef RECORD_COUNT

#endif
