#include "text_scanning_by_words.h"

#include <stdbool.h>
#include <string.h>

// The headers of the C library, above, have been read with the processor's real name.
#undef __x86_64__
#include "../../../Sources/Bytes/CTextScanning/include/text_scanning.h"

size_t text_scanning_plain_end_by_words(const uint8_t *text, size_t start, size_t count) {
    return text_scanning_plain_end(text, start, count);
}
