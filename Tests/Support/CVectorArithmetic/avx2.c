#include "vector_arithmetic.h"

#include "../../../Sources/Verdict/CP256Vector/kernels.h"

#ifdef HAS_AVX2_KERNEL

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma,bmi,bmi2"))), apply_to = function)

#include "../../../Sources/Verdict/CP256Vector/words_avx2.h"
#define COMPUTE vector_arithmetic_avx2
#include "arithmetic.h"

#pragma clang attribute pop

#else

bool vector_arithmetic_avx2(enum vector_arithmetic_operation operation, size_t count, const uint64_t *a,
                            const uint64_t *b, uint64_t *results)
{
    (void)operation, (void)count, (void)a, (void)b, (void)results;
    return false;
}

#endif
