// The kernel's sources, unchanged, on the recorder, and what a trace says besides operations: inputs, notes and outputs.
//
// Notes name intermediate results. Macros make them: each call of a function below, in the files that come after, has its
// result printed too. `from_rows`, `zero_lanes` and `invert_lanes` have contracts of their own, so the sums are traced with
// fresh inputs in place of them.
#include <immintrin.h>

#include WORDS

#include "lanes.h"

#include "inversion.h"

#define FRESH_LANES LANES_INLINE lanes

static void print_lanes(const char *kind, const char *name, lanes a)
{
    printf("> %s %s", kind, name);
    for (int i = 0; i < 5; i++) printf(" %d", a.limb[i].line);
    printf("\n");
}

static void output(const char *name, lanes a) { print_lanes("output", name, a); }

FRESH_LANES noted(const char *name, lanes a)
{
    print_lanes("note", name, a);
    return a;
}

/// A number that the contract describes.
FRESH_LANES input(const char *name)
{
    lanes r;
    for (int i = 0; i < 5; i++) {
        printf("%d input %s %d\n", next_line, name, i);
        r.limb[i].line = next_line++;
    }
    return r;
}

/// A mask of which nothing is known.
LANES_INLINE lane_mask input_mask(const char *name)
{
#ifdef MASKS_ARE_WORDS
    printf("%d any_mask %s\n", next_line, name);
    return (lane_mask){next_line++};
#else
    (void)name;
    return record_comparison("any_mask", 0, 0);
#endif
}

static void output_mask(const char *name, lane_mask mask)
{
    printf("> mask %s ", name);
#ifdef MASKS_ARE_WORDS
    printf("%d\n", mask.line);
#else
    print_mask(mask);
    printf("\n");
#endif
}

static void begin(const char *function)
{
    printf("function %s\n", function);
    next_line = next_atom = 0;
    first_recycled_atom = ATOMS;
    region_count = first_word_count = 0;
}

// MARK: Calls that are noted

static int fresh_points, fresh_inverses;

LANES_INLINE lane_pair table_point(void)
{
    char x[16], y[16];
    snprintf(x, sizeof x, "x%d", fresh_points);
    snprintf(y, sizeof y, "y%d", fresh_points++);
    return (lane_pair){input(x), input(y)};
}

LANES_INLINE lane_mask noted_zero_lanes(lanes a)
{
    print_lanes("note", "zero_lanes", a);
    return input_mask("zero_lanes");
}

LANES_INLINE bool noted_inversion(lanes *a)
{
    char name[16];
    print_lanes("note", "inverted", *a);
    snprintf(name, sizeof name, "inverse%d", fresh_inverses++);
    *a = input(name);
    return true;
}

#define factor_product(...) noted("factor_product", (factor_product)(__VA_ARGS__))
#define factor_square(...) noted("factor_square", (factor_square)(__VA_ARGS__))
#define product(...) noted("product", (product)(__VA_ARGS__))
#define square(...) noted("square", (square)(__VA_ARGS__))
#define carried(...) noted("carried", (carried)(__VA_ARGS__))
#define folded(...) noted("folded", (folded)(noted("unfolded", __VA_ARGS__)))

#define from_rows(rows) table_point()
#define zero_lanes(a) noted_zero_lanes(a)
#define invert_lanes(a, m) noted_inversion(a)

#include "sums.h"

#undef from_rows
#undef zero_lanes
#undef invert_lanes
#ifdef NOTE_INVERSIONS
#define from_rows(rows) table_point()
#define invert_lanes(a, m) noted_inversion(a)
#endif

#define order_product(...) noted("order_product", (order_product)(__VA_ARGS__))

#ifdef SCRIPT_PREDICATES
/// The outcomes of the next comparisons, in all lanes; each comparison is printed.
static unsigned script;

static void print_limbs(const char *kind, lanes a, constant c)
{
    print_lanes("note", kind, a);
    printf("> constant %s", kind);
    for (int i = 0; i < 5; i++) printf(" %llu", (unsigned long long)c.limb[i]);
    printf("\n");
}

LANES_INLINE lane_mask scripted(const char *kind, lanes a, constant c)
{
    print_limbs(kind, a, c);
    const bool outcome = script & 1;
    script >>= 1;
    return mask_of_bits(outcome ? (1 << LANE_COUNT) - 1 : 0);
}
#define less_lanes(a, c) scripted("less", a, c)
#define equal_lanes(a, c) scripted("equal", a, c)
#endif

#ifdef NOTE_CHOICES
/// A choice between two numbers: what is chosen from, and what is chosen.
LANES_INLINE lanes noted_choice(lane_mask mask, lanes a, lanes b)
{
    print_lanes("note", "if_clear", a), print_lanes("note", "if_set", b);
    output_mask("choice", mask);
    return noted("chosen", (choose)(mask, a, b));
}
#define choose(mask, a, b) noted_choice(mask, a, b)

/// The word that is stored as an entry's offset and sign.
LANES_INLINE words noted_entry(words a)
{
    printf("> output entry %d\n", a.line);
    return a;
}
#define words_store_halves(address, a) (words_store_halves)(address, noted_entry(a))
#endif

#define SCRATCH_BYTES scratch_bytes
#define VERIFY verify
#define LEVEL_SCRATCH_BYTES level_scratch_bytes
#define ADD_LEVEL add_level_of_table
#define BATCH_GROUPS 4
#define EIGHT_ACCUMULATOR_GROUPS 10

#include "kernel.h"
