// Writes a line for each vector operation that a function of the kernel executes.
//
// A vector is a number: that of the line that made it. A mask is the truth table of a formula over *atoms*, the
// comparisons so far: bit c of the table says whether the formula holds in case c, and bit n of c whether atom n does. So
// the kernel's own operators &, | and ^ compute with masks.
#ifndef ARITHMETIC_RECORDER_H
#define ARITHMETIC_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define RECORDED static inline __attribute__((unused))

/// At most this many comparisons have meanings at a time. After that, the numbers start again.
#define ATOMS 12

typedef unsigned _BitInt(1 << ATOMS) __mmask8;

static int next_line;
static int next_atom;
/// The atom with which numbering starts again. `write_digits` keeps one mask, and uses every other one at once.
static int first_recycled_atom = ATOMS;

RECORDED int record(const char *operation, long long a, long long b, long long c)
{
    printf("%d %s %lld %lld %lld\n", next_line, operation, a, b, c);
    return next_line++;
}

/// The truth table of one atom.
RECORDED __mmask8 atom_table(int atom)
{
    __mmask8 table = 0;
    for (int c = 0; c < 1 << ATOMS; c++)
        if (c >> atom & 1) table |= (__mmask8)1 << c;
    return table;
}

/// A comparison: names it by the next atom.
RECORDED __mmask8 record_comparison(const char *operation, int a, int b)
{
    if (next_atom == ATOMS) next_atom = first_recycled_atom;
    if (next_atom == ATOMS) abort();
    printf("%d %s %d %d atom %d\n", next_line++, operation, a, b, next_atom);
    return atom_table(next_atom++);
}

RECORDED void print_mask(__mmask8 table)
{
    for (int i = (1 << ATOMS) / 64 - 1; i >= 0; i--) printf("%016llx", (unsigned long long)(table >> (64 * i)));
}

RECORDED int record_masked(const char *operation, __mmask8 mask, int a, int b)
{
    printf("%d %s ", next_line, operation);
    print_mask(mask);
    printf(" %d %d\n", a, b);
    return next_line++;
}

/// Memory that a trace may read or write.
static struct {
    const char *name;
    uintptr_t start, size;
} regions[32];
static int region_count;

RECORDED void name_memory(const char *name, const void *start, size_t size)
{
    regions[region_count].name = name;
    regions[region_count].start = (uintptr_t)start;
    regions[region_count++].size = size;
}

RECORDED void print_place(const void *address)
{
    for (int i = region_count - 1; i >= 0; i--) {
        const uintptr_t offset = (uintptr_t)address - regions[i].start;
        if (offset < regions[i].size) {
            printf("%s %llu", regions[i].name, (unsigned long long)offset);
            return;
        }
    }
    printf("unnamed 0");
}

RECORDED int record_load(const char *operation, const void *address)
{
    printf("%d %s ", next_line, operation);
    print_place(address);
    printf("\n");
    return next_line++;
}

RECORDED void record_store(const char *operation, void *address, int a)
{
    printf("%d %s ", next_line++, operation);
    print_place(address);
    printf(" %d\n", a);
}

/// A vector that is not a splat: its bytes.
RECORDED int record_constant(const void *bytes, int count)
{
    printf("%d constant ", next_line);
    for (int i = 0; i < count; i++) printf("%02x", ((const uint8_t *)bytes)[i]);
    printf("\n");
    return next_line++;
}

#define _MM_HINT_T0 3
RECORDED void _mm_prefetch(const char *address, int hint) { (void)address, (void)hint; }

/// Lane 0 as a number. The kernel computes with it in scalar code, which traces of their own are about.
static long long first_words[8];
static int first_word_count;
typedef struct { int line; } __m128i;
RECORDED long long _mm_cvtsi128_si64(__m128i a)
{
    record("_mm_cvtsi128_si64", a.line, 0, 0);
    return first_words[first_word_count++ % 5];
}

#endif
