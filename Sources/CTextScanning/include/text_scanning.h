// Two scans of text, many bytes at a time. They are C because Swift lacks the byte shuffles that one needs,
// and the bit masks of comparisons that the other needs. They only accept a text or stop. Their Swift callers
// then find the error byte by byte.
#ifndef STOREKIT_VERIFY_TEXT_SCANNING_H
#define STOREKIT_VERIFY_TEXT_SCANNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Decodes base64 (RFC 4648) from the beginning of a text, 32 characters to 24 bytes at a time.
///
/// - text, count: the characters, without padding.
/// - url: whether 62 and 63 are '-' and '_' (section 5), instead of '+' and '/' (section 4).
/// - output, room: where the bytes go. Up to 8 bytes after them, within the room, are overwritten too.
///
/// Returns the number of decoded characters, a multiple of 32. It stops before a block with any other
/// character, and before the last characters. On a processor without AVX2 it returns 0.
size_t text_scanning_decode_base64(const uint8_t *text, size_t count, bool url, uint8_t *output, size_t room);

/// Finds the quotation marks in a text of printable ASCII.
///
/// - text, count: the text, of at most 65,536 bytes.
/// - positions, room: gets the offset of each quotation mark, in order. The last 64 entries of the room are
///   scratch.
///
/// Returns the number of quotation marks. Returns SIZE_MAX if the text holds a control character, a backslash
/// or a byte beyond ASCII, if it is too long, or if there is not enough room.
size_t text_scanning_quotation_marks(const uint8_t *text, size_t count, uint16_t *positions, size_t room);

#endif
