// The sums of sums.h, unchanged, over small curves y^2 = x^3 - 3x + b of prime order, against addition by definition: every
// pair of points with either sign, and every pair of scalars in windows of two bits.
#include <stdio.h>
#include <string.h>

#include "field.h"

#include "sums.h"

typedef struct { int64_t x, y; bool infinite; } point;

static int64_t slope(point a, point b)
{
    if (a.x != b.x) return residue((b.y - a.y) * inverse_of(residue(b.x - a.x)));
    return residue((3 * a.x * a.x - 3) % prime * inverse_of(residue(2 * a.y)));
}

/// The sum by its definition: the third point of a chord or tangent, reflected.
static point sum_of(point a, point b)
{
    if (a.infinite) return b;
    if (b.infinite) return a;
    if (a.x == b.x && residue(a.y + b.y) == 0) return (point){0, 0, true};
    const int64_t s = slope(a, b), x = residue(s * s - a.x - b.x);
    return (point){x, residue(s * (a.x - x) - a.y), false};
}

static point negative_of(point a) { return (point){a.x, residue(-a.y), a.infinite}; }

static point multiple_of(point a, int64_t k)
{
    point sum = {0, 0, true};
    for (; k > 0; k--) sum = sum_of(sum, a);
    return sum;
}

static long curves, pairs, sums, exceptional, wrong;
static point points[256];
static int count; // of finite points; the order is one more
static _Alignas(64) int64_t table[512][8];

static void set_entry(int place, point p) { table[place][0] = p.x, table[place][1] = p.y; }

/// Judges the sum of all windows in either form. `wanted` is the sum, `meets` whether an addition is exceptional.
static void judge(const uint32_t *digits, unsigned windows, unsigned accumulators, point wanted, int meets)
{
    for (int right = 0; right < 2; right++) {
        group g[2];
        memset(g, 0, sizeof g);
        for (int i = 0; i < 2; i++) {
            for (unsigned w = 0; w < windows; w++) g[i].digits[w][0] = digits[w];
            g[i].r.value = wanted.infinite ? 0 : residue(wanted.x + !right), g[i].keys = (uint64_t)table;
        }
        const window_tables t = {(const uint64_t *)table, windows / 2, windows};
        if (accumulators == 0) {
            judge_jacobian(&t, g, 2);
        } else {
            lane_pair memory[32];
            addition additions[32];
            judge_batch(&(batch){&t, g, 2, accumulators, memory, additions});
        }
        for (int i = 0; i < 2; i++) {
            if (meets >= 0 && g[i].undecided != meets) wrong++;
            if (!g[i].undecided && (wanted.infinite || g[i].accepted != right)) wrong++;
        }
        exceptional += g[0].undecided;
    }
    sums++;
}

static void try_pairs(void)
{
    for (int i = 0; i < count; i++) set_entry(i, points[i]);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            for (uint32_t signs = 0; signs < 4; signs++) {
                const point a = signs & 1 ? negative_of(points[i]) : points[i];
                const point b = signs & 2 ? negative_of(points[j]) : points[j];
                const uint32_t digits[2] = {(uint32_t)i * 64 + (signs & 1), (uint32_t)j * 64 + (signs >> 1)};
                for (unsigned accumulators = 0; accumulators < 2; accumulators++)
                    judge(digits, 2, accumulators, sum_of(a, b), a.x == b.x);
                pairs++;
            }
}

/// The digits of u for tables of the odd multiples 1 and 3 of 4^i P: the recoding of write_digits with two bits.
static void write_small_digits(uint32_t *digits, int64_t u, int windows, int first)
{
    const bool flipped = u % 2 == 0;
    const int64_t odd = flipped ? count + 1 - u : u, v = (odd - 1) / 2 + (1LL << (2 * windows - 1));
    for (int i = 0; i < windows; i++) {
        const int digit = (int)(v >> 2 * i & 3), negative = !(digit & 2);
        const int entry = (negative ? ~digit : digit) & 1;
        digits[i] = (uint32_t)(first + 2 * i + entry) * 64 + (uint32_t)(negative != flipped);
    }
}

/// Every u1 and u2, for one key: u1 G + u2 Q. Exceptions may or may not occur; a decided sum must be right.
static void try_scalars(point g, point q)
{
    enum { windows = 4 }; // of two bits: orders below 128
    for (int i = 0; i < windows; i++)
        for (int j = 0; j < 2; j++) {
            set_entry(2 * i + j, multiple_of(g, (2 * j + 1) * (1LL << 2 * i) % (count + 1)));
            set_entry(2 * (windows + i) + j, multiple_of(q, (2 * j + 1) * (1LL << 2 * i) % (count + 1)));
        }
    for (int64_t u1 = 0; u1 <= count; u1++)
        for (int64_t u2 = 0; u2 <= count; u2++) {
            uint32_t digits[2 * windows];
            write_small_digits(digits, u1, windows, 0);
            write_small_digits(digits + windows, u2, windows, 2 * windows);
            for (unsigned accumulators = 0; accumulators <= 4; accumulators += accumulators + (accumulators == 0))
                judge(digits, 2 * windows, accumulators, sum_of(multiple_of(g, u1), multiple_of(q, u2)), -1);
        }
}

static bool is_prime(int64_t n)
{
    for (int64_t d = 2; d * d <= n; d++)
        if (n % d == 0) return false;
    return n > 1;
}

static void try_curve(int64_t b)
{
    count = 0;
    for (int64_t x = 0; x < prime; x++)
        for (int64_t y = 0; y < prime; y++)
            if (residue(y * y - x * x * x + 3 * x - b) == 0) points[count++] = (point){x, y, false};
    // Multiples up to 3 * 64 must not be infinity, so the order is a larger prime than 3.
    if (residue(27 * b * b - 108) == 0 || count < 12 || !is_prime(count + 1)) return;
    curves++;
    try_pairs();
    if (curves % 12 == 0)
        for (int i = 0; i < count; i += 7) try_scalars(points[0], points[i]);
}

int main(void)
{
    for (prime = 17; prime < 64; prime++)
        if (is_prime(prime))
            for (int64_t b = 1; b < prime; b++) try_curve(b);
    printf("%ld %ld %ld %ld %ld\n", curves, pairs, sums, exceptional, wrong);
    return wrong != 0;
}
