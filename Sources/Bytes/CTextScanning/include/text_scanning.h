// Two scans of text, many bytes at a time. They are C because Swift lacks the byte shuffles that one needs, and the bit
// masks of comparisons that the other needs. They only accept bytes or stop. Their Swift callers look at the bytes that
// stopped them one by one.
#ifndef STOREKIT_VERIFY_TEXT_SCANNING_H
#define STOREKIT_VERIFY_TEXT_SCANNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// Decodes base64 (RFC 4648) from the beginning of a text, 32 or 64 characters at a time.
///
/// - text, count: the characters, without padding.
/// - url: whether 62 and 63 are '-' and '_' (section 5), instead of '+' and '/' (section 4).
/// - widest: the width in bits of the widest vectors to use: 0, 256 (AVX2) or 512 (AVX-512 with VBMI).
/// - output, room: where the bytes go. Up to 8 bytes after them, within the room, are overwritten too.
///
/// Returns the number of decoded characters, a multiple of 4. It stops before a block with any other character, and
/// before the last characters. On a processor without AVX2 it returns 0.
size_t text_scanning_decode_base64(const uint8_t *text, size_t count, bool url, unsigned widest, uint8_t *output,
                                   size_t room);

/// Finds the end of a run of characters that stand for themselves in a JSON string (RFC 8259, section 7): printable
/// ASCII but the quotation mark and the backslash.
///
/// Returns the offset of the first byte from `start` on that is not such a character, or `count`.
static inline size_t text_scanning_plain_end(const uint8_t *text, size_t start, size_t count)
{
#if defined(__x86_64__)
    // Every x86-64 processor has SSE2. As signed numbers, bytes beyond ASCII are below the space too.
    typedef signed char bytes __attribute__((vector_size(16)));
    for (; count - start >= 16; start += 16) {
        bytes block;
        memcpy(&block, text + start, 16);
        const bytes stops = (bytes)(block < ' ') | (bytes)(block == '"') | (bytes)(block == '\\');
        const int mask = __builtin_ia32_pmovmskb128(stops);
        if (mask != 0) return start + (size_t)__builtin_ctz((unsigned)mask);
    }
#elif defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    // A byte minus one borrows into its highest bit if the byte was zero. A borrow goes to higher bytes alone, so that
    // the lowest bit found is right.
    const uint64_t ones = 0x0101010101010101, tops = ones << 7;
    for (; count - start >= 8; start += 8) {
        uint64_t block;
        memcpy(&block, text + start, 8);
        const uint64_t quotes = block ^ ones * '"', backslashes = block ^ ones * '\\';
        const uint64_t stops = (((block - ones * ' ') & ~block) | ((quotes - ones) & ~quotes)
                                | ((backslashes - ones) & ~backslashes) | block) & tops;
        if (stops != 0) return start + (size_t)__builtin_ctzll(stops) / 8;
    }
#endif
    while (start < count && text[start] >= ' ' && text[start] < 0x80 && text[start] != '"' && text[start] != '\\')
        start++;
    return start;
}

/// Finds the end of a run of decimal digits. Returns the offset of the first byte from `start` on that is not a digit, or
/// `count`.
static inline size_t text_scanning_digits_end(const uint8_t *text, size_t start, size_t count)
{
#if defined(__x86_64__)
    // Whole numbers have one to sixteen digits. A comparison with all of them at once has no branch to mispredict.
    typedef unsigned char bytes __attribute__((vector_size(16)));
    if (count - start >= 16) {
        bytes block;
        memcpy(&block, text + start, 16);
        const int mask = __builtin_ia32_pmovmskb128((signed char __attribute__((vector_size(16))))(block - '0' > 9));
        if (mask != 0) return start + (size_t)__builtin_ctz((unsigned)mask);
        start += 16;
    }
#endif
    while (start < count && (uint8_t)(text[start] - '0') < 10) start++;
    return start;
}

#endif
