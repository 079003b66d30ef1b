// SHA-256 (FIPS 180-4) of several messages, two at a time, with a processor's SHA instructions, which wait for each other
// within one message. It is C because Swift has no such instructions.
//
// Sixteen messages side by side in AVX-512 registers are no faster: on Zen 4 a step of sixteen blocks takes 390 ns, and
// 316 ns by these instructions, which moreover do not wait for the longest of sixteen messages.
#ifndef STOREKIT_VERIFY_SHA256_MANY_H
#define STOREKIT_VERIFY_SHA256_MANY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The beginning of a message that was hashed before.
struct sha256_beginning {
    /// The hash value after the whole blocks.
    uint32_t state[8];
    /// The bytes after those, fewer than 64.
    uint8_t rest[64];
    /// The length of the beginning in bytes.
    uint64_t bytes;
};

/// The end of a message, and where the hash of the whole message goes.
struct sha256_end {
    const struct sha256_beginning *beginning;
    const uint8_t *bytes;
    size_t count;
    uint8_t *digest;
};

/// Whether the processor has the instructions.
///
/// CPUID leaf 7, EBX bit 29, and SSSE3 and SSE4.1 for the shuffles. A caller asks once and keeps the answer.
bool sha256_available(void);

/// Hashes messages on a processor that has the instructions.
///
/// Each digest has 32 bytes. Nothing is allocated, and the time depends on the lengths alone.
///
/// The caller keeps all memory alive until the call returns. A digest must not overlap a message that is not
/// hashed yet.
void sha256_many(const struct sha256_end *ends, size_t count);

#endif
