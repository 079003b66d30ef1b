// The kernel's entry: scalars and digits, the batch's shape, verdicts. kernel_avx512.c and kernel_avx2.c
// compile it, each with its own words. They define VERIFY and SCRATCH_BYTES, the names of its functions
// (p256_vector.h documents these). They also define BATCH_GROUPS and EIGHT_ACCUMULATOR_GROUPS, which depend
// on the speed of the products.
#ifndef STOREKIT_VERIFY_P256_KERNEL_H
#define STOREKIT_VERIFY_P256_KERNEL_H

#include "kernels.h"
#include "sums.h"
#include "tables.h"

/// The number of groups that share their inversions. The working set of 512 signatures with four accumulators
/// each is 500 kB, and fits a second-level cache of 1 MB or more. Larger batches gain nothing.
#define BLOCK_GROUPS (512 / LANE_COUNT)

/// From this number of groups on, four accumulators are as good as eight: there are enough additions to share
/// an inversion, some 1.5 us. For the same reason there are eight accumulators from EIGHT_ACCUMULATOR_GROUPS
/// on, and sixteen below. Below BATCH_GROUPS groups are summed in Jacobian form, without inversions.
#define FOUR_ACCUMULATOR_GROUPS (256 / LANE_COUNT)
#define MAXIMAL_SUMS (4 * BLOCK_GROUPS)

static unsigned window_count(unsigned bits) { return (256 + bits - 1) / bits; }

/// The number of groups for `count` signatures of a block; even, as the batch form requires.
static size_t padded_groups(size_t count)
{
    const size_t groups = (count + 2 * LANE_COUNT - 1) / (2 * LANE_COUNT) * 2;
    return groups < BLOCK_GROUPS ? groups : BLOCK_GROUPS;
}

size_t SCRATCH_BYTES(size_t count)
{
    const size_t groups = padded_groups(count);
    const size_t sums = 16 * groups < MAXIMAL_SUMS ? 16 * groups : MAXIMAL_SUMS;
    return groups * sizeof(group) + sums * (sizeof(lane_pair) + sizeof(addition));
}

// MARK: Scalars

/// Loads the signatures of a group, from `first` on, and their digests. Lanes beyond the end repeat the last
/// signature.
static void load_group(group *g, size_t first, size_t count, const uint64_t *const *keys,
                       const uint8_t *digests, const uint8_t *signatures)
{
    row signature[LANE_COUNT], digest[LANE_COUNT];
    uint64_t key[LANE_COUNT];
    for (size_t lane = 0; lane < LANE_COUNT; lane++) {
        const size_t index = first + lane < count ? first + lane : count - 1;
        signature[lane] = row_load_big_endian(signatures + 64 * index);
        digest[lane] = row_load_big_endian_x(digests + 32 * index);
        key[lane] = (uint64_t)keys[index];
    }
    const lane_pair rs = from_rows(signature);
    const constant zero = {{0}};
    const lane_mask in_range = mask_and(less_lanes(rs.x, order), less_lanes(rs.y, order));
    const lane_mask either_zero = mask_or(equal_lanes(rs.x, zero), equal_lanes(rs.y, zero));
    const uint8_t all = (1 << LANE_COUNT) - 1;
    g->rejected = (uint8_t)((mask_bits(in_range) ^ all) | mask_bits(either_zero));
    g->ambiguous = mask_bits(less_lanes(rs.x, prime_minus_order));
    g->undecided = 0;
    g->r = rs.x;
    // A rejected s is replaced by 1, to keep the product of all s invertible.
    g->s = choose(mask_of_bits(g->rejected), rs.y, from_constant(unit));
    g->digest = from_rows(digest).x;
    g->keys = words_load(key);
}

/// u in [0, n), the product of two factors modulo n.
LANES_INLINE lanes order_residue(lanes a, lanes b)
{
    const lanes u = order_product(a, b); // below 2^513 / 2^260 + n < 2n
    const lanes less = carried(subtract(u, from_constant(order)));
    return choose(less_lanes(u, order), less, u);
}

/// Writes u, in [0, n), as a sum of d_i 2^(w i) with odd digits |d_i| < 2^w (Joye and Tunstall, "Exponent
/// recoding and regular exponentiation algorithms", 2009). No digit is zero.
///
/// An even u is replaced by n - u, which is odd, and all signs are flipped. 0 becomes n: its sum either meets
/// an exceptional addition, or is infinity and correctly left out. Let v = (u - 1) / 2 + 2^(w k - 1) with
/// digits v_i to the base 2^w. Then d_i = 2 v_i - (2^w - 1), because the constants add up to 2^(w k) - 1. So
/// d_i is negative if bit w - 1 of v_i is clear. The entry of |d_i| = 2j + 1 is j = v_i or its complement,
/// without that bit.
static void write_digits(uint32_t (*digits)[LANE_COUNT], lanes u, unsigned bits)
{
    const unsigned windows = window_count(bits), top = windows * bits - 1; // 255 <= top < 271
    const words one = every_lane(1), sign = every_lane(1ULL << (bits - 1));
    const lane_mask flipped = words_miss(u.limb[0], one);
    u = choose(flipped, u, carried(subtract(from_constant(order), u)));

    words v[7]; // u / 2 < 2^255, so that bit `top` is clear before it is set
    for (int i = 0; i < 5; i++) {
        v[i] = words_right(u.limb[i], 1);
        if (i < 4) v[i] = words_or(v[i], words_left(words_and(u.limb[i + 1], one), 51));
    }
    v[5] = v[6] = every_lane(0);
    v[top / 52] = words_or(v[top / 52], every_lane(1ULL << (top % 52)));

    for (unsigned i = 0; i < windows; i++) {
        const unsigned limb = bits * i / 52, shift = bits * i % 52;
        const words digit = words_or(words_right(v[limb], shift), words_left(v[limb + 1], 52 - shift));
        const lane_mask negative = words_miss(digit, sign);
        words entry = words_choose(negative, digit, words_subtract(every_lane(~0ULL), digit));
        entry = words_and(entry, every_lane((1ULL << (bits - 1)) - 1));
        entry = words_add(entry, every_lane((uint64_t)i << (bits - 1)));
        entry = words_left(entry, 6); // below 2^25: 64 bytes, 2^15 points, 16 windows
        entry = words_choose(mask_xor(negative, flipped), entry, words_or(entry, one));
        words_store_halves(digits[i], entry);
    }
}

