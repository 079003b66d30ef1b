// AVX2 and FMA on this processor, in the rounding mode that words_avx2.h sets.
#include "fits.h"
#include "lines.h"

#pragma clang attribute push(__attribute__((target("avx2,fma,bmi,bmi2"))), apply_to = function)

#define TWO(name) \
    for (int n = 0; n < ROUNDS; n++) { \
        __m256i a, b, r; \
        FILL(a); \
        FILL(b); \
        if (n % 4 == 0) b = a; \
        r = name(a, b); \
        LINE(name, 0), PRINT(a), PRINT(b), PRINT(r), puts(""); \
    }
#define COUNT(name) \
    for (int count = 0; count < 64; count++) { \
        __m256i a, r; \
        FILL(a); \
        r = name(a, count); \
        LINE(name, count), PRINT(a), PRINT(r), puts(""); \
    }
#define ORDER(name, order) \
    for (int n = 0; n < 8; n++) { \
        __m256i a, r; \
        FILL(a); \
        r = name(a, order); \
        LINE(name, order), PRINT(a), PRINT(r), puts(""); \
    }

/// A whole number of 52 bits as a double, or one of those that products need.
static double number(void)
{
    const double small = (double)(word() & 0xfffffffffffff);
    switch (random_word() % 4) {
    case 0: return 0x1p104 + 0x1p52 * small;
    case 1: return 0x1p52 * (1 - small);
    default: return small;
    }
}

static void print_doubles(void)
{
    _mm_setcsr(_MM_MASK_MASK | _MM_ROUND_TOWARD_ZERO);
    for (int n = 0; n < 20 * ROUNDS; n++) {
        __m256d a, b, c, r;
        for (int i = 0; i < 4; i++) {
            ((double *)&a)[i] = (double)(word() & 0xfffffffffffff), ((double *)&b)[i] = (double)(word() & 0xfffffffffffff);
            ((double *)&c)[i] = number();
        }
        r = _mm256_fmadd_pd(a, b, c);
        LINE(_mm256_fmadd_pd, 0), PRINT(a), PRINT(b), PRINT(c), PRINT(r), puts("");
        r = _mm256_sub_pd(c, a);
        LINE(_mm256_sub_pd, 0), PRINT(c), PRINT(a), PRINT(r), puts("");
    }
}

static void print_moves(void)
{
    for (int n = 0; n < ROUNDS; n++) {
        __m256i a, b, m, r;
        FILL(a);
        FILL(b);
        for (int i = 0; i < 4; i++) ((uint64_t *)&m)[i] = random_word() & 1 ? ~0ULL : 0;
        r = _mm256_blendv_epi8(a, b, m);
        LINE(_mm256_blendv_epi8, 0), PRINT(a), PRINT(b), PRINT(m), PRINT(r), puts("");
        const __m256i order = _mm256_and_si256(b, _mm256_set1_epi8(0x7f));
        r = _mm256_shuffle_epi8(a, order);
        LINE(_mm256_shuffle_epi8, 0), PRINT(a), PRINT(order), PRINT(r), puts("");
        r = _mm256_permutevar8x32_epi32(a, b);
        LINE(_mm256_permutevar8x32_epi32, 0), PRINT(a), PRINT(b), PRINT(r), puts("");
        r = _mm256_permute2x128_si256(a, b, 0x20);
        LINE(_mm256_permute2x128_si256, 0x20), PRINT(a), PRINT(b), PRINT(r), puts("");
        r = _mm256_permute2x128_si256(a, b, 0x31);
        LINE(_mm256_permute2x128_si256, 0x31), PRINT(a), PRINT(b), PRINT(r), puts("");
        __m128i half;
        FILL(half);
        r = _mm256_cvtepu32_epi64(half);
        LINE(_mm256_cvtepu32_epi64, 0), PRINT(half), PRINT(r), puts("");
    }
}

static void print_all(void)
{
    TWO(_mm256_add_epi64)
    TWO(_mm256_sub_epi64)
    TWO(_mm256_and_si256)
    TWO(_mm256_or_si256)
    TWO(_mm256_xor_si256)
    TWO(_mm256_cmpeq_epi64)
    TWO(_mm256_cmpgt_epi64)
    TWO(_mm256_unpacklo_epi64)
    TWO(_mm256_unpackhi_epi64)
    COUNT(_mm256_slli_epi64)
    COUNT(_mm256_srli_epi64)
    ORDER(_mm256_permute4x64_epi64, 0xb1)
    ORDER(_mm256_permute4x64_epi64, 0x4e)
    ORDER(_mm256_permute4x64_epi64, 0x1b)
    print_moves();
    print_doubles();
}

#pragma clang attribute pop

int main(void)
{
    if (!fits("avx2")) return 77;
    print_all();
}
