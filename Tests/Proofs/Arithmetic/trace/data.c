// Prints the traces of the functions in which lanes or bits move: loading, storing, exchanging, and the digits of scalars.
#define NOTE_CHOICES
#define SCRIPT_PREDICATES
#include "harness.h"

static void print_words(const char *name, const words *word, int count)
{
    printf("> output %s", name);
    for (int i = 0; i < count; i++) printf(" %d", word[i].line);
    printf("\n");
}

static void trace_rows(void)
{
    static _Alignas(64) uint8_t table[512], signatures[512], digests[256], keys[64];
    begin("points_at");
    name_memory("table", table, sizeof table);
    const lane_pair points = points_at((const uint64_t *)table, 8);
    output("x", points.x), output("y", points.y);

    begin("load_group");
    first_recycled_atom = 0; // No mask is used here: what they decide has contracts of its own.
    name_memory("signatures", signatures, sizeof signatures);
    name_memory("digests", digests, sizeof digests);
    static group g;
    load_group(&g, 0, LANE_COUNT, (const uint64_t *const *)keys, digests, signatures);
    output("r", g.r), output("digest", g.digest);
#ifndef MASKS_ARE_WORDS
    // Five comparisons decide two masks: all their outcomes, of which masks of bits are computed outside of the recorder.
    for (unsigned outcomes = 0; outcomes < 32; outcomes++) {
        script = outcomes;
        load_group(&g, 0, LANE_COUNT, (const uint64_t *const *)keys, digests, signatures);
        printf("> verdict %u %d %d\n", outcomes, g.rejected, g.ambiguous);
    }
#endif
}

static void trace_words(void)
{
    static _Alignas(64) uint64_t limbs[5][LANE_COUNT], stored[4][LANE_COUNT];
    begin("store_words");
    name_memory("limbs", limbs, sizeof limbs);
    name_memory("stored", stored, sizeof stored);
    lanes a;
    for (int i = 0; i < 5; i++) a.limb[i] = words_load(limbs[i]);
    store_words(a, stored);

    static _Alignas(64) uint32_t halves[LANE_COUNT], other[LANE_COUNT];
    begin("halves");
    name_memory("halves", halves, sizeof halves);
    name_memory("other", other, sizeof other);
    name_memory("limbs", limbs, sizeof limbs);
    words word = words_load_halves(halves);
    print_words("word", &word, 1);
    words_store_halves(other, words_load(limbs[0]));

    for (int bit = 1; bit < LANE_COUNT; bit *= 2) {
        char name[32];
        snprintf(name, sizeof name, "exchange_%d", bit);
        begin(name);
        name_memory("limbs", limbs, sizeof limbs);
        word = words_exchange(words_load(limbs[0]), bit);
        print_words("word", &word, 1);
    }
    begin("first");
    name_memory("limbs", limbs, sizeof limbs);
    words_first(words_load(limbs[0]));
}

/// The lanes' product is inverted by scalar code, which has contracts of its own: here it is given a number, whatever the
/// product is. The contract knows the number, and so its inverse.
static void trace_inversions(void)
{
    static _Alignas(64) uint64_t limbs[5][LANE_COUNT];
    static const long long numbers[][5] = {{3}, {0x5555, 1LL << 51, 0, 12345, 1LL << 40}};
    for (int i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "invert_lanes_%c_%d", "pn"[i / 2], i % 2);
        begin(name);
        name_memory("limbs", limbs, sizeof limbs);
        printf("> constant given");
        for (int j = 0; j < 5; j++) printf(" %lld", first_words[j] = numbers[i % 2][j]);
        printf("\n");
        lanes a;
        for (int j = 0; j < 5; j++) a.limb[j] = words_load(limbs[j]);
        invert_lanes(&a, i < 2 ? &prime_modulus : &order_modulus);
        output("r", a);
    }
}

/// The verdict on each lane for every mark that it may have: 0 for invalid, 1 for valid, 2 for undecided.
static void trace_verdicts(void)
{
    static group g;
    begin("verdict");
    for (unsigned marks = 0; marks < 16; marks++)
        for (unsigned lane = 0; lane < LANE_COUNT; lane++) {
            // The other lanes have the opposite marks.
            const uint8_t own = (uint8_t)(1u << lane), others = (uint8_t)~own;
            g.rejected = marks & 1 ? own : others, g.undecided = marks & 2 ? own : others;
            g.accepted = marks & 4 ? own : others, g.ambiguous = marks & 8 ? own : others;
            const uint8_t given = verdict(&g, lane);
            printf("> verdict %u %d\n", marks, given == P256_VECTOR_VALID ? 1 : given == P256_VECTOR_UNDECIDED ? 2 : 0);
        }
}

static void trace_digits(void)
{
    static uint32_t digits[MAXIMAL_WINDOWS][LANE_COUNT];
    for (unsigned bits = 5; bits <= 16; bits++) {
        char name[32];
        snprintf(name, sizeof name, "write_digits_%u", bits);
        begin(name);
        first_recycled_atom = 1;
        name_memory("digits", digits, sizeof digits);
        write_digits(digits, input("u"), bits);
    }
}

int main(void)
{
    trace_rows();
    trace_words();
    trace_inversions();
    trace_verdicts();
    trace_digits();
}
