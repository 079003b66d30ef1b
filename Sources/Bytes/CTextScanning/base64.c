#include "text_scanning.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

/// The bytes of `characters` from `first` to `last`, both ASCII. All other bytes, also those beyond ASCII,
/// become zero.
AVX2 static inline __m256i in_range(__m256i characters, char first, char last)
{
    const __m256i above = _mm256_cmpgt_epi8(characters, _mm256_set1_epi8((char)(first - 1)));
    const __m256i below = _mm256_cmpgt_epi8(_mm256_set1_epi8((char)(last + 1)), characters);
    return _mm256_and_si256(above, below);
}

/// Inlined once for each alphabet, so that the characters for 62 and 63 are constants in the loop.
AVX2 __attribute__((always_inline)) static inline size_t decode_blocks(const uint8_t *text, size_t count,
                                                                       char for62, char for63,
                                                                       uint8_t *output, size_t room)
{
    // Moves the three bytes of each 32-bit lane, in order, to the front of each half.
    const __m256i gather = _mm256_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1,
                                            2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1);
    const __m256i join = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7);
    size_t done = 0, written = 0;
    // Each store writes 32 bytes, of which 24 are decoded.
    while (count - done >= 32 && room - written >= 32) {
        const __m256i characters = _mm256_loadu_si256((const __m256i *)(text + done));
        const __m256i upper = in_range(characters, 'A', 'Z'), lower = in_range(characters, 'a', 'z');
        const __m256i digit = in_range(characters, '0', '9');
        const __m256i is62 = _mm256_cmpeq_epi8(characters, _mm256_set1_epi8(for62));
        const __m256i is63 = _mm256_cmpeq_epi8(characters, _mm256_set1_epi8(for63));
        const __m256i known = _mm256_or_si256(_mm256_or_si256(_mm256_or_si256(upper, lower), digit),
                                              _mm256_or_si256(is62, is63));
        if (_mm256_movemask_epi8(known) != -1) break;
        // The difference between each kind of character and its value.
        const __m256i shift = _mm256_or_si256(
            _mm256_or_si256(_mm256_and_si256(upper, _mm256_set1_epi8(-'A')),
                            _mm256_and_si256(lower, _mm256_set1_epi8(26 - 'a'))),
            _mm256_or_si256(_mm256_and_si256(digit, _mm256_set1_epi8(52 - '0')),
                            _mm256_or_si256(_mm256_and_si256(is62, _mm256_set1_epi8((char)(62 - for62))),
                                            _mm256_and_si256(is63, _mm256_set1_epi8((char)(63 - for63))))));
        const __m256i sextets = _mm256_add_epi8(characters, shift);
        // Joins pairs of six bits to twelve, and pairs of those to twenty-four, the first one highest.
        const __m256i pairs = _mm256_maddubs_epi16(sextets, _mm256_set1_epi32(0x01400140));
        const __m256i groups = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00011000));
        const __m256i halves = _mm256_shuffle_epi8(groups, gather);
        _mm256_storeu_si256((__m256i *)(output + written), _mm256_permutevar8x32_epi32(halves, join));
        done += 32;
        written += 24;
    }
    return done;
}

AVX2 static size_t decode_avx2(const uint8_t *text, size_t count, bool url, uint8_t *output, size_t room)
{
    return url ? decode_blocks(text, count, '-', '_', output, room)
               : decode_blocks(text, count, '+', '/', output, room);
}

#define AVX512 __attribute__((target("avx512bw,avx512vbmi")))

/// The letters and digits, numbered from 1. Other characters are zero.
static const uint8_t numbers[128] = {
    ['A'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
    ['a'] = 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52,
    ['0'] = 53, 54, 55, 56, 57, 58, 59, 60, 61, 62,
};

/// The places in sixteen 32-bit lanes of their three bytes each, in order.
static const uint8_t packed[64] = {
    2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 18, 17, 16, 22, 21, 20, 26, 25, 24, 30, 29, 28,
    34, 33, 32, 38, 37, 36, 42, 41, 40, 46, 45, 44, 50, 49, 48, 54, 53, 52, 58, 57, 56, 62, 61, 60,
};

/// Decodes whole groups of four characters, up to sixteen groups at a time, and writes nothing behind them.
AVX512 static size_t decode_avx512(const uint8_t *text, size_t count, bool url, uint8_t *output, size_t room)
{
    // The value of each ASCII character; -1, with the highest bit set, for those that the alphabet lacks.
    const __m512i place = _mm512_loadu_si512(packed), one = _mm512_set1_epi8(1);
    __m512i low = _mm512_sub_epi8(_mm512_loadu_si512(numbers), one);
    __m512i high = _mm512_sub_epi8(_mm512_loadu_si512(numbers + 64), one);
    low = _mm512_mask_mov_epi8(low, 1ULL << (url ? '-' : '+'), _mm512_set1_epi8(62));
    if (url) high = _mm512_mask_mov_epi8(high, 1ULL << ('_' - 64), _mm512_set1_epi8(63));
    else low = _mm512_mask_mov_epi8(low, 1ULL << '/', _mm512_set1_epi8(63));
    if (room < count / 4 * 3) return 0;
    size_t done = 0, written = 0;
    while (count - done >= 4) {
        const size_t length = count - done < 64 ? (count - done) / 4 * 4 : 64;
        const __m512i characters =
            _mm512_mask_loadu_epi8(_mm512_set1_epi8('A'), ~0ULL >> (64 - length), text + done);
        const __m512i sextets = _mm512_permutex2var_epi8(low, characters, high);
        if (_mm512_movepi8_mask(_mm512_or_si512(characters, sextets)) != 0) break;
        // As above.
        const __m512i pairs = _mm512_maddubs_epi16(sextets, _mm512_set1_epi32(0x01400140));
        const __m512i groups = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00011000));
        _mm512_mask_storeu_epi8(output + written, ~0ULL >> (64 - length / 4 * 3),
                                _mm512_permutexvar_epi8(place, groups));
        done += length;
        written += length / 4 * 3;
    }
    return done;
}

size_t text_scanning_decode_base64(const uint8_t *text, size_t count, bool url, unsigned widest, uint8_t *output,
                                   size_t room)
{
    if (widest >= 512 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi"))
        return decode_avx512(text, count, url, output, room);
    return widest >= 256 && __builtin_cpu_supports("avx2") ? decode_avx2(text, count, url, output, room) : 0;
}

#else

size_t text_scanning_decode_base64(const uint8_t *text, size_t count, bool url, unsigned widest, uint8_t *output,
                                   size_t room)
{
    (void)text, (void)count, (void)url, (void)widest, (void)output, (void)room;
    return 0;
}

#endif
