// The sum of a signature's table points, u1 * G + u2 * Q: one point from each window, no doublings, no
// infinity.
//
// There are two forms. Mixed Jacobian additions need no inversion; they are for few signatures. Affine
// additions need half as many products and an inversion that the whole batch shares; they are for many.
//
// Both formulas fail only if a point meets itself or its negative. They detect this: that lane becomes
// undecided, and no other lane is affected.
#ifndef STOREKIT_VERIFY_P256_SUMS_H
#define STOREKIT_VERIFY_P256_SUMS_H

#include "inversion.h"
#include "p256_vector.h"

/// 52 windows of five bits for each of G and Q.
#define MAXIMAL_WINDOWS 104

/// As many signatures as there are lanes.
typedef struct {
    lanes r, s, digest; // plain
    lanes prefix;       // part of the batch's product of all s
    words keys;         // addresses of the key tables
    // A bit for each lane:
    uint8_t rejected;  // r or s out of range
    uint8_t ambiguous; // r < p - n: r + n is a second candidate
    uint8_t accepted, undecided;
    /// For each window and lane, the entry's offset in the table, in bytes. Bit 0 is free, since entries take
    /// 64 bytes; it is set if the entry is to be subtracted. G's windows come first, then the key's.
    _Alignas(4 * LANE_COUNT) uint32_t digits[MAXIMAL_WINDOWS][LANE_COUNT];
} group;

/// The tables, and the number of their windows.
typedef struct {
    const uint64_t *generator;
    unsigned generator_windows, windows;
} window_tables;

/// Points of a table or of a sum: x and y, and the lanes in which y is to be negated.
typedef struct {
    lane_pair point;
    lane_mask negative;
} signed_point;

// MARK: Fetching

/// The addresses of a window's points, and the lanes in which they are negative.
LANES_INLINE lane_mask window_addresses(const window_tables *t, const group *g, unsigned window,
                                        uint64_t address[LANE_COUNT])
{
    const words digits = words_load_halves(g->digits[window]), sign = every_lane(1);
    const words base = window < t->generator_windows ? every_lane((uint64_t)t->generator) : g->keys;
    words_store(address, words_add(base, words_and(digits, every_lane(~1ULL))));
    return words_meet(digits, sign);
}

LANES_INLINE signed_point window_points(const window_tables *t, const group *g, unsigned window)
{
    uint64_t address[LANE_COUNT];
    const lane_mask negative = window_addresses(t, g, window, address);
    row rows[LANE_COUNT];
    for (int i = 0; i < LANE_COUNT; i++) rows[i] = row_load((const void *)address[i]);
    return (signed_point){from_rows(rows), negative};
}

/// Prefetches a window's cache lines: a table of 5 MB does not fit the second-level cache.
LANES_INLINE void prefetch_window(const window_tables *t, const group *g, unsigned window)
{
    uint64_t address[LANE_COUNT];
    window_addresses(t, g, window, address);
    for (int i = 0; i < LANE_COUNT; i++) _mm_prefetch((const char *)address[i], _MM_HINT_T0);
}

// MARK: Jacobian form

/// A point (X / Z^2, Y / Z^3). Coordinates are carried. X and Y are below 2.01 p, Z is below 1.4 p.
typedef struct {
    lanes x, y, z;
} jacobian;

/// a, folded, made positive and carried: in (0.99 p, 2.01 p).
LANES_INLINE lanes coordinate(lanes a) { return carried(add_primes(folded(a), 1)); }

/// Adds an affine point to each of one or two sums. Each line is done for both, so that the processor's
/// window holds two independent chains.
///
/// Madd-2004-hmv (Hankerson, Menezes, Vanstone, "Guide to elliptic curve cryptography", algorithm 3.22): 8M +
/// 3S. If the points' x are equal, H is 0, and so is Z, in this and in all later sums. Bounds are in units of
/// p.
LANES_INLINE void add_mixed(jacobian *sum, const signed_point *p, int count)
{
    lanes zz[2], zzz[2], h[2], r[2], hh[2], hhh[2], v[2];
    for (int i = 0; i < count; i++) zz[i] = factor_square(sum[i].z);          // < 1.13
    for (int i = 0; i < count; i++) zzz[i] = factor_product(sum[i].z, zz[i]);  // < 1.1
    for (int i = 0; i < count; i++) {
        h[i] = product(p[i].point.x, zz[i]);                                   // U < 1.1
        h[i] = carried(add_primes(subtract(h[i], sum[i].x), 3));               // H = U - X, in (0.9, 4.1)
    }
    for (int i = 0; i < count; i++) {
        r[i] = negate_where(p[i].negative, product(p[i].point.y, zzz[i]));     // S, in (-1.1, 1.1)
        r[i] = carried(add_primes(subtract(r[i], sum[i].y), 4));               // r = S - Y, in (0.8, 5.1)
    }
    for (int i = 0; i < count; i++) hh[i] = factor_square(h[i]);               // < 2.1
    for (int i = 0; i < count; i++) sum[i].z = factor_product(sum[i].z, h[i]); // Z H < 1.4
    for (int i = 0; i < count; i++) hhh[i] = factor_product(h[i], hh[i]);      // < 1.6
    for (int i = 0; i < count; i++) v[i] = product(sum[i].x, hh[i]);           // V = X HH < 1.3
    for (int i = 0; i < count; i++) { // X = r^2 - HHH - 2V: r^2 < 2.7, the sum in (-4.2, 2.7)
        const lanes x = subtract(subtract(square(r[i]), hhh[i]), add(v[i], v[i]));
        sum[i].x = coordinate(x);
    }
    for (int i = 0; i < count; i++) // V - X, in (0.9, 4.3)
        v[i] = carried(add_primes(subtract(v[i], sum[i].x), 3));
    for (int i = 0; i < count; i++) // Y = r (V - X) - Y HHH, in (-1.3, 2.4)
        sum[i].y = coordinate(subtract(product(r[i], v[i]), product(sum[i].y, hhh[i])));
}

