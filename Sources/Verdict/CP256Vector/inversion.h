// One inversion for all lanes (Montgomery's trick). The lanes are multiplied together, scalar code inverts
// the product, and each lane multiplies the inverse by the other lanes.
//
// The scalar code is safegcd in variable time: Bernstein and Yang, "Fast constant-time gcd computation and
// modular inversion" (2019), sections 8 to 11. It takes 62 division steps at a time, on signed limbs of 62
// bits.
#ifndef STOREKIT_VERIFY_P256_INVERSION_H
#define STOREKIT_VERIFY_P256_INVERSION_H

#include "lanes.h"

#define SIGNED62_MASK ((1ULL << 62) - 1)

/// Limb i weighs 2^(62i). All limbs but the top one are in [0, 2^62).
typedef struct {
    int64_t limb[5];
} signed62;

/// An odd modulus, its inverse mod 2^62, the power of 2^260 that `invert_lanes` multiplies by, and the
/// product function of the lanes.
typedef struct {
    signed62 value;
    uint64_t inverse;
    const constant *power;
    lanes (*product)(lanes, lanes);
} modulus;

/// 62 division steps at once: (f, g) becomes (u f + v g, q f + r g) / 2^62, with |u| + |v| <= 2^62 and |q| +
/// |r| <= 2^62.
typedef struct {
    int64_t u, v, q, r;
} transition;

/// Computes the next 62 steps from these low words of f (odd) and g. `eta` is the paper's -delta.
static int64_t division_steps(int64_t eta, uint64_t f, uint64_t g, transition *t)
{
    uint64_t u = 1, v = 0, q = 0, r = 1;
    int left = 62;
    for (;;) {
        // Steps with g even halve g. Instead of dividing, u and v are doubled; the division by 2^62 comes at
        // the end.
        const int zeros = __builtin_ctzll(g | (~0ULL << left));
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        eta -= zeros;
        left -= zeros;
        if (left == 0) break;
        if (eta < 0) { // delta > 0 and g odd: f and g change places, and the new g is -f.
            const uint64_t old_f = f, old_u = u, old_v = v;
            eta = -eta;
            f = g, u = q, v = r;
            g = 0 - old_f, q = 0 - old_u, r = 0 - old_v;
        }
        // While eta >= 0, a step adds f to an odd g. Of the next eta + 1 steps, up to six are done at once by
        // adding w f, with w = -g / f mod 2^6. The inverse of f mod 64 is f (2 - f^2), because f^2 = 1 mod 8
        // (one step of Newton's method).
        const int steps = eta + 1 < left ? (int)eta + 1 : left;
        const uint64_t w = (g * f * (f * f - 2)) & (~0ULL >> (64 - steps)) & 63;
        g += w * f;
        q += w * u;
        r += w * v;
    }
    *t = (transition){(int64_t)u, (int64_t)v, (int64_t)q, (int64_t)r};
    return eta;
}

/// (a x + b y + k m) / 2^62, exactly. The caller has chosen k so that the low limb of the sum is 0. With a
/// transition's bounds, 0 <= k < 2^62 and limbs within 2^62, a column is within 2^125, and so within 2^127.
static signed62 combined(int64_t a, const signed62 *x, int64_t b, const signed62 *y, int64_t k,
                         const signed62 *m)
{
    signed62 r;
    __int128 column = 0;
    for (int i = 0; i < 5; i++) {
        column += (__int128)a * x->limb[i] + (__int128)b * y->limb[i] + (__int128)k * m->limb[i];
        if (i > 0) r.limb[i - 1] = (int64_t)((uint64_t)column & SIGNED62_MASK);
        column >>= 62;
    }
    r.limb[4] = (int64_t)column;
    return r;
}

/// The k in [0, 2^62) for which a x + b y + k m is a multiple of 2^62.
static int64_t cancelling(int64_t a, int64_t x, int64_t b, int64_t y, const modulus *m)
{
    const uint64_t low = (uint64_t)a * (uint64_t)x + (uint64_t)b * (uint64_t)y;
    return (int64_t)((0 - low * m->inverse) & SIGNED62_MASK);
}

/// a + sign * b.
static signed62 plus(signed62 a, int64_t sign, const signed62 *b)
{
    int64_t carry = 0;
    for (int i = 0; i < 5; i++) {
        carry += a.limb[i] + sign * b->limb[i];
        a.limb[i] = i < 4 ? (int64_t)((uint64_t)carry & SIGNED62_MASK) : carry;
        carry >>= 62;
    }
    return a;
}

