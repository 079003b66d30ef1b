// Prints the traces of the kernel's functions of numbers, with inputs that the contracts describe. Every lane does the
// same, so a trace is that of any lane. data.c has the functions in which lanes differ.
#define NOTE_INVERSIONS
#include "harness.h"

static void trace_products(void)
{
    begin("columns_of_product");
    wide z = columns_of_product(input("a"), input("b"));
    for (int half = 0; half < 2; half++) {
        lanes part;
        for (int i = 0; i < 5; i++) part.limb[i] = z.column[5 * half + i];
        output(half ? "high" : "low", part);
    }
    begin("columns_of_square");
    z = columns_of_square(input("a"));
    for (int half = 0; half < 2; half++) {
        lanes part;
        for (int i = 0; i < 5; i++) part.limb[i] = z.column[5 * half + i];
        output(half ? "high" : "low", part);
    }
    begin("reduced_mod_prime");
    const lanes low = input("low"), high = input("high");
    for (int i = 0; i < 10; i++) z.column[i] = i < 5 ? low.limb[i] : high.limb[i - 5];
    output("r", reduced_mod_prime(z));
    begin("product");
    output("r", product(input("a"), input("b")));
    begin("square");
    output("r", square(input("a")));
    begin("factor_product");
    output("r", factor_product(input("a"), input("b")));
    begin("factor_square");
    output("r", factor_square(input("a")));
    begin("order_product");
    output("r", order_product(input("a"), input("b")));
}

static void trace_forms(void)
{
    begin("carried");
    output("r", carried(input("a")));
    begin("carried_sum");
    output("r", carried_sum(input("a")));
    begin("folded");
    output("r", folded(input("a")));
    begin("coordinate");
    output("r", coordinate(input("a")));
    begin("canonical");
    output("r", canonical(input("a")));
    begin("order_residue");
    output("r", order_residue(input("a"), input("b")));
}

static void trace_comparisons(void)
{
    begin("less_lanes_order");
    output_mask("r", less_lanes(input("a"), order));
    begin("less_lanes_prime");
    output_mask("r", less_lanes(input("a"), field_prime));
    begin("less_lanes_prime_minus_order");
    output_mask("r", less_lanes(input("a"), prime_minus_order));
    begin("equal_lanes_zero");
    output_mask("r", equal_lanes(input("a"), (constant){{0}}));
    begin("equal_lanes_prime");
    output_mask("r", equal_lanes(input("a"), field_prime));
    begin("zero_lanes");
    output_mask("r", zero_lanes(input("a")));
}

static void trace_jacobian(void)
{
    begin("add_mixed");
    jacobian sum = {input("X"), input("Y"), input("Z")};
    const signed_point point = {{input("x"), input("y")}, input_mask("negative")};
    add_mixed(&sum, &point, 1);
    output("X3", sum.x), output("Y3", sum.y), output("Z3", sum.z);

    begin("add_mixed_two");
    jacobian sums[2];
    signed_point points[2];
    for (int i = 0; i < 2; i++) {
        sums[i] = (jacobian){input(i ? "X'" : "X"), input(i ? "Y'" : "Y"), input(i ? "Z'" : "Z")};
        points[i] = (signed_point){{input(i ? "x'" : "x"), input(i ? "y'" : "y")}, input_mask("negative")};
    }
    add_mixed(sums, points, 2);
    for (int i = 0; i < 2; i++)
        output(i ? "X3'" : "X3", sums[i].x), output(i ? "Y3'" : "Y3", sums[i].y), output(i ? "Z3'" : "Z3", sums[i].z);

    static group g;
    begin("judge_jacobian");
    fresh_points = 0;
    g.r = input("r");
    judge_jacobian(&(window_tables){.generator_windows = 1, .windows = 2}, &g, 1);
}

static void trace_affine(void)
{
    begin("add_pair");
    lane_pair sum[2];
    addition next[2];
    lanes chain[2];
    for (int i = 0; i < 2; i++) {
        sum[i] = (lane_pair){input(i ? "x1'" : "x1"), input(i ? "y1'" : "y1")};
        next[i].point = (lane_pair){input(i ? "x2'" : "x2"), input(i ? "y2'" : "y2")};
        next[i].difference = carried(add_primes(subtract(next[i].point.x, sum[i].x), 2));
        next[i].prefix = input(i ? "prefix'" : "prefix"), chain[i] = input(i ? "chain'" : "chain");
    }
    add_pair(sum, next, chain);
    for (int i = 0; i < 2; i++) {
        output(i ? "x3'" : "x3", sum[i].x), output(i ? "y3'" : "y3", sum[i].y);
        output(i ? "next_chain'" : "next_chain", chain[i]);
    }

    // One step, and one that merges two sums into one: `accumulators` of 1 and 2, with two windows.
    for (unsigned accumulators = 1; accumulators <= 2; accumulators++) {
        static group groups[2];
        lane_pair sums[4];
        addition additions[4];
        begin(accumulators == 1 ? "judge_batch" : "judge_batch_merging");
        fresh_points = fresh_inverses = 0;
        for (int i = 0; i < 2; i++) groups[i].r = input(i ? "r'" : "r");
        judge_batch(&(batch){.tables = &(window_tables){.generator_windows = 1, .windows = 2}, .groups = groups,
                             .group_count = 2, .accumulators = accumulators, .sums = sums, .additions = additions});
        for (int i = 0; i < 2; i++) output(i ? "x'" : "x", sums[i].x), output(i ? "y'" : "y", sums[i].y);
    }
}

/// A level of a table of one or two windows, with as many entries in each as there are lanes. One group is doubled, because
/// there are two chains.
static void trace_level(void)
{
    static _Alignas(64) uint64_t table[4 * LANE_COUNT * 8], steps[16];
    static _Alignas(64) uint8_t scratch[LEVEL_GROUPS * (sizeof(lane_pair) + sizeof(addition))];
    for (unsigned windows = 1; windows <= 2; windows++) {
        begin(windows == 1 ? "add_level_odd" : "add_level");
        first_recycled_atom = fresh_points = fresh_inverses = 0;
        add_level(table, windows, 2 * LANE_COUNT, LANE_COUNT, steps, scratch);
    }
}

/// The scalars of three groups. Their digits are not the contract's concern.
static void trace_scalars(void)
{
    enum { GROUPS = 3 };
    static group groups[GROUPS];
    begin("prepare_scalars");
    first_recycled_atom = fresh_inverses = 0;
    for (int i = 0; i < GROUPS; i++) {
        char name[3][16];
        for (int j = 0; j < 3; j++) snprintf(name[j], sizeof name[j], "%c%d", "sdr"[j], i);
        groups[i].s = input(name[0]), groups[i].digest = input(name[1]), groups[i].r = input(name[2]);
    }
    prepare_scalars(&(struct p256_vector_tables){.generator_bits = 16, .key_bits = 16}, groups, GROUPS);
}

int main(void)
{
    trace_products();
    trace_forms();
    trace_comparisons();
    trace_jacobian();
    trace_affine();
    trace_level();
    trace_scalars();
}
