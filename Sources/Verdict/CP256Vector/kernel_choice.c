// Chooses a kernel by the CPU's features. P256Verification/ArithmeticChoice.swift chooses among the available
// ones.
#include "kernels.h"

bool p256_vector_is_supported(enum p256_vector_instructions instructions)
{
    switch (instructions) {
#if defined(P256_VECTOR_EMULATED)
    case P256_VECTOR_AVX512: return true;
#elif defined(HAS_AVX512_KERNEL)
    case P256_VECTOR_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vbmi2");
#endif
#ifdef HAS_AVX2_KERNEL
    case P256_VECTOR_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
               __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#endif
    default: return false;
    }
}

size_t p256_vector_scratch_bytes(enum p256_vector_instructions instructions, size_t count)
{
    switch (instructions) {
#ifdef HAS_AVX512_KERNEL
    case P256_VECTOR_AVX512: return p256_avx512_scratch_bytes(count);
#endif
#ifdef HAS_AVX2_KERNEL
    case P256_VECTOR_AVX2: return p256_avx2_scratch_bytes(count);
#endif
    default: (void)count; return 64;
    }
}

size_t p256_vector_level_scratch_bytes(enum p256_vector_instructions instructions)
{
    switch (instructions) {
#ifdef HAS_AVX512_KERNEL
    case P256_VECTOR_AVX512: return p256_avx512_level_scratch_bytes();
#endif
#ifdef HAS_AVX2_KERNEL
    case P256_VECTOR_AVX2: return p256_avx2_level_scratch_bytes();
#endif
    default: return 64;
    }
}

bool p256_vector_add_level(enum p256_vector_instructions instructions, uint64_t *table, unsigned windows,
                           unsigned entries, unsigned present, const uint64_t *steps, void *scratch)
{
    switch (instructions) {
#ifdef HAS_AVX512_KERNEL
    case P256_VECTOR_AVX512:
        return p256_avx512_add_level(table, windows, entries, present, steps, scratch);
#endif
#ifdef HAS_AVX2_KERNEL
    case P256_VECTOR_AVX2: return p256_avx2_add_level(table, windows, entries, present, steps, scratch);
#endif
    default: (void)table, (void)windows, (void)entries, (void)present, (void)steps, (void)scratch; return false;
    }
}

void p256_vector_verify(enum p256_vector_instructions instructions, const struct p256_vector_tables *tables,
                        size_t count, const uint64_t *const *keys, const uint8_t *digests,
                        const uint8_t *signatures, uint8_t *verdicts, void *scratch)
{
    switch (instructions) {
#ifdef HAS_AVX512_KERNEL
    case P256_VECTOR_AVX512:
        p256_avx512_verify(tables, count, keys, digests, signatures, verdicts, scratch);
        break;
#endif
#ifdef HAS_AVX2_KERNEL
    case P256_VECTOR_AVX2:
        p256_avx2_verify(tables, count, keys, digests, signatures, verdicts, scratch);
        break;
#endif
    default: // Never called: the caller asks p256_vector_is_supported first.
        (void)tables, (void)keys, (void)digests, (void)signatures, (void)scratch;
        for (size_t i = 0; i < count; i++) verdicts[i] = P256_VECTOR_UNDECIDED;
    }
}
