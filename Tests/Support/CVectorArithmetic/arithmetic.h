// Included by avx512.c and avx2.c, after the header of words for their instruction set.
// COMPUTE is the name of the function that is defined here.
#include "../../../Sources/Verdict/CP256Vector/lanes.h"
#include "vector_arithmetic.h"

static lanes loaded(const uint64_t *numbers)
{
    lanes r;
    for (int limb = 0; limb < 5; limb++) {
        uint64_t words_of_limb[LANE_COUNT];
        for (int lane = 0; lane < LANE_COUNT; lane++) words_of_limb[lane] = numbers[5 * lane + limb];
        r.limb[limb] = words_load(words_of_limb);
    }
    return r;
}

static void store(lanes a, uint64_t *numbers)
{
    for (int limb = 0; limb < 5; limb++) {
        uint64_t words_of_limb[LANE_COUNT];
        words_store(words_of_limb, a.limb[limb]);
        for (int lane = 0; lane < LANE_COUNT; lane++) numbers[5 * lane + limb] = words_of_limb[lane];
    }
}

static lanes result_of(enum vector_arithmetic_operation operation, lanes a, lanes b)
{
    switch (operation) {
    case VECTOR_ARITHMETIC_FIELD_PRODUCT: return factor_product(a, b);
    case VECTOR_ARITHMETIC_FIELD_SQUARE: return factor_square(a);
    case VECTOR_ARITHMETIC_ORDER_PRODUCT: return order_product(a, b);
    case VECTOR_ARITHMETIC_DIFFERENCE: return carried(add_primes(subtract(a, b), 64));
    }
    return a;
}

static __attribute__((noinline)) void compute_all(enum vector_arithmetic_operation operation, size_t count,
                                                  const uint64_t *a, const uint64_t *b, uint64_t *results)
{
    for (size_t i = 0; i + LANE_COUNT <= count; i += LANE_COUNT)
        store(result_of(operation, loaded(a + 5 * i), loaded(b + 5 * i)), results + 5 * i);
}

bool COMPUTE(enum vector_arithmetic_operation operation, size_t count, const uint64_t *a, const uint64_t *b,
             uint64_t *results)
{
    const unsigned mode = enter_arithmetic();
    compute_all(operation, count, a, b, results);
    leave_arithmetic(mode);
    return true;
}
