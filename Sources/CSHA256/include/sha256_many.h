// SHA-256 (FIPS 180-4) of several messages at a time: sixteen in the lanes of AVX-512, or two with a processor's SHA
// instructions, which wait for each other within one message. It is C because Swift has no such instructions.
#ifndef STOREKIT_VERIFY_SHA256_MANY_H
#define STOREKIT_VERIFY_SHA256_MANY_H

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

enum sha256_instructions {
    /// The processor has neither.
    SHA256_NONE,
    /// SHA instructions, for two messages.
    SHA256_PAIRS,
    /// AVX-512, for sixteen messages.
    SHA256_LANES,
};

/// The most messages at a time.
enum { SHA256_MESSAGES = 16 };

/// The fastest instructions that the processor has.
enum sha256_instructions sha256_available(void);

/// Hashes messages, `SHA256_MESSAGES` at most, with instructions that the processor has.
void sha256_many(enum sha256_instructions instructions, const struct sha256_end *ends, size_t count);

#endif
