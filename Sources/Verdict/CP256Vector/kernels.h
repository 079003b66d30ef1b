// The kernels, one for each instruction set, and the conditions under which they are built.
#ifndef STOREKIT_VERIFY_P256_KERNELS_H
#define STOREKIT_VERIFY_P256_KERNELS_H

#include "p256_vector.h"

// Clang only: its pragma enables the instruction set for every function of a kernel, without a compiler flag.
// P256_VECTOR_EMULATED runs the AVX-512 kernel on any CPU, for tests (see Tests/Support/EmulatedInstructions).
// P256_VECTOR_DISABLED leaves out all kernels.
#if defined(P256_VECTOR_EMULATED)
#define HAS_AVX512_KERNEL 1
#elif defined(__x86_64__) && defined(__clang__) && !defined(P256_VECTOR_DISABLED)
#define HAS_AVX512_KERNEL 1
#define HAS_AVX2_KERNEL 1
#endif

size_t p256_avx512_scratch_bytes(size_t count);
size_t p256_avx512_level_scratch_bytes(void);
bool p256_avx512_add_level(uint64_t *table, unsigned windows, unsigned entries, unsigned present,
                           const uint64_t *steps, void *scratch);
void p256_avx512_verify(const struct p256_vector_tables *tables, size_t count, const uint64_t *const *keys,
                        const uint8_t *digests, const uint8_t *signatures, uint8_t *verdicts, void *scratch);

size_t p256_avx2_scratch_bytes(size_t count);
size_t p256_avx2_level_scratch_bytes(void);
bool p256_avx2_add_level(uint64_t *table, unsigned windows, unsigned entries, unsigned present,
                         const uint64_t *steps, void *scratch);
void p256_avx2_verify(const struct p256_vector_tables *tables, size_t count, const uint64_t *const *keys,
                      const uint8_t *digests, const uint8_t *signatures, uint8_t *verdicts, void *scratch);

#endif
