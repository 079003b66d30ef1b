// The kernel by AVX2 and FMA.
#include "kernels.h"

#ifdef HAS_AVX2_KERNEL

#define SCRATCH_BYTES p256_avx2_scratch_bytes
#define VERIFY p256_avx2_verify

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma,bmi,bmi2"))), apply_to = function)

#include "words_avx2.h"

#include "lanes.h"

#include "kernel.h"

#pragma clang attribute pop

#endif