/// Replaces x by x^-1 mod m, in [0, m), for 0 <= x < 2^260. Returns false if x is a multiple of m.
///
/// f = d x and g = e x mod m at every round. A round adds at most m to the larger of |d| and |e|. There are
/// at most 13 rounds, and 12 if x is below 2^257. So |d| and |e| stay below 2^260, and their top limbs are
/// within 2^12, without reduction in between.
static bool inverted(signed62 *x, const modulus *m)
{
    const signed62 zero = {{0}};
    signed62 f = m->value, g = *x, d = zero, e = {{1}};
    int64_t eta = -1;
    while ((g.limb[0] | g.limb[1] | g.limb[2] | g.limb[3] | g.limb[4]) != 0) {
        transition t;
        eta = division_steps(eta, (uint64_t)f.limb[0] | (uint64_t)f.limb[1] << 62,
                             (uint64_t)g.limb[0] | (uint64_t)g.limb[1] << 62, &t);
        const signed62 old_f = f, old_d = d;
        f = combined(t.u, &old_f, t.v, &g, 0, &m->value);
        g = combined(t.q, &old_f, t.r, &g, 0, &m->value);
        const int64_t kd = cancelling(t.u, old_d.limb[0], t.v, e.limb[0], m);
        const int64_t ke = cancelling(t.q, old_d.limb[0], t.r, e.limb[0], m);
        d = combined(t.u, &old_d, t.v, &e, kd, &m->value);
        e = combined(t.q, &old_d, t.r, &e, ke, &m->value);
    }
    // f is now plus or minus the greatest common divisor: 1, or m if x is a multiple of it.
    const int64_t sign = f.limb[4] < 0 ? -1 : 1;
    f = plus(zero, sign, &f);
    if (f.limb[0] != 1 || (f.limb[1] | f.limb[2] | f.limb[3] | f.limb[4]) != 0) return false;
    d = plus(zero, sign, &d);
    while (d.limb[4] >= 0) d = plus(d, -1, &m->value);
    while (d.limb[4] < 0) d = plus(d, 1, &m->value);
    *x = d;
    return true;
}

/// Lane 0 of a carried value, converted from limbs of 52 bits to limbs of 62.
static signed62 first_lane(const lanes *a)
{
    uint64_t l[5];
    for (int i = 0; i < 5; i++) l[i] = words_first(a->limb[i]);
    return (signed62){{
        (int64_t)((l[0] | l[1] << 52) & SIGNED62_MASK),
        (int64_t)((l[1] >> 10 | l[2] << 42) & SIGNED62_MASK),
        (int64_t)((l[2] >> 20 | l[3] << 32) & SIGNED62_MASK),
        (int64_t)((l[3] >> 30 | l[4] << 22) & SIGNED62_MASK),
        (int64_t)(l[4] >> 40),
    }};
}

/// A number in [0, 2^256), copied to every lane.
static lanes from_signed62(const signed62 *a)
{
    uint64_t s[5];
    for (int i = 0; i < 5; i++) s[i] = (uint64_t)a->limb[i];
    return from_constant((constant){{
        s[0] & LIMB_MASK,
        (s[0] >> 52 | s[1] << 10) & LIMB_MASK,
        (s[1] >> 42 | s[2] << 20) & LIMB_MASK,
        (s[2] >> 32 | s[3] << 30) & LIMB_MASK,
        (s[3] >> 22 | s[4] << 40) & LIMB_MASK,
    }});
}

/// Gives each lane the number of the lane whose index differs in that bit.
LANES_INLINE lanes exchanged(lanes a, int bit)
{
    for (int i = 0; i < 5; i++) a.limb[i] = words_exchange(a.limb[i], bit);
    return a;
}

/// Replaces a by power / a / 2^260 in every lane, for carried a below 2^257. Returns false if any lane is a
/// multiple of the modulus.
///
/// With power = 2^780 the result is the inverse in Montgomery's form: a stands for a / R, and R^2 / a for its
/// inverse. The result is carried and below 2^257 too, because all products here have such factors.
LANES_INLINE bool invert_lanes(lanes *a, const modulus *m)
{
    // Computes the product of all lanes by exchanging ever larger parts of it, and in each lane the product
    // of all other lanes.
    lanes others = exchanged(*a, 1), all = m->product(*a, others);
#pragma unroll
    for (int bit = 2; bit < LANE_COUNT; bit *= 2) {
        const lanes distant = exchanged(all, bit);
        others = m->product(others, distant);
        all = m->product(all, distant);
    }
    signed62 scalar = first_lane(&all);
    if (!inverted(&scalar, m)) return false;
    *a = m->product(m->product(from_signed62(&scalar), from_constant(*m->power)), others);
    return true;
}

static const modulus prime_modulus = {
    .value = {{0x3fffffffffffffff, 0x00000003ffffffff, 0, 0x3fffffc000000040, 0xff}},
    .inverse = 0x3fffffffffffffff, // p = -1 mod 2^62
    .power = &field_r3,
    .product = factor_product,
};

static const modulus order_modulus = {
    .value = {{0x33b9cac2fc632551, 0x339beab69c5e7a13, 0x3ffffffffffffffb, 0x3fffffc00000003f, 0xff}},
    .inverse = 0x332e375511ff43b1,
    .power = &order_r2,
    .product = order_product,
};

#endif
