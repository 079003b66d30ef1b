// Prints what the processor's instructions do: a name, an immediate operand, and vectors of words in hexadecimal, of which
// the last is the result. Words are random and from the corners.
#ifndef ARITHMETIC_PROCESSOR_LINES_H
#define ARITHMETIC_PROCESSOR_LINES_H

#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 150

static uint64_t state = 0x9e3779b97f4a7c15;

/// xorshift64 (Marsaglia 2003).
static uint64_t random_word(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static uint64_t word(void)
{
    static const uint64_t corners[] = {0, 1, 2, 0xfffffffffffff, 0x10000000000000, 0x7fffffffffffffff,
                                       0x8000000000000000, 0xffffffffffffffff, 0xffffffff, 0x100000000};
    const uint64_t kind = random_word() % 4;
    if (kind == 0) return corners[random_word() % (sizeof corners / sizeof *corners)];
    return kind == 1 ? random_word() & 0xfffffffffffff : kind == 2 ? random_word() : 0 - (random_word() >> 40);
}

static void print_words(const void *vector, int bytes)
{
    const uint64_t *words = vector;
    printf(" |");
    for (int i = 0; i < bytes / 8; i++) printf(" %llx", (unsigned long long)words[i]);
}

#define FILL(vector) \
    for (unsigned i = 0; i < sizeof vector / 8; i++) ((uint64_t *)&vector)[i] = word()
#define PRINT(vector) print_words(&vector, sizeof vector)
#define LINE(name, immediate) printf("%s %d", #name, (int)(immediate))

#endif
