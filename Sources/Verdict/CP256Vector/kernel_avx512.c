// The kernel for AVX-512 IFMA, or for its emulation.
#include "kernels.h"

#ifdef HAS_AVX512_KERNEL

#define SCRATCH_BYTES p256_avx512_scratch_bytes
#define VERIFY p256_avx512_verify
#define LEVEL_SCRATCH_BYTES p256_avx512_level_scratch_bytes
#define ADD_LEVEL p256_avx512_add_level
/// Batches from 32 signatures on, with eight accumulators.
#define BATCH_GROUPS 4
#define EIGHT_ACCUMULATOR_GROUPS BATCH_GROUPS

#include <immintrin.h>

#ifndef P256_VECTOR_EMULATED
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,avx512vbmi2"))), apply_to = function)
#endif

#include "words_avx512.h"

#include "lanes.h"

#include "kernel.h"

#ifndef P256_VECTOR_EMULATED
#pragma clang attribute pop
#endif

#endif
