// The field of a small prime in place of lanes.h and inversion.h: one lane, one number. sums.h runs on it unchanged.
#ifndef ARITHMETIC_SMALL_FIELD_H
#define ARITHMETIC_SMALL_FIELD_H

#define STOREKIT_VERIFY_P256_LANES_H
#define STOREKIT_VERIFY_P256_INVERSION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define LANE_COUNT 1
#define LANES_INLINE static inline __attribute__((unused))
#define _MM_HINT_T0 0

static int64_t prime;

typedef uint64_t words;
typedef uint8_t lane_mask;
typedef struct { int64_t value; } lanes;
typedef struct { int64_t limb[5]; } constant;
typedef struct { lanes x, y; } lane_pair;
typedef struct { const int64_t *point; } row;
typedef struct { int unused; } modulus;

static const constant unit = {{1}}, field_one = {{1}}, field_r2 = {{1}};
static const modulus prime_modulus = {0};
#define field_prime ((constant){{prime}})

static int64_t residue(int64_t a) { return (a % prime + prime) % prime; }

LANES_INLINE void _mm_prefetch(const char *address, int hint) { (void)address, (void)hint; }
LANES_INLINE words every_lane(uint64_t word) { return word; }
LANES_INLINE words words_add(words a, words b) { return a + b; }
LANES_INLINE words words_and(words a, words b) { return a & b; }
LANES_INLINE lane_mask words_meet(words a, words b) { return (a & b) != 0; }
LANES_INLINE words words_load_halves(const uint32_t *address) { return *address; }
LANES_INLINE void words_store(void *address, words a) { *(words *)address = a; }
LANES_INLINE uint8_t mask_bits(lane_mask mask) { return mask; }

LANES_INLINE lanes from_constant(constant c) { return (lanes){c.limb[0]}; }
LANES_INLINE lanes add(lanes a, lanes b) { return (lanes){a.value + b.value}; }
LANES_INLINE lanes subtract(lanes a, lanes b) { return (lanes){a.value - b.value}; }
LANES_INLINE lanes add_primes(lanes a, uint64_t multiple) { return (lanes){a.value + (int64_t)multiple * prime}; }
LANES_INLINE lanes negate_where(lane_mask mask, lanes a) { return (lanes){mask ? -a.value : a.value}; }
LANES_INLINE lanes choose(lane_mask mask, lanes a, lanes b) { return mask ? b : a; }
/// A carried number is not negative.
LANES_INLINE lanes carried(lanes a)
{
    if (a.value < 0) abort();
    return a;
}
LANES_INLINE lanes folded(lanes a) { return (lanes){residue(a.value)}; }
LANES_INLINE lanes product(lanes a, lanes b) { return (lanes){residue(carried(a).value * carried(b).value)}; }
LANES_INLINE lanes square(lanes a) { return product(a, a); }
LANES_INLINE lanes factor_product(lanes a, lanes b) { return product(a, b); }
LANES_INLINE lanes factor_square(lanes a) { return product(a, a); }
LANES_INLINE lane_mask zero_lanes(lanes a) { return residue(a.value) == 0; }

/// a^k.
LANES_INLINE int64_t power_of(int64_t a, int64_t k)
{
    int64_t result = 1;
    for (; k > 0; k /= 2, a = a * a % prime)
        if (k % 2 != 0) result = result * a % prime;
    return result;
}

/// The inverse; 0 for 0. Those of small primes are found once by trying all numbers.
static int64_t inverse_of(int64_t a)
{
    if (prime >= 128) return power_of(a, prime - 2);
    static int64_t known[128], known_prime;
    if (known_prime != prime) {
        known_prime = prime;
        for (int64_t b = 0; b < prime; b++)
            for (int64_t c = 0; c < prime; c++)
                if (residue(b * c) == 1) known[b] = c;
    }
    return known[a];
}
LANES_INLINE bool invert_lanes(lanes *a, const modulus *m)
{
    (void)m;
    a->value = inverse_of(residue(a->value));
    return a->value != 0;
}

LANES_INLINE row row_load(const void *address) { return (row){address}; }
LANES_INLINE lane_pair from_rows(const row rows[1])
{
    return (lane_pair){{rows[0].point[0]}, {rows[0].point[1]}};
}

#endif
