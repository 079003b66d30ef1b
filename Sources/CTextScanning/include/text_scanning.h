// Two scans of text, many bytes at a time. C because Swift has neither the byte shuffles that the one needs nor
// the bit masks of comparisons that the other does. They say yes or stop; why a text is wrong, their Swift
// callers find out byte by byte.
#ifndef STOREKIT_VERIFY_TEXT_SCANNING_H
#define STOREKIT_VERIFY_TEXT_SCANNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Decodes base64 (RFC 4648) from the beginning of a text, 32 characters to 24 bytes at a time.
///
/// - text, count: the characters, without padding.
/// - url: whether 62 and 63 are '-' and '_' (section 5), or else '+' and '/' (section 4).
/// - output, room: where the bytes go. Up to 8 bytes behind them, within the room, are overwritten too.
///
/// Returns how many characters were decoded, a multiple of 32: it stops before a block with any other
/// character, before the last characters, and at once on a processor without AVX2.
size_t text_scanning_decode_base64(const uint8_t *text, size_t count, bool url, uint8_t *output, size_t room);

/// Finds the quotation marks of a text of printable ASCII.
///
/// - text, count: the text, of at most 65,536 bytes.
/// - positions, room: gets the offset of each quotation mark, in order. The last 64 entries of the room are
///   scratch.
///
/// Returns how many there are; SIZE_MAX if the text holds a control character, a backslash or a byte beyond
/// ASCII, is too long, or has more of them than there is room for.
size_t text_scanning_quotation_marks(const uint8_t *text, size_t count, uint16_t *positions, size_t room);

#endif