/// Sums the points of one or two groups, and checks x / Z^2 = r mod p without a division.
static inline void judge_jacobian(const window_tables *t, group *groups, int count)
{
    jacobian sum[2];
    for (int i = 0; i < count; i++) {
        const signed_point first = window_points(t, &groups[i], 0);
        // y or p - y, both in [0, p].
        const lanes zero = from_constant((constant){{0}});
        const lanes shift = choose(first.negative, zero, from_constant(field_prime));
        sum[i].x = first.point.x;
        sum[i].y = carried(add(negate_where(first.negative, first.point.y), shift));
        sum[i].z = from_constant(field_one);
    }
    for (unsigned window = 1; window < t->windows; window++) {
        signed_point next[2];
        for (int i = 0; i < count; i++) next[i] = window_points(t, &groups[i], window);
        if (window + 1 < t->windows)
            for (int i = 0; i < count; i++) prefetch_window(t, &groups[i], window + 1);
        add_mixed(sum, next, count);
    }
    for (int i = 0; i < count; i++) {
        const lanes zz = factor_square(sum[i].z); // < 1.13 p
        const lanes r = factor_product(groups[i].r, from_constant(field_r2)); // r R < 2 p
        const lanes difference = subtract(sum[i].x, product(r, zz)); // in (-1.2 p, 2.01 p)
        groups[i].accepted = mask_bits(zero_lanes(carried(add_primes(difference, 2))));
        groups[i].undecided = mask_bits(zero_lanes(sum[i].z));
    }
}

// MARK: Affine form, for a batch

/// A pending addition: the point to add (y signed, not carried), x2 - x1, and the product of the differences
/// before it.
typedef struct {
    lane_pair point;
    lanes difference, prefix;
} addition;

/// The sums of a batch. Each signature has `accumulators` sums, each over a run of its windows. Those of
/// accumulator a start at a * groups, one for each group. An even number of groups makes two chains of
/// products.
typedef struct {
    const window_tables *tables;
    group *groups;
    unsigned group_count, accumulators;
    lane_pair *sums;
    addition *additions;
} batch;

/// The number of longer runs of windows. The other runs have one window less.
LANES_INLINE unsigned longer_runs(const batch *b) { return b->tables->windows % b->accumulators; }
LANES_INLINE unsigned common_length(const batch *b) { return b->tables->windows / b->accumulators; }

/// The window that an accumulator adds in one step.
LANES_INLINE unsigned window_of(const batch *b, unsigned accumulator, unsigned step)
{
    const unsigned longer = longer_runs(b);
    return accumulator * common_length(b) + (accumulator < longer ? accumulator : longer) + step;
}

LANES_INLINE lane_pair window_sum(const batch *b, unsigned accumulator, unsigned step, unsigned index)
{
    signed_point p = window_points(b->tables, &b->groups[index], window_of(b, accumulator, step));
    p.point.y = negate_where(p.negative, p.point.y);
    return p.point;
}

/// Multiplies two differences, each to the chain of its parity. The chains start with 1, which stands for 1 /
/// R; this factor cancels.
LANES_INLINE void extend_chains(addition *pair, lanes chain[2])
{
    for (int c = 0; c < 2; c++) pair[c].prefix = chain[c];
    for (int c = 0; c < 2; c++) chain[c] = factor_product(chain[c], pair[c].difference);
}

/// If x2 = x1 the formula has no value. The lane is undecided from here on, and continues with 1 as its
/// difference.
static void excuse_exceptional(batch *b, unsigned count, lanes chain[2])
{
    chain[0] = chain[1] = from_constant(unit);
    for (unsigned i = 0; i < count; i++) {
        addition *a = &b->additions[i];
        const lane_mask exceptional = zero_lanes(a->difference);
        a->difference = choose(exceptional, a->difference, from_constant(unit));
        b->groups[i % b->group_count].undecided |= mask_bits(exceptional);
    }
    for (unsigned i = 0; i < count; i += 2) extend_chains(&b->additions[i], chain);
}

