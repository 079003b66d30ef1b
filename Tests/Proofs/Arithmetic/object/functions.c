// Functions of the kernel, each compiled by itself with the kernel's own text, flags and target: their machine code is what
// the proofs read. `noinline` wrappers pass numbers by address.
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target(TARGET))), apply_to = function)

#include WORDS

#include "lanes.h"

#include "sums.h"

#define COMPILED __attribute__((noinline))

COMPILED void object_product(const lanes *a, const lanes *b, lanes *r) { *r = product(*a, *b); }
COMPILED void object_factor_square(const lanes *a, lanes *r) { *r = factor_square(*a); }
COMPILED void object_factor_product(const lanes *a, const lanes *b, lanes *r) { *r = factor_product(*a, *b); }
COMPILED void object_order_product(const lanes *a, const lanes *b, lanes *r) { *r = order_product(*a, *b); }
COMPILED void object_coordinate(const lanes *a, lanes *r) { *r = coordinate(*a); }
COMPILED void object_add_mixed(jacobian *sum, const signed_point *point) { add_mixed(sum, point, 1); }
COMPILED void object_add_pair(lane_pair *sum, const addition *next, lanes *chain) { add_pair(sum, next, chain); }

#pragma clang attribute pop
