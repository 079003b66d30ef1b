// A message as runs of blocks, and the functions that hash them.
#ifndef STOREKIT_VERIFY_SHA256_MESSAGES_H
#define STOREKIT_VERIFY_SHA256_MESSAGES_H

#include "sha256_many.h"

#include <stdbool.h>
#include <string.h>

/// FIPS 180-4, section 4.2.2.
extern const uint32_t sha256_constants[64];

/// A message in up to three runs of blocks: the block that the beginning left unfinished, the blocks that follow in
/// place, and the last ones with the padding.
///
/// `next` is the run that comes next. A message needs no copy of the bytes that stand in whole blocks.
struct message {
    uint32_t words[8];
    uint8_t first[64], last[128];
    const uint8_t *run[3];
    size_t blocks[3];
    unsigned next;
};

/// FIPS 180-4, section 5.1.1: a one bit, zeros, and the length in bits in the last eight bytes of a block.
static inline void prepare(struct message *message, const struct sha256_end *end)
{
    const struct sha256_beginning *beginning = end->beginning;
    const uint8_t *bytes = end->bytes;
    size_t count = end->count, rest = beginning->bytes % 64, last = 0;
    memcpy(message->words, beginning->state, sizeof message->words);
    memcpy(message->first, beginning->rest, rest);
    message->blocks[0] = 0;
    // The block that the beginning left unfinished is completed here, or else goes on in `last`.
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
    // The padding needs nine bytes: 0x80 and the length. They fit behind up to 55 bytes of a block.
    message->blocks[2] = last < 56 ? 1 : 2;
    const size_t size = 64 * message->blocks[2];
    memset(message->last + last, 0, size - last);
    message->last[last] = 0x80;
    // FIPS 180-4 counts bits, big-endian. A message of 2^61 bytes or more cannot be in memory.
    const uint64_t bits = __builtin_bswap64(8 * (beginning->bytes + end->count));
    memcpy(message->last + size - 8, &bits, 8);
    message->run[0] = message->first;
    message->run[1] = bytes;
    message->run[2] = message->last;
    message->next = 0;
}

/// Whether blocks are left.
static inline bool has_blocks(struct message *message)
{
    while (message->next < 3 && message->blocks[message->next] == 0) message->next++;
    return message->next < 3;
}

/// The number of blocks of the run in which the message is.
static inline size_t blocks_left(const struct message *message) { return message->blocks[message->next]; }

/// Moves on in the run.
///
/// - Parameter blocks: at most those that are left in the run.
static inline void advance(struct message *message, size_t blocks)
{
    message->run[message->next] += 64 * blocks;
    message->blocks[message->next] -= blocks;
}

/// Hashes as many blocks of the run in which one message is, or each of two; they have as many.
///
/// Both functions change the words of the messages and advance them.
void sha256_hash(struct message *one, size_t blocks);
void sha256_hash_pair(struct message *one, struct message *other, size_t blocks);

#endif