/// u1 = digest / s and u2 = r / s mod n, as digits, with one inversion for all groups.
static void prepare_scalars(const struct p256_vector_tables *tables, group *groups, size_t group_count)
{
    lanes chain = from_constant(unit);
    for (size_t g = 0; g < group_count; g++) {
        groups[g].prefix = chain;
        chain = order_product(chain, groups[g].s);
    }
    // No s is 0 mod n. The inverses have a factor 2^260, so that a Montgomery product with one divides by s.
    invert_lanes(&chain, &order_modulus);
    for (size_t g = group_count; g-- > 0;) {
        const lanes inverse = order_product(chain, groups[g].prefix);
        chain = order_product(chain, groups[g].s);
        uint32_t (*digits)[LANE_COUNT] = groups[g].digits;
        write_digits(digits, order_residue(groups[g].digest, inverse), tables->generator_bits);
        write_digits(digits + window_count(tables->generator_bits), order_residue(groups[g].r, inverse),
                     tables->key_bits);
    }
}

// MARK: Verifying

static uint8_t verdict(const group *g, size_t lane)
{
    if (g->rejected >> lane & 1) return P256_VECTOR_INVALID;
    if (g->undecided >> lane & 1) return P256_VECTOR_UNDECIDED;
    if (g->accepted >> lane & 1) return P256_VECTOR_VALID;
    return g->ambiguous >> lane & 1 ? P256_VECTOR_UNDECIDED : P256_VECTOR_INVALID;
}

static unsigned accumulators_of(unsigned group_count)
{
    if (group_count < EIGHT_ACCUMULATOR_GROUPS) return 16;
    return group_count < FOUR_ACCUMULATOR_GROUPS ? 8 : 4;
}

/// Sums and compares `group_count` groups. `memory` has room for these, plus one more if their number is odd.
static void judge(const window_tables *tables, group *groups, unsigned group_count, void *memory)
{
    if (group_count < BATCH_GROUPS) {
        for (unsigned g = 0; g + 1 < group_count; g += 2) judge_jacobian(tables, &groups[g], 2);
        if (group_count % 2 != 0) judge_jacobian(tables, &groups[group_count - 1], 1);
        return;
    }
    const unsigned accumulators = accumulators_of(group_count);
    lane_pair *sums = memory;
    judge_batch(&(batch){
        .tables = tables,
        .groups = groups,
        .group_count = group_count,
        .accumulators = accumulators,
        .sums = sums,
        .additions = (addition *)(sums + accumulators * group_count),
    });
}

// Not inlined, so that no arithmetic moves outside the rounding mode that it needs.
static __attribute__((noinline)) void verify_all(const struct p256_vector_tables *tables, size_t count,
                                                 const uint64_t *const *keys, const uint8_t *digests,
                                                 const uint8_t *signatures, uint8_t *verdicts, void *scratch)
{
    const unsigned generator_windows = window_count(tables->generator_bits);
    const window_tables windows = {
        tables->generator, generator_windows, generator_windows + window_count(tables->key_bits)};
    group *groups = scratch;
    const size_t pair = 2 * LANE_COUNT, block = BLOCK_GROUPS * LANE_COUNT;
    size_t first = 0;
    // Blocks of nearly the same size. A small last block would pay for its inversions alone.
    for (size_t blocks = (count + block - 1) / block; blocks > 0; blocks--) {
        const size_t share = ((count - first) / blocks + pair - 1) / pair * pair;
        const size_t size = blocks > 1 ? share : count - first;
        size_t group_count = (size + LANE_COUNT - 1) / LANE_COUNT;
        if (group_count >= BATCH_GROUPS) group_count += group_count % 2;
        for (size_t g = 0; g < group_count; g++)
            load_group(&groups[g], first + LANE_COUNT * g, first + size, keys, digests, signatures);
        prepare_scalars(tables, groups, group_count);
        judge(&windows, groups, (unsigned)group_count, groups + padded_groups(size));
        for (size_t i = 0; i < size; i++)
            verdicts[first + i] = verdict(&groups[i / LANE_COUNT], i % LANE_COUNT);
        first += size;
    }
}

void VERIFY(const struct p256_vector_tables *tables, size_t count, const uint64_t *const *keys,
            const uint8_t *digests, const uint8_t *signatures, uint8_t *verdicts, void *scratch)
{
    const unsigned mode = enter_arithmetic();
    verify_all(tables, count, keys, digests, signatures, verdicts, scratch);
    leave_arithmetic(mode);
}

#endif
