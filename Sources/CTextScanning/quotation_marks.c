#include "text_scanning.h"

#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/// One bit for each of 16 bytes: which are quotation marks, and which are not allowed in the text.
struct masks {
    uint64_t marks, wrong;
};

static inline struct masks masks_of_16(const uint8_t *text)
{
#if defined(__x86_64__)
    // Every x86-64 processor has SSE2. As signed numbers, bytes beyond ASCII are below the space too.
    const __m128i bytes = _mm_loadu_si128((const __m128i *)text);
    const __m128i marks = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i wrong = _mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8(' ')),
                                       _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    return (struct masks){(uint32_t)_mm_movemask_epi8(marks), (uint32_t)_mm_movemask_epi8(wrong)};
#else
    struct masks masks = {0, 0};
    for (unsigned index = 0; index < 16; index++) {
        const uint8_t byte = text[index];
        masks.marks |= (uint64_t)(byte == '"') << index;
        masks.wrong |= (uint64_t)(byte < ' ' || byte > 0x7f || byte == '\\') << index;
    }
    return masks;
#endif
}

static inline struct masks masks_of_64(const uint8_t *text)
{
    struct masks all = {0, 0};
    for (unsigned part = 0; part < 4; part++) {
        const struct masks masks = masks_of_16(text + 16 * part);
        all.marks |= masks.marks << (16 * part);
        all.wrong |= masks.wrong << (16 * part);
    }
    return all;
}

size_t text_scanning_quotation_marks(const uint8_t *text, size_t count, uint16_t *positions, size_t room)
{
    if (count > 1 << 16) return SIZE_MAX;
    size_t found = 0;
    for (size_t start = 0; start < count; start += 64) {
        const size_t left = count - start;
        uint8_t last[64];
        const uint8_t *block = text + start;
        if (left < 64) {
            memset(last, ' ', sizeof last);
            memcpy(last, block, left);
            block = last;
        }
        const struct masks masks = masks_of_64(block);
        // A block holds at most 64 quotation marks.
        if (masks.wrong != 0 || room < 64 || found > room - 64) return SIZE_MAX;
        for (uint64_t marks = masks.marks; marks != 0; marks &= marks - 1)
            positions[found++] = (uint16_t)(start + (size_t)__builtin_ctzll(marks));
    }
    return found;
}
