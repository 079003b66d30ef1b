"""What the kernel's instructions that move data do to a vector, a list of words: 2, 4 or 8 of them.

Source: Intel, "Intrinsics Guide". As meaning.py, this is one text for proofs and for co-simulation.
"""


def pairs_of(d, a, b, odd):
    """VPUNPCKLQDQ and VPUNPCKHQDQ: in each 128-bit block, one word of either."""
    return [word for i in range(odd, len(a), 2) for word in (a[i], b[i])]


def blocks(d, a, b, order):
    """VSHUFI64X2: two 128-bit blocks of a, then two of b."""
    places = [order >> 2 * i & 3 for i in range(4)]
    return [vector[2 * place + i] for vector, place in zip((a, a, b, b), places) for i in (0, 1)]


def halves(d, a, b, order):
    """VPERM2I128: two of the four halves. The kernel's orders clear none."""
    both = a + b
    return [both[2 * (order >> shift & 3) + i] for shift in (0, 4) for i in (0, 1)]


def shuffled_bytes(d, a, order):
    """VPSHUFB: bytes within each 128-bit block. The kernel's orders clear none."""
    result = []
    for block in range(0, len(a), 2):
        source = d.bytes_of(a[block]) + d.bytes_of(a[block + 1])
        places = [d.known(i) for word in order[block:block + 2] for i in d.bytes_of(word)]
        chosen = [source[place & 15] for place in places]
        result += [d.of_parts(chosen[:8], 8), d.of_parts(chosen[8:], 8)]
    return result


def all_dwords(d, a):
    """The 32-bit words of a vector."""
    return [half for word in a for half in d.dwords(word)]


def permuted_dwords(d, a, order):
    """VPERMD."""
    source = all_dwords(d, a)
    chosen = [source[d.known(i) & 7] for i in all_dwords(d, order)]
    return [d.of_parts(chosen[i:i + 2], 32) for i in range(0, 8, 2)]


def narrowed(d, a):
    """VPMOVQD: the low half of each word."""
    chosen = [d.dwords(word)[0] for word in a]
    return [d.of_parts(chosen[i:i + 2], 32) for i in range(0, len(chosen), 2)]


MOVES = {
    "_mm512_permutexvar_epi64": lambda d, order, a: [a[d.known(i) & 7] for i in order],
    "_mm512_unpacklo_epi64": lambda d, a, b: pairs_of(d, a, b, 0),
    "_mm512_unpackhi_epi64": lambda d, a, b: pairs_of(d, a, b, 1),
    "_mm256_unpacklo_epi64": lambda d, a, b: pairs_of(d, a, b, 0),
    "_mm256_unpackhi_epi64": lambda d, a, b: pairs_of(d, a, b, 1),
    "_mm512_shuffle_epi8": shuffled_bytes,
    "_mm256_shuffle_epi8": shuffled_bytes,
    "_mm256_permutevar8x32_epi32": permuted_dwords,
    "_mm512_cvtepi64_epi32": narrowed,
    "_mm512_cvtepu32_epi64": lambda d, a: all_dwords(d, a),
    "_mm256_cvtepu32_epi64": lambda d, a: all_dwords(d, a),
    "_mm512_broadcast_i32x4": lambda d, a: a * 4,
    "_mm512_zextsi256_si512": lambda d, a: a + [d.number(0)] * 4,
}

# With an immediate operand.
ORDERED_MOVES = {
    "_mm512_shuffle_i64x2": blocks,
    "_mm256_permute2x128_si256": halves,
    "_mm256_permute4x64_epi64": lambda d, a, order: [a[order >> 2 * i & 3] for i in range(4)],
}
