// The sums of sums.h, unchanged, in every shape: all numbers of windows of G and of the key, all numbers of accumulators, and
// several numbers of groups. Which windows are added when depends on the shape alone. Here the points are of a curve over a
// large field, so that no addition is exceptional, and a window that is left out or added twice gives another sum.
#include <stdio.h>
#include <string.h>

#include "points.h"

#include "sums.h"

enum { GROUPS = 128, ENTRIES = 2 };

typedef int64_t window_entries[ENTRIES][8];
static _Alignas(64) window_entries tables[2][MAXIMAL_WINDOWS]; // of G and of the key
static group groups[GROUPS];
static lane_pair sums[16 * GROUPS];
static addition additions[16 * GROUPS];
static uint64_t state = 1;

static uint64_t next_random(void)
{
    state = state * 6364136223846793005 + 1442695040888963407;
    return state >> 33;
}

/// A point of y^2 = x^3 - 3x + 7. The prime is 3 modulo 4, so that a power is a root.
static point random_point(void)
{
    for (;;) {
        const int64_t x = (int64_t)next_random() % prime;
        const int64_t square = residue(residue(x * x % prime * x) - 3 * x + 7), y = power_of(square, (prime + 1) / 4);
        if (y * y % prime == square) return (point){x, y, false};
    }
}

/// Chooses an entry and a sign of each window for a group; its sum's abscissa is the group's r.
static void choose_digits(group *g, unsigned generator_windows, unsigned windows)
{
    point sum = {0, 0, true};
    for (unsigned w = 0; w < windows; w++) {
        const unsigned entry = next_random() % ENTRIES, negative = next_random() % 2;
        const bool is_key = w >= generator_windows;
        const unsigned place = is_key ? w - generator_windows : w;
        const int64_t *coordinates = tables[is_key][place][entry];
        const point p = {coordinates[0], coordinates[1], false};
        sum = sum_of(sum, negative ? negative_of(p) : p);
        g->digits[w][0] = (uint32_t)(place * ENTRIES + entry) * 64 + negative;
    }
    g->r.value = sum.x, g->keys = (uint64_t)tables[1], g->accepted = g->undecided = 0;
}

static long shapes, wrong;

static void try_shape(unsigned generator_windows, unsigned windows, unsigned accumulators, unsigned count)
{
    const window_tables t = {(const uint64_t *)tables[0], generator_windows, windows};
    for (unsigned i = 0; i < count; i++) choose_digits(&groups[i], generator_windows, windows);
    if (accumulators == 0)
        judge_jacobian(&t, groups, (int)count);
    else
        judge_batch(&(batch){&t, groups, count, accumulators, sums, additions});
    for (unsigned i = 0; i < count; i++)
        if (!groups[i].accepted || groups[i].undecided) wrong++;
    shapes++;
}

/// The number of windows of a width, as in kernel.h.
static unsigned window_count(unsigned bits) { return (256 + bits - 1) / bits; }

int main(void)
{
    prime = (1 << 28) - 57; // products of some multiples of it fit 63 bits
    for (int w = 0; w < 2 * MAXIMAL_WINDOWS; w++)
        for (int i = 0; i < ENTRIES; i++) {
            const point p = random_point();
            int64_t *coordinates = tables[w % 2][w / 2][i];
            coordinates[0] = p.x, coordinates[1] = p.y;
        }
    for (unsigned g = 5; g <= 16; g++)
        for (unsigned k = 5; k <= 16; k++) {
            const unsigned first = window_count(g), windows = first + window_count(k);
            try_shape(first, windows, 0, 1), try_shape(first, windows, 0, 2);
            for (unsigned accumulators = 4; accumulators <= 16; accumulators *= 2)
                for (unsigned count = 2; count <= GROUPS; count = count < 8 ? count + 2 : 4 * count)
                    try_shape(first, windows, accumulators, count);
        }
    printf("%ld %ld\n", shapes, wrong);
    return wrong != 0;
}
