// Sixteen messages in the lanes of AVX-512 registers.
#include "messages.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES __attribute__((target("avx512f,avx512bw")))

typedef __m512i lanes;

/// The functions of FIPS 180-4, section 4.1.2. The last operand of each `ternarylogic` is the function's truth table.
LANES static inline lanes parity(lanes x, lanes y, lanes z) { return _mm512_ternarylogic_epi32(x, y, z, 0x96); }
LANES static inline lanes choice(lanes x, lanes y, lanes z) { return _mm512_ternarylogic_epi32(x, y, z, 0xca); }
LANES static inline lanes majority(lanes x, lanes y, lanes z) { return _mm512_ternarylogic_epi32(x, y, z, 0xe8); }
LANES static inline lanes add(lanes x, lanes y) { return _mm512_add_epi32(x, y); }

LANES static inline lanes upper_sigma0(lanes x)
{
    return parity(_mm512_ror_epi32(x, 2), _mm512_ror_epi32(x, 13), _mm512_ror_epi32(x, 22));
}
LANES static inline lanes upper_sigma1(lanes x)
{
    return parity(_mm512_ror_epi32(x, 6), _mm512_ror_epi32(x, 11), _mm512_ror_epi32(x, 25));
}
LANES static inline lanes lower_sigma0(lanes x)
{
    return parity(_mm512_ror_epi32(x, 7), _mm512_ror_epi32(x, 18), _mm512_srli_epi32(x, 3));
}
LANES static inline lanes lower_sigma1(lanes x)
{
    return parity(_mm512_ror_epi32(x, 17), _mm512_ror_epi32(x, 19), _mm512_srli_epi32(x, 10));
}

/// Exchanges rows and columns of sixteen rows of sixteen words.
LANES static inline void transpose(lanes rows[16])
{
    lanes pairs[16], fours[16], eights[16];
    for (unsigned i = 0; i < 16; i += 2) {
        pairs[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
    }
    for (unsigned i = 0; i < 16; i += 4) {
        fours[i] = _mm512_unpacklo_epi64(pairs[i], pairs[i + 2]);
        fours[i + 1] = _mm512_unpackhi_epi64(pairs[i], pairs[i + 2]);
        fours[i + 2] = _mm512_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
        fours[i + 3] = _mm512_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
    }
    // Each quarter of `fours[4 * r + c]` has column c of one of four blocks of columns, of the rows 4 * r and on.
    for (unsigned c = 0; c < 4; c++) {
        eights[c] = _mm512_shuffle_i32x4(fours[c], fours[4 + c], 0x88);
        eights[4 + c] = _mm512_shuffle_i32x4(fours[c], fours[4 + c], 0xdd);
        eights[8 + c] = _mm512_shuffle_i32x4(fours[8 + c], fours[12 + c], 0x88);
        eights[12 + c] = _mm512_shuffle_i32x4(fours[8 + c], fours[12 + c], 0xdd);
    }
    for (unsigned c = 0; c < 4; c++) {
        rows[c] = _mm512_shuffle_i32x4(eights[c], eights[8 + c], 0x88);
        rows[4 + c] = _mm512_shuffle_i32x4(eights[4 + c], eights[12 + c], 0x88);
        rows[8 + c] = _mm512_shuffle_i32x4(eights[c], eights[8 + c], 0xdd);
        rows[12 + c] = _mm512_shuffle_i32x4(eights[4 + c], eights[12 + c], 0xdd);
    }
}

/// Hashes one block of each message (FIPS 180-4, section 6.2.2).
LANES static inline void hash_block(lanes state[8], const uint8_t *const blocks[16])
{
    const lanes big_endian = _mm512_broadcast_i32x4(
        _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
    lanes w[16];
    for (unsigned lane = 0; lane < 16; lane++)
        w[lane] = _mm512_shuffle_epi8(_mm512_loadu_si512(blocks[lane]), big_endian);
    transpose(w);
    lanes a = state[0], b = state[1], c = state[2], d = state[3];
    lanes e = state[4], f = state[5], g = state[6], h = state[7];
#pragma clang loop unroll(full)
    for (unsigned t = 0; t < 64; t++) {
        lanes word = w[t & 15];
        if (t >= 16) {
            const lanes sum = add(add(word, lower_sigma0(w[(t + 1) & 15])), w[(t + 9) & 15]);
            word = w[t & 15] = add(sum, lower_sigma1(w[(t + 14) & 15]));
        }
        const lanes constant = _mm512_set1_epi32((int)sha256_constants[t]);
        const lanes t1 = add(add(add(h, upper_sigma1(e)), choice(e, f, g)), add(constant, word));
        const lanes t2 = add(upper_sigma0(a), majority(a, b, c));
        h = g, g = f, f = e, e = add(d, t1);
        d = c, c = b, b = a, a = add(t1, t2);
    }
    const lanes after[8] = {a, b, c, d, e, f, g, h};
    for (unsigned i = 0; i < 8; i++) state[i] = add(state[i], after[i]);
}

LANES void sha256_lanes(struct message messages[SHA256_MESSAGES])
{
    // The words of the hash values, one row for each word.
    uint32_t words[8][16];
    for (unsigned lane = 0; lane < 16; lane++)
        for (unsigned i = 0; i < 8; i++) words[i][lane] = messages[lane].words[i];
    lanes state[8];
    for (unsigned i = 0; i < 8; i++) state[i] = _mm512_loadu_si512(words[i]);
    while (true) {
        // A message without blocks takes part with a block of zeros, and keeps its hash value.
        static const uint8_t zeros[64];
        const uint8_t *blocks[16];
        size_t steps[16], count = SIZE_MAX;
        unsigned active = 0;
        __mmask16 mask = 0;
        for (unsigned lane = 0; lane < 16; lane++) {
            struct message *const message = &messages[lane];
            blocks[lane] = zeros, steps[lane] = 0;
            if (!has_blocks(message)) continue;
            blocks[lane] = message->run[message->next], steps[lane] = 64;
            if (message->blocks[message->next] < count) count = message->blocks[message->next];
            active++, mask |= (__mmask16)(1 << lane);
        }
        if (active < 4) break;
        lanes before[8];
        memcpy(before, state, sizeof before);
        for (size_t block = 0; block < count; block++) {
            hash_block(state, blocks);
            for (unsigned lane = 0; lane < 16; lane++) blocks[lane] += steps[lane];
        }
        for (unsigned i = 0; i < 8; i++) state[i] = _mm512_mask_mov_epi32(before[i], mask, state[i]);
        for (unsigned lane = 0; lane < 16; lane++)
            if (steps[lane] != 0) advance(&messages[lane], count);
    }
    for (unsigned i = 0; i < 8; i++) _mm512_storeu_si512(words[i], state[i]);
    for (unsigned lane = 0; lane < 16; lane++)
        for (unsigned i = 0; i < 8; i++) messages[lane].words[i] = words[i][lane];
}

#endif
