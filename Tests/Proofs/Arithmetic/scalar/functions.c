// The scalar functions of inversion.h, each compiled by itself. Vectors of one word stand in for the lanes: products are
// never called here.
#include "words_scalar.h"

#include "lanes.h"

#include "inversion.h"

#define COMPILED __attribute__((noinline))

COMPILED int64_t scalar_division_steps(int64_t eta, uint64_t f, uint64_t g, transition *t)
{
    return division_steps(eta, f, g, t);
}
COMPILED void scalar_combined(int64_t a, const signed62 *x, int64_t b, const signed62 *y, int64_t k, const signed62 *m,
                              signed62 *r)
{
    *r = combined(a, x, b, y, k, m);
}
COMPILED int64_t scalar_cancelling(int64_t a, int64_t x, int64_t b, int64_t y, const modulus *m)
{
    return cancelling(a, x, b, y, m);
}
COMPILED void scalar_plus(const signed62 *a, const signed62 *b, signed62 *r) { *r = plus(*a, 1, b); }
COMPILED void scalar_minus(const signed62 *a, const signed62 *b, signed62 *r) { *r = plus(*a, -1, b); }
COMPILED void scalar_first_lane(const lanes *a, signed62 *r) { *r = first_lane(a); }
COMPILED void scalar_from_signed62(const signed62 *a, lanes *r) { *r = from_signed62(a); }
COMPILED bool scalar_inverted(signed62 *x, bool prime)
{
    return inverted(x, prime ? &prime_modulus : &order_modulus);
}
