// Random tests of the kernel's functions: a checksum of what each one gives for a million random inputs. Two texts of the
// kernel that are told apart by no such input print the same. Values are compared modulo p or n, digits and verdicts as
// they are.
#include <stdio.h>
#include <string.h>

#include "../processor/fits.h"

#pragma clang attribute push(__attribute__((target(TARGET))), apply_to = function)

#include WORDS

#include "lanes.h"

#define SCRATCH_BYTES scratch_bytes
#define VERIFY verify
#define LEVEL_SCRATCH_BYTES level_scratch_bytes
#define ADD_LEVEL add_level_of_table
#define BATCH_GROUPS 4
#define EIGHT_ACCUMULATOR_GROUPS 10
#include "kernel.h"

#define ROUNDS (1000000 / LANE_COUNT)

static uint64_t state, checksum;

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
static uint64_t next_random(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static void begin(void) { state = 1, checksum = 0xcbf29ce484222325; }
static void end(const char *function) { printf("%s %016llx\n", function, (unsigned long long)checksum); }
static void mix(uint64_t word) { checksum = (checksum ^ word) * 0x100000001b3; }

/// A carried number below `top` * 2^208.
static lanes random_number(uint64_t top)
{
    uint64_t word[LANE_COUNT];
    lanes r;
    for (int i = 0; i < 5; i++) {
        for (int lane = 0; lane < LANE_COUNT; lane++)
            word[lane] = i < 4 ? next_random() & LIMB_MASK : next_random() % top;
        r.limb[i] = words_load(word);
    }
    return r;
}

/// Below p and below n: the top limb of neither is reached.
static lanes random_residue(void) { return random_number(0xffffffff0000); }

/// Carries limbs, which may be negative.
static void carry(int64_t limb[5])
{
    for (int i = 0; i < 4; i++) limb[i + 1] += limb[i] >> 52, limb[i] &= (int64_t)LIMB_MASK;
}

/// Mixes a number modulo m. It may be negative, down to -32 m.
static void mix_number(lanes a, constant m)
{
    int64_t word[5][LANE_COUNT];
    for (int i = 0; i < 5; i++) words_store(word[i], a.limb[i]);
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        int64_t limb[5], less[5];
        for (int i = 0; i < 5; i++) limb[i] = word[i][lane] + 32 * (int64_t)m.limb[i];
        carry(limb);
        for (int turn = 0; turn < 100; turn++) {
            for (int i = 0; i < 5; i++) less[i] = limb[i] - (int64_t)m.limb[i];
            carry(less);
            if (less[4] < 0) break;
            memcpy(limb, less, sizeof limb);
        }
        for (int i = 0; i < 5; i++) mix((uint64_t)limb[i]);
    }
}

static void try_products(void)
{
    begin();
    for (int i = 0; i < ROUNDS; i++) {
        const lanes a = random_residue(), b = random_residue();
        mix_number(product(a, b), field_prime), mix_number(factor_product(a, b), field_prime);
        mix_number(factor_square(a), field_prime);
        mix_number(canonical(folded(subtract(product(a, b), a))), field_prime);
        mix(mask_bits(zero_lanes(a)));
        mix(mask_bits(zero_lanes(add_primes(from_constant((constant){{0}}), 1 + (unsigned)i % 3))));
    }
    end("products modulo p");
    begin();
    for (int i = 0; i < ROUNDS; i++) {
        const lanes u = order_residue(random_residue(), random_number(1ULL << 48));
        mix_number(u, order), mix(mask_bits(less_lanes(u, order)));
    }
    end("products modulo n");
}

static signed_point random_point(void)
{
    return (signed_point){{random_residue(), random_residue()}, mask_of_bits((uint8_t)next_random() & (1 << LANE_COUNT) - 1)};
}

