#include "sha256_pair.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <string.h>

#define SHA __attribute__((target("sha,sse4.1,ssse3")))

/// FIPS 180-4, section 4.2.2.
static const uint32_t constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/// The hash value in the order of the instructions: A B E F and C D G H, the first word highest.
struct state {
    __m128i abef, cdgh;
};

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
                    _mm_loadu_si128((const __m128i *)(blocks[m] + 64 * block + 16 * i)), big_endian);
        }
#pragma clang loop unroll(full)
        for (unsigned i = 0; i < 16; i++) {
            const __m128i k = _mm_load_si128((const __m128i *)(constants + 4 * i));
            for (unsigned m = 0; m < messages; m++) {
                __m128i *const w = schedule[m];
                four_rounds(&states[m], _mm_add_epi32(w[i & 3], k));
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

/// A message in up to three runs of blocks: the block that the beginning left unfinished, the blocks that follow in
/// place, and the last ones with the padding.
struct message {
    uint32_t words[8];
    uint8_t first[64], last[128];
    const uint8_t *run[3];
    size_t blocks[3];
    unsigned next;
};

/// FIPS 180-4, section 5.1.1: a one bit, zeros, and the length in bits in the last eight bytes of a block.
static void prepare(struct message *message, const struct sha256_end *end)
{
    const struct sha256_beginning *beginning = end->beginning;
    const uint8_t *bytes = end->bytes;
    size_t count = end->count, rest = beginning->bytes % 64, last = 0;
    memcpy(message->words, beginning->state, sizeof message->words);
    memcpy(message->first, beginning->rest, rest);
    message->blocks[0] = 0;
    if (rest + count >= 64) {
        if (rest > 0) {
            const size_t taken = 64 - rest;
            memcpy(message->first + rest, bytes, taken);
            bytes += taken, count -= taken;
            message->blocks[0] = 1;
        }
    } else {
        memcpy(message->last, message->first, rest);
        last = rest;
    }
    message->blocks[1] = count / 64;
    if (count % 64 > 0) memcpy(message->last + last, bytes + count / 64 * 64, count % 64);
    last += count % 64;
    message->blocks[2] = last < 56 ? 1 : 2;
    const size_t size = 64 * message->blocks[2];
    memset(message->last + last, 0, size - last);
    message->last[last] = 0x80;
    const uint64_t bits = __builtin_bswap64(8 * (beginning->bytes + end->count));
    memcpy(message->last + size - 8, &bits, 8);
    message->run[0] = message->first;
    message->run[1] = bytes;
    message->run[2] = message->last;
    message->next = 0;
}

/// Whether blocks are left.
static bool has_blocks(struct message *message)
{
    while (message->next < 3 && message->blocks[message->next] == 0) message->next++;
    return message->next < 3;
}

static void advance(struct message *message, size_t blocks)
{
    message->run[message->next] += 64 * blocks;
    message->blocks[message->next] -= blocks;
}

SHA static void hash_alone(struct message *message)
{
    while (has_blocks(message)) {
        const size_t blocks = message->blocks[message->next];
        uint32_t *const words[2] = {message->words};
        const uint8_t *const runs[2] = {message->run[message->next]};
        hash_blocks(1, words, runs, blocks);
        advance(message, blocks);
    }
}

static void write_digest(const struct message *message, uint8_t *digest)
{
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t word = __builtin_bswap32(message->words[i]);
        memcpy(digest + 4 * i, &word, 4);
    }
}

SHA void sha256_pair(const struct sha256_end *one, const struct sha256_end *other)
{
    struct message messages[2];
    prepare(&messages[0], one);
    prepare(&messages[1], other);
    while (has_blocks(&messages[0]) && has_blocks(&messages[1])) {
        const size_t left = messages[0].blocks[messages[0].next], right = messages[1].blocks[messages[1].next];
        const size_t blocks = left < right ? left : right;
        uint32_t *const words[2] = {messages[0].words, messages[1].words};
        const uint8_t *const runs[2] = {messages[0].run[messages[0].next], messages[1].run[messages[1].next]};
        hash_blocks(2, words, runs, blocks);
        advance(&messages[0], blocks);
        advance(&messages[1], blocks);
    }
    hash_alone(&messages[0]);
    hash_alone(&messages[1]);
    write_digest(&messages[0], one->digest);
    write_digest(&messages[1], other->digest);
}

bool sha256_pair_is_supported(void)
{
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return false;
    const bool has_sha = (ebx >> 29 & 1) != 0;
    return has_sha && __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3");
}

#else

bool sha256_pair_is_supported(void) { return false; }

// Never called: the caller asks first.
void sha256_pair(const struct sha256_end *one, const struct sha256_end *other) { (void)one, (void)other; }

#endif
