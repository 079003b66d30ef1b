// The kernels, one for each instruction set, and which of them are built.
#ifndef STOREKIT_VERIFY_P256_KERNELS_H
#define STOREKIT_VERIFY_P256_KERNELS_H

#include "p256_vector.h"

// Clang only: its pragma gives every function of a kernel the instruction set, and no compiler flag is needed.
// P256_VECTOR_EMULATED runs the kernel for AVX-512 on any CPU, for tests (see emulation/immintrin.h), and
// P256_VECTOR_DISABLED leaves all of them out.
#if defined(P256_VECTOR_EMULATED)
#define HAS_AVX512_KERNEL 1
#elif defined(__x86_64__) && defined(__clang__) && !defined(P256_VECTOR_DISABLED)
#define HAS_AVX512_KERNEL 1
#define HAS_AVX2_KERNEL 1
#endif

size_t p256_avx512_scratch_bytes(size_t count);
void p256_avx512_verify(const struct p256_vector_tables *tables, size_t count, const uint64_t *const *keys,
                        const uint8_t *digests, const uint8_t *signatures, uint8_t *verdicts, void *scratch);

size_t p256_avx2_scratch_bytes(size_t count);
void p256_avx2_verify(const struct p256_vector_tables *tables, size_t count, const uint64_t *const *keys,
                      const uint8_t *digests, const uint8_t *signatures, uint8_t *verdicts, void *scratch);

#endif