/// Sums of fifty points, from a point on; and of as many in affine form, with any numbers as inverses.
static void try_sums(void)
{
    begin();
    jacobian sum = {{{0}}};
    for (int i = 0; i < ROUNDS; i++) {
        const signed_point next = random_point();
        if (i % 50 == 0) sum = (jacobian){next.point.x, next.point.y, from_constant(field_one)};
        add_mixed(&sum, &next, 1);
        mix_number(sum.x, field_prime), mix_number(sum.y, field_prime), mix_number(sum.z, field_prime);
    }
    end("Jacobian sums");
    begin();
    lane_pair sums[2];
    for (int i = 0; i < ROUNDS / 2; i++) {
        lanes chain[2];
        addition next[2];
        for (int c = 0; c < 2; c++) {
            const signed_point p = random_point();
            if (i % 25 == 0) sums[c] = p.point;
            next[c] = (addition){{p.point.x, negate_where(p.negative, p.point.y)}, random_residue(), random_residue()};
            next[c].difference = carried(add_primes(subtract(p.point.x, sums[c].x), 2));
            chain[c] = random_residue();
        }
        add_pair(sums, next, chain);
        for (int c = 0; c < 2; c++) mix_number(sums[c].x, field_prime), mix_number(sums[c].y, field_prime);
    }
    end("affine sums");
}

static void try_inversions(void)
{
    begin();
    for (int i = 0; i < ROUNDS; i++) {
        lanes a = random_residue(), b = random_residue();
        mix(invert_lanes(&a, &prime_modulus)), mix(invert_lanes(&b, &order_modulus));
        mix_number(a, field_prime), mix_number(b, order);
    }
    end("inversions");
}

/// Signatures, of which one in sixteen has s = 0.
static void try_groups(void)
{
    begin();
    static group g;
    static uint8_t signatures[64 * LANE_COUNT], digests[32 * LANE_COUNT];
    const uint64_t *keys[LANE_COUNT] = {0};
    for (int i = 0; i < ROUNDS; i++) {
        for (size_t j = 0; j < sizeof signatures; j++) signatures[j] = (uint8_t)next_random();
        for (size_t j = 0; j < sizeof digests; j++) digests[j] = (uint8_t)next_random();
        for (int lane = 0; lane < LANE_COUNT; lane++)
            if (next_random() % 16 == 0) memset(signatures + 64 * lane + 32, 0, 32);
        load_group(&g, 0, LANE_COUNT, keys, digests, signatures);
        mix(g.rejected), mix(g.ambiguous);
        mix_number(g.r, order), mix_number(g.s, order), mix_number(g.digest, order);
    }
    end("signatures");
    begin();
    for (int i = 0; i < ROUNDS; i++) {
        const unsigned bits = 5 + (unsigned)i % 12;
        write_digits(g.digits, random_residue(), bits);
        for (unsigned w = 0; w < window_count(bits); w++)
            for (int lane = 0; lane < LANE_COUNT; lane++) mix(g.digits[w][lane]);
    }
    end("digits");
}

/// Whole judgements of two groups of one window each and a key, in both forms: every sum is compared with some r.
static void try_judgements(void)
{
    begin();
    static group g[2];
    static _Alignas(64) uint64_t table[2 * LANE_COUNT][8];
    static lane_pair sums[2];
    static addition additions[2];
    const window_tables tables = {table[0], 1, 2};
    for (int i = 0; i < ROUNDS / 8; i++) {
        for (int j = 0; j < 2 * LANE_COUNT; j++)
            for (int k = 0; k < 8; k++) table[j][k] = next_random() >> (k % 4 == 3);
        for (int j = 0; j < 2; j++) {
            for (int lane = 0; lane < LANE_COUNT; lane++)
                g[j].digits[0][lane] = (uint32_t)lane * 64 + (next_random() & 1),
                g[j].digits[1][lane] = (uint32_t)(LANE_COUNT + lane) * 64 + (next_random() & 1);
            g[j].keys = every_lane((uint64_t)table), g[j].r = random_residue(), g[j].undecided = 0;
        }
        judge_jacobian(&tables, g, 2);
        for (int j = 0; j < 2; j++) mix(g[j].accepted), mix(g[j].undecided), g[j].undecided = 0;
        judge_batch(&(batch){&tables, g, 2, 1, sums, additions});
        for (int j = 0; j < 2; j++) mix(g[j].accepted), mix(g[j].undecided), mix_number(sums[j].x, field_prime);
    }
    end("judgements");
}

static void try_all(void)
{
    const unsigned mode = enter_arithmetic();
    try_products(), try_sums(), try_inversions(), try_groups(), try_judgements();
    leave_arithmetic(mode);
}

#pragma clang attribute pop

int main(void)
{
    if (!fits(INSTRUCTIONS)) return 77;
    try_all();
}
