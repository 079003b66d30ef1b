// The arithmetic of the vector kernels alone, for tests. The kernels inline it and do not expose its results.
#ifndef VECTOR_ARITHMETIC_H
#define VECTOR_ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The result computed from a and b. Both are carried residues of five limbs of 52 bits.
enum vector_arithmetic_operation {
    VECTOR_ARITHMETIC_FIELD_PRODUCT, // a * b / 2^260 mod p
    VECTOR_ARITHMETIC_FIELD_SQUARE,  // a * a / 2^260 mod p
    VECTOR_ARITHMETIC_ORDER_PRODUCT, // a * b / 2^260 mod n
    VECTOR_ARITHMETIC_DIFFERENCE     // 64 p + a - b, not reduced
};

/// Computes on `count` numbers of five limbs each. `count` is a multiple of eight.
///
/// Returns false, and computes nothing, if this build or machine lacks the instructions.
bool vector_arithmetic_avx512(enum vector_arithmetic_operation operation, size_t count, const uint64_t *a,
                              const uint64_t *b, uint64_t *results);
bool vector_arithmetic_avx2(enum vector_arithmetic_operation operation, size_t count, const uint64_t *a,
                            const uint64_t *b, uint64_t *results);

#endif
