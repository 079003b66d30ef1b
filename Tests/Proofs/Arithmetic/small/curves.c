// The sums of sums.h, unchanged, over small curves y^2 = x^3 - 3x + b of prime order, against addition by definition: every
// pair of points with either sign, and every pair of scalars in windows of two bits.
#include <stdio.h>
#include <string.h>

#include "points.h"

#include "sums.h"

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

/// The digits of a sum of windows, the sum, and whether an addition is exceptional (-1: it may be).
typedef struct {
    const uint32_t *digits;
    point wanted;
    int meets;
} sum_case;

/// Judges two sums at once, in either form.
static void judge(const sum_case each[2], unsigned windows, unsigned accumulators)
{
    for (int right = 0; right < 2; right++) {
        group g[2];
        memset(g, 0, sizeof g);
        for (int i = 0; i < 2; i++) {
            for (unsigned w = 0; w < windows; w++) g[i].digits[w][0] = each[i].digits[w];
            g[i].r.value = each[i].wanted.infinite ? 0 : residue(each[i].wanted.x + !right);
            g[i].keys = (uint64_t)table;
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
            if (each[i].meets >= 0 && g[i].undecided != each[i].meets) wrong++;
            if (!g[i].undecided && (each[i].wanted.infinite || g[i].accepted != right)) wrong++;
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
                // Beside it an ordinary pair, or the same one.
                const point c = points[(i + 2) % count];
                const uint32_t ordinary[2] = {(uint32_t)i * 64 + (signs & 1), (uint32_t)((i + 2) % count) * 64};
                const sum_case pair = {digits, sum_of(a, b), a.x == b.x};
                const sum_case other = {ordinary, sum_of(a, c), a.x == c.x};
                for (unsigned accumulators = 0; accumulators < 2; accumulators++) {
                    judge((sum_case[2]){pair, other}, 2, accumulators);
                    judge((sum_case[2]){other, pair}, 2, accumulators);
                    judge((sum_case[2]){pair, pair}, 2, accumulators);
                }
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
            const sum_case sum = {digits, sum_of(multiple_of(g, u1), multiple_of(q, u2)), -1};
            for (unsigned accumulators = 0; accumulators <= 4; accumulators += accumulators + (accumulators == 0))
                judge((sum_case[2]){sum, sum}, 2 * windows, accumulators);
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
