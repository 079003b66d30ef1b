// Prints the traces of the functions in which lanes or bits move: loading, storing, exchanging, and the digits of scalars.
#define NOTE_CHOICES
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
    trace_digits();
}
