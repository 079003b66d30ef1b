// The scan of JSON strings as it is on processors without SSE2, eight bytes at a time, so that every machine tests it.
#ifndef STOREKIT_VERIFY_TEXT_SCANNING_BY_WORDS_H
#define STOREKIT_VERIFY_TEXT_SCANNING_BY_WORDS_H

#include <stddef.h>
#include <stdint.h>

/// The same as `text_scanning_plain_end`.
size_t text_scanning_plain_end_by_words(const uint8_t *text, size_t start, size_t count);

#endif
