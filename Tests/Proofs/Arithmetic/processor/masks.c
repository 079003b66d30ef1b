// Masks of lanes as this processor makes them, for every set of lanes: as bits, as the choice of words, and combined.
#include <stdio.h>

#include "fits.h"

#pragma clang attribute push(__attribute__((target(TARGET))), apply_to = function)

#include WORDS

/// The lanes that a mask chooses.
static unsigned chosen(lane_mask mask)
{
    uint64_t word[LANE_COUNT];
    unsigned lanes = 0;
    words_store(word, words_choose(mask, every_lane(0), every_lane(~0ULL)));
    for (int lane = 0; lane < LANE_COUNT; lane++) lanes |= (unsigned)(word[lane] == ~0ULL) << lane;
    return lanes;
}

static long tried, wrong;

static void expect(lane_mask mask, unsigned lanes)
{
    tried++;
    if (mask_bits(mask) != lanes || chosen(mask) != lanes) wrong++;
}

static void try_all(void)
{
    enum { ALL = (1 << LANE_COUNT) - 1 };
    for (unsigned a = 0; a <= ALL; a++) {
        expect(mask_of_bits((uint8_t)a), a);
        const words signs = words_choose(mask_of_bits((uint8_t)a), every_lane(1), every_lane(0 - 1ULL));
        expect(words_negative(signs), a);
        expect(words_equal(signs, every_lane(1)), a ^ ALL);
        expect(words_meet(signs, every_lane(2)), a), expect(words_miss(signs, every_lane(2)), a ^ ALL);
        for (unsigned b = 0; b <= ALL; b++) {
            expect(mask_and(mask_of_bits((uint8_t)a), mask_of_bits((uint8_t)b)), a & b);
            expect(mask_or(mask_of_bits((uint8_t)a), mask_of_bits((uint8_t)b)), a | b);
            expect(mask_xor(mask_of_bits((uint8_t)a), mask_of_bits((uint8_t)b)), a ^ b);
        }
    }
}

#pragma clang attribute pop

int main(void)
{
    if (!fits(INSTRUCTIONS)) return 77;
    try_all();
    printf("%ld %ld\n", tried, wrong);
    return wrong != 0;
}
