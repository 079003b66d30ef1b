#include "vector_arithmetic.h"

#include "../../../Sources/Verdict/CP256Vector/kernels.h"

#ifdef HAS_AVX512_KERNEL

#include <immintrin.h>

#ifndef P256_VECTOR_EMULATED
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,avx512vbmi2"))), apply_to = function)
#endif

#include "../../../Sources/Verdict/CP256Vector/words_avx512.h"
#define COMPUTE vector_arithmetic_avx512
#include "arithmetic.h"

#ifndef P256_VECTOR_EMULATED
#pragma clang attribute pop
#endif

#else

bool vector_arithmetic_avx512(enum vector_arithmetic_operation operation, size_t count, const uint64_t *a,
                              const uint64_t *b, uint64_t *results)
{
    (void)operation, (void)count, (void)a, (void)b, (void)results;
    return false;
}

#endif