/// Inverts both chains, of `count` additions in total.
static void invert_chains(batch *b, unsigned count, lanes chain[2])
{
    lanes both = factor_product(chain[0], chain[1]);
    // p is prime, so the product is zero only if a difference is. Only then are the differences tested one by
    // one.
    if (!invert_lanes(&both, &prime_modulus)) {
        excuse_exceptional(b, count, chain);
        both = factor_product(chain[0], chain[1]);
        invert_lanes(&both, &prime_modulus);
    }
    const lanes second = factor_product(both, chain[0]);
    chain[0] = factor_product(both, chain[1]);
    chain[1] = second;
}

/// Adds two prepared points to two sums, and removes their differences from the chains of inverses: 5M + 1S
/// each.
///
/// Bounds are in units of p. A sum's x and y are folded, in (-2^229, 2^256 + 2^229), or from a table, with x
/// in [0, 1) and y in (-1, 1). Their limbs are not carried: an addition widens the limbs of x by less than
/// 2^53, and those of y by less than 15 * 2^52 + 2^49 < 2^56. A sum takes part in at most 26 + 2 additions
/// (104 windows, four accumulators), so limbs stay within 2^61 and differences within 2^62.
LANES_INLINE void add_pair(lane_pair *sum, const addition *next, lanes chain[2])
{
    lanes inverse[2], slope[2], x[2], fall[2];
    // Prefixes and chains are below 1.3, because 1.3 * 3.1 / 16 + 1 < 1.3.
    for (int c = 0; c < 2; c++) inverse[c] = factor_product(chain[c], next[c].prefix);
    for (int c = 0; c < 2; c++) chain[c] = factor_product(chain[c], next[c].difference);
    for (int c = 0; c < 2; c++) {
        const lanes rise = carried(add_primes(subtract(next[c].point.y, sum[c].y), 3)); // in (0.9, 5.1)
        slope[c] = factor_product(rise, inverse[c]);                                   // < 1.5
    }
    for (int c = 0; c < 2; c++) // x3 = slope^2 - x1 - x2, before folding in (-2.1, 1.2)
        x[c] = folded(subtract(subtract(square(slope[c]), sum[c].x), next[c].point.x));
    for (int c = 0; c < 2; c++) {
        // x1 - x3 + 2p, in (0.9, 3.1), is carried to be a factor. Subtracting it gives x3 with smaller limbs.
        const lanes shifted = add_primes(sum[c].x, 2);
        fall[c] = carried(subtract(shifted, x[c]));
        sum[c].x = subtract(shifted, fall[c]);
    }
    for (int c = 0; c < 2; c++) // y3 = slope (x1 - x3) - y1, before folding in (-1.1, 2.3)
        sum[c].y = folded(subtract(product(slope[c], fall[c]), sum[c].y));
}

/// Adds once to the sums of the first `active` accumulators. It adds the points of their windows in this step
/// or, when merging, the sums of the next `active` accumulators. It also prefetches the points of the next
/// step.
static void add_step(batch *b, unsigned step, unsigned active, unsigned active_next, bool merging)
{
    const unsigned groups = b->group_count, count = active * groups;
    lanes chain[2] = {from_constant(unit), from_constant(unit)};
    for (unsigned a = 0; a < active; a++) {
        for (unsigned g = 0; g < groups; g += 2) {
            const unsigned i = a * groups + g;
            for (unsigned c = 0; c < 2; c++) {
                addition *next = &b->additions[i + c];
                next->point = merging ? b->sums[count + i + c] : window_sum(b, a, step, g + c);
                // In (0.9 p, 3.1 p).
                next->difference = carried(add_primes(subtract(next->point.x, b->sums[i + c].x), 2));
            }
            extend_chains(&b->additions[i], chain);
        }
    }
    invert_chains(b, count, chain);
    for (unsigned a = active; a-- > 0;) {
        for (unsigned g = groups; g > 0; g -= 2) {
            const unsigned i = a * groups + g - 2;
            if (a < active_next)
                for (unsigned c = 0; c < 2; c++)
                    prefetch_window(b->tables, &b->groups[g - 2 + c], window_of(b, a, step + 1));
            add_pair(&b->sums[i], &b->additions[i], chain);
        }
    }
}

/// Sums the points of all groups, and checks x = r mod p.
static void judge_batch(batch *b)
{
    const unsigned common = common_length(b), longer = longer_runs(b), all = b->accumulators;
    for (unsigned a = 0; a < all; a++) {
        for (unsigned g = 0; g < b->group_count; g++) {
            b->sums[a * b->group_count + g] = window_sum(b, a, 0, g);
            prefetch_window(b->tables, &b->groups[g], window_of(b, a, 1));
        }
    }
    for (unsigned step = 1; step < common; step++)
        add_step(b, step, all, step + 1 < common ? all : longer, false);
    if (longer > 0) add_step(b, common, longer, 0, false);
    for (unsigned half = all / 2; half > 0; half /= 2) add_step(b, 0, half, 0, true);

    for (unsigned g = 0; g < b->group_count; g++) {
        const lanes r = factor_product(b->groups[g].r, from_constant(field_r2)); // r R < 2 p
        const lanes difference = add_primes(subtract(b->sums[g].x, r), 3); // in (0.9 p, 4.1 p)
        b->groups[g].accepted = mask_bits(zero_lanes(carried(difference)));
    }
}

#endif
