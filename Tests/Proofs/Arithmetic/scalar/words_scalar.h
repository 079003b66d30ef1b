// One lane of a single word, for the scalar code of inversion.h: it needs few of the words' functions.
#ifndef ARITHMETIC_WORDS_SCALAR_H
#define ARITHMETIC_WORDS_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

#define LANE_COUNT 1
#define LANES_INLINE static inline __attribute__((unused))
#define LANES_PRODUCT static __attribute__((unused))

typedef uint64_t words;
typedef uint64_t lane_mask;
typedef uint64_t factor;

LANES_INLINE words every_lane(uint64_t word) { return word; }
LANES_INLINE words hidden(words a) { return a; }
LANES_INLINE words words_add(words a, words b) { return a + b; }
LANES_INLINE words words_subtract(words a, words b) { return a - b; }
LANES_INLINE words words_and(words a, words b) { return a & b; }
LANES_INLINE words words_or(words a, words b) { return a | b; }
LANES_INLINE words words_left(words a, unsigned count) { return a << count; }
LANES_INLINE words words_right(words a, unsigned count) { return a >> count; }
LANES_INLINE words words_signed_right(words a, unsigned count) { return (words)((int64_t)a >> count); }
LANES_INLINE words words_right_pair(words a, words b, int count) { return a >> count | b << (64 - count); }
LANES_INLINE words words_exchange(words a, int bit) { return bit ? a : 0; }
LANES_INLINE uint64_t words_first(words a) { return a; }
LANES_INLINE lane_mask words_equal(words a, words b) { return a == b ? ~0ULL : 0; }
LANES_INLINE lane_mask words_negative(words a) { return (int64_t)a < 0 ? ~0ULL : 0; }
LANES_INLINE lane_mask mask_and(lane_mask a, lane_mask b) { return a & b; }
LANES_INLINE lane_mask mask_or(lane_mask a, lane_mask b) { return a | b; }
LANES_INLINE words words_choose(lane_mask mask, words a, words b) { return mask ? b : a; }
LANES_INLINE words words_negate(lane_mask mask, words a) { return mask ? 0 - a : a; }
LANES_INLINE factor factor_of(words a) { return a; }
LANES_INLINE void add_product(words *low, words *high, factor a, factor b) { *low += a, *high += b; }
LANES_INLINE words low_product(factor a, factor b) { return a + b; }
LANES_INLINE uint64_t product_excess(unsigned lows, unsigned highs) { return 0 * lows * highs; }
LANES_INLINE void add_digit_multiple(words *column) { (void)column; }

typedef uint64_t row;
LANES_INLINE void words_of_rows(const row rows[1], words word[8]) { (void)rows, (void)word; }

#endif
