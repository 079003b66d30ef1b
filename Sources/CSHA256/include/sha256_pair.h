// SHA-256 (FIPS 180-4) of two messages at a time. A processor's SHA instructions wait for each other within one message,
// so that a second one takes hardly any time. It is C because Swift has no such instructions.
#ifndef STOREKIT_VERIFY_SHA256_PAIR_H
#define STOREKIT_VERIFY_SHA256_PAIR_H

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
bool sha256_pair_is_supported(void);

/// Hashes two messages. The processor must have the instructions.
void sha256_pair(const struct sha256_end *one, const struct sha256_end *other);

#endif
