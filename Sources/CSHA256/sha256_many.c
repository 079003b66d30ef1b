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

static void write_digest(const struct message *message, uint8_t *digest)
{
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t word = __builtin_bswap32(message->words[i]);
        memcpy(digest + 4 * i, &word, 4);
    }
}

enum sha256_instructions sha256_available(void)
{
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return SHA256_NONE;
    const bool has_sha = (ebx >> 29 & 1) != 0;
    if (!has_sha || !__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("ssse3")) return SHA256_NONE;
    const bool has_lanes = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    return has_lanes ? SHA256_LANES : SHA256_PAIRS;
}

void sha256_many(enum sha256_instructions instructions, const struct sha256_end *ends, size_t count)
{
    struct message messages[SHA256_MESSAGES];
    if (count > SHA256_MESSAGES) count = SHA256_MESSAGES;
    for (size_t i = 0; i < count; i++) prepare(&messages[i], &ends[i]);
    if (instructions == SHA256_LANES && count >= 4) {
        for (size_t i = count; i < SHA256_MESSAGES; i++) messages[i].next = 3;
        sha256_lanes(messages);
    }
    for (size_t i = 0; i + 1 < count; i += 2) sha256_rests(&messages[i], &messages[i + 1]);
    if (count % 2 == 1) sha256_rest(&messages[count - 1]);
    for (size_t i = 0; i < count; i++) write_digest(&messages[i], ends[i].digest);
}

#else

enum sha256_instructions sha256_available(void) { return SHA256_NONE; }

// Never called: the caller asks first.
void sha256_many(enum sha256_instructions instructions, const struct sha256_end *ends, size_t count)
{
    (void)instructions, (void)ends, (void)count;
}

#endif
