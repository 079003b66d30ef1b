#include "messages.h"

/// FIPS 180-4, section 4.2.2.
const uint32_t sha256_constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

#if defined(__x86_64__)
#include <cpuid.h>

/// The digest is the eight words, each big-endian (FIPS 180-4, section 6.2.2).
static void write_digest(const struct message *message, uint8_t *digest)
{
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t word = __builtin_bswap32(message->words[i]);
        memcpy(digest + 4 * i, &word, 4);
    }
}

bool sha256_available(void)
{
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return false;
    const bool has_sha = (ebx >> 29 & 1) != 0;
    return has_sha && __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3");
}

/// One of the two messages that are being hashed.
struct place {
    struct message message;
    uint8_t *digest;
    bool is_taken;
};

/// Gives a place whose message has ended to the next one. Returns whether the place has a message.
static bool fill(struct place *place, const struct sha256_end **next, const struct sha256_end *end)
{
    if (place->is_taken && has_blocks(&place->message)) return true;
    if (place->is_taken) write_digest(&place->message, place->digest);
    place->is_taken = *next < end;
    if (!place->is_taken) return false;
    prepare(&place->message, *next);
    place->digest = (*next)->digest;
    ++*next;
    // There is one at least: the padding.
    return has_blocks(&place->message);
}

void sha256_many(const struct sha256_end *ends, size_t count)
{
    const struct sha256_end *next = ends;
    struct place one = {.is_taken = false}, other = {.is_taken = false};
    while (true) {
        const bool is_first = fill(&one, &next, ends + count), is_second = fill(&other, &next, ends + count);
        if (!is_first && !is_second) return;
        if (is_first && is_second) {
            const size_t left = blocks_left(&one.message), right = blocks_left(&other.message);
            sha256_hash_pair(&one.message, &other.message, left < right ? left : right);
        } else {
            struct message *const last = is_first ? &one.message : &other.message;
            sha256_hash(last, blocks_left(last));
        }
    }
}

#else

// Never called: the caller asks first.
bool sha256_available(void) { return false; }
void sha256_many(const struct sha256_end *ends, size_t count) { (void)ends, (void)count; }

#endif
