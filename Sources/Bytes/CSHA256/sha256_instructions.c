// Two messages with the SHA instructions of x86-64.
#include "messages.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define SHA __attribute__((target("sha,sse4.1,ssse3")))

/// The hash value in the order of the instructions: A B E F and C D G H, the first word highest.
struct state {
    __m128i abef, cdgh;
};

/// The words come as A B C D and E F G H, the first one lowest.
SHA static inline struct state load(const uint32_t words[8])
{
    const __m128i dcba = _mm_loadu_si128((const __m128i *)words);
    const __m128i hgfe = _mm_loadu_si128((const __m128i *)(words + 4));
    const __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1), efgh = _mm_shuffle_epi32(hgfe, 0x1b);
    return (struct state){_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xf0)};
}

SHA static inline void store(struct state state, uint32_t words[8])
{
    const __m128i feba = _mm_shuffle_epi32(state.abef, 0x1b), dchg = _mm_shuffle_epi32(state.cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)words, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(words + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/// Four rounds (FIPS 180-4, section 6.2.2, step 3), with the words of the schedule plus the constants.
SHA static inline void four_rounds(struct state *state, __m128i words)
{
    state->cdgh = _mm_sha256rnds2_epu32(state->cdgh, state->abef, words);
    state->abef = _mm_sha256rnds2_epu32(state->abef, state->cdgh, _mm_shuffle_epi32(words, 0x0e));
}

/// The next four words of the schedule (section 6.2.2, step 1), from the sixteen before, the oldest first.
SHA static inline __m128i next_words(__m128i w0, __m128i w1, __m128i w2, __m128i w3)
{
    return _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4)), w3);
}

/// Hashes as many blocks of each of one or two messages.
SHA __attribute__((always_inline)) static inline void
hash_blocks(unsigned messages, uint32_t *const words[2], const uint8_t *const blocks[2], size_t count)
{
    const __m128i big_endian = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    struct state states[2];
    for (unsigned m = 0; m < messages; m++) states[m] = load(words[m]);
    for (size_t block = 0; block < count; block++) {
        struct state before[2];
        __m128i schedule[2][4];
        for (unsigned m = 0; m < messages; m++) {
            before[m] = states[m];
            for (unsigned i = 0; i < 4; i++)
                schedule[m][i] = _mm_shuffle_epi8(
                    // Loads need no alignment: messages begin anywhere.
                    _mm_loadu_si128((const __m128i *)(blocks[m] + 64 * block + 16 * i)), big_endian);
        }
#pragma clang loop unroll(full)
        for (unsigned i = 0; i < 16; i++) {
            const __m128i k = _mm_load_si128((const __m128i *)(sha256_constants + 4 * i));
            for (unsigned m = 0; m < messages; m++) {
                __m128i *const w = schedule[m];
                four_rounds(&states[m], _mm_add_epi32(w[i & 3], k));
                // Sixteen of the 64 words are the block's own, so the last four steps need no new ones.
                if (i < 12) w[i & 3] = next_words(w[i & 3], w[(i + 1) & 3], w[(i + 2) & 3], w[(i + 3) & 3]);
            }
        }
        for (unsigned m = 0; m < messages; m++) {
            states[m].abef = _mm_add_epi32(states[m].abef, before[m].abef);
            states[m].cdgh = _mm_add_epi32(states[m].cdgh, before[m].cdgh);
        }
    }
    for (unsigned m = 0; m < messages; m++) store(states[m], words[m]);
}

SHA void sha256_hash(struct message *one, size_t blocks)
{
    uint32_t *const words[2] = {one->words};
    const uint8_t *const runs[2] = {one->run[one->next]};
    hash_blocks(1, words, runs, blocks);
    advance(one, blocks);
}

SHA void sha256_hash_pair(struct message *one, struct message *other, size_t blocks)
{
    uint32_t *const words[2] = {one->words, other->words};
    const uint8_t *const runs[2] = {one->run[one->next], other->run[other->next]};
    hash_blocks(2, words, runs, blocks);
    advance(one, blocks);
    advance(other, blocks);
}

#endif
