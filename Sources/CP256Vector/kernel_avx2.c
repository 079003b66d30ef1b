// The kernel by AVX2 and FMA.
#include "kernels.h"

#ifdef HAS_AVX2_KERNEL

#define SCRATCH_BYTES p256_avx2_scratch_bytes
#define VERIFY p256_avx2_verify
/// From five signatures on, and up to 32 with sixteen accumulators: products take longer than by IFMA, and an
/// inversion does not. Measured on Zen 3: 16 signatures take 6.6 us each in Jacobian form, 4.2 with eight
/// accumulators and 3.9 with sixteen.
#define BATCH_GROUPS 2
#define EIGHT_ACCUMULATOR_GROUPS 10

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma,bmi,bmi2"))), apply_to = function)

#include "words_avx2.h"

#include "lanes.h"

#include "kernel.h"

#pragma clang attribute pop

#endif
