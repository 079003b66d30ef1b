// One level of a key's table: the multiples that are there already, each plus one point of its window.
// P256Verification/PointStorage.swift says why no such sum has equal abscissas.
#ifndef STOREKIT_VERIFY_P256_TABLES_H
#define STOREKIT_VERIFY_P256_TABLES_H

#include "sums.h"

/// Groups of points that share an inversion. Their memory fits a second-level cache.
#define LEVEL_GROUPS 256

size_t LEVEL_SCRATCH_BYTES(void) { return LEVEL_GROUPS * (sizeof(lane_pair) + sizeof(addition)); }

/// The points of as many rows as there are lanes, from `first` on or all the same.
LANES_INLINE lane_pair points_at(const uint64_t *first, unsigned distance)
{
    row rows[LANE_COUNT];
    for (unsigned i = 0; i < LANE_COUNT; i++) rows[i] = row_load(first + i * distance);
    return from_rows(rows);
}

/// A folded coordinate, fully reduced: in [0, p).
LANES_INLINE lanes canonical(lanes a)
{
    // One in Montgomery's form is below 2^228, so the product is below p + 2^226.
    const lanes product = factor_product(carried(add_primes(a, 1)), from_constant(field_one));
    const lanes less = carried(subtract(product, from_constant(field_prime)));
    return choose(less_lanes(product, field_prime), less, product);
}

/// Five limbs of 52 bits as four of 64.
LANES_INLINE void store_words(lanes a, uint64_t word[4][LANE_COUNT])
{
    words_store(word[0], words_add(a.limb[0], words_left(a.limb[1], 52)));
    words_store(word[1], words_add(words_right(a.limb[1], 12), words_left(a.limb[2], 40)));
    words_store(word[2], words_add(words_right(a.limb[2], 24), words_left(a.limb[3], 28)));
    words_store(word[3], words_add(words_right(a.limb[3], 36), words_left(a.limb[4], 16)));
}

static void store_points(const lane_pair *sum, uint64_t *first)
{
    uint64_t words[8][LANE_COUNT];
    store_words(canonical(sum->x), words);
    store_words(canonical(sum->y), words + 4);
    for (unsigned lane = 0; lane < LANE_COUNT; lane++)
        for (unsigned i = 0; i < 8; i++) first[8 * lane + i] = words[i][lane];
}

/// Adds the points of a block's groups, and stores the sums. Returns false if a difference is zero.
static bool add_groups(lane_pair *sums, addition *additions, uint64_t *const *places, unsigned count)
{
    lanes chain[2] = {from_constant(unit), from_constant(unit)};
    for (unsigned i = 0; i < count; i += 2) extend_chains(&additions[i], chain);
    lanes both = factor_product(chain[0], chain[1]);
    if (!invert_lanes(&both, &prime_modulus)) return false;
    const lanes second = factor_product(both, chain[0]);
    chain[0] = factor_product(both, chain[1]);
    chain[1] = second;
    for (unsigned i = count; i > 0; i -= 2) add_pair(&sums[i - 2], &additions[i - 2], chain);
    for (unsigned i = 0; i < count; i++) store_points(&sums[i], places[i]);
    return true;
}

static bool add_level(uint64_t *table, unsigned windows, unsigned entries, unsigned present,
                      const uint64_t *steps, void *scratch)
{
    lane_pair *const sums = scratch;
    addition *const additions = (addition *)(sums + LEVEL_GROUPS);
    uint64_t *places[LEVEL_GROUPS];
    unsigned count = 0;
    for (unsigned window = 0; window < windows; window++) {
        const lane_pair step = points_at(steps + 8 * window, 0);
        for (unsigned entry = 0; entry < present; entry += LANE_COUNT) {
            uint64_t *const first = table + 8 * ((size_t)window * entries + entry);
            sums[count] = points_at(first, 8);
            additions[count].point = step;
            // In (p, 3 p).
            additions[count].difference = carried(add_primes(subtract(step.x, sums[count].x), 2));
            places[count++] = first + 8 * (size_t)present;
            const bool is_last = window + 1 == windows && entry + LANE_COUNT >= present;
            if (is_last && count % 2 == 1) { // Two chains need an even number.
                sums[count] = sums[count - 1], additions[count] = additions[count - 1];
                places[count] = places[count - 1], count++;
            }
            if (count < LEVEL_GROUPS && !is_last) continue;
            if (!add_groups(sums, additions, places, count)) return false;
            count = 0;
        }
    }
    return true;
}

bool ADD_LEVEL(uint64_t *table, unsigned windows, unsigned entries, unsigned present, const uint64_t *steps,
               void *scratch)
{
    const unsigned mode = enter_arithmetic();
    const bool is_made = add_level(table, windows, entries, present, steps, scratch);
    leave_arithmetic(mode);
    return is_made;
}

#endif
