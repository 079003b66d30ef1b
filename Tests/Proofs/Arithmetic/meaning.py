"""What each vector instruction of the kernel does to a lane, in terms of few operations on words.

There is one text for all uses. Proofs run it on polynomials and on bits, co-simulation runs it on numbers and compares it
with the processor. Source: Intel, "Intrinsics Guide" (the pseudocode of each intrinsic).
"""

HALF = 52  # bits of a factor of IFMA


def multiply_low(d, sum_, a, b):
    """VPMADD52LUQ: adds the low half of the product of the low 52 bits."""
    return d.add(sum_, d.product_halves(d.low(a, HALF), d.low(b, HALF))[0])


def multiply_high(d, sum_, a, b):
    """VPMADD52HUQ: adds the high half."""
    return d.add(sum_, d.product_halves(d.low(a, HALF), d.low(b, HALF))[1])


def right_pair(d, low, high, counts):
    """VPSHRDVQ: the low word of (high, low) shifted right. The kernel's counts are constants from 1 to 63."""
    count = d.known(counts)
    return d.bit_or(d.right(low, count), d.left(high, 64 - count))


WORDS = {
    "_mm512_add_epi64": lambda d, a, b: d.add(a, b),
    "_mm512_sub_epi64": lambda d, a, b: d.subtract(a, b),
    "_mm512_and_si512": lambda d, a, b: d.bit_and(a, b),
    "_mm512_or_si512": lambda d, a, b: d.bit_or(a, b),
    "_mm512_xor_si512": lambda d, a, b: d.bit_xor(a, b),
    "_mm512_shrdv_epi64": right_pair,
    "_mm512_madd52lo_epu64": multiply_low,
    "_mm512_madd52hi_epu64": multiply_high,
    "_mm512_cmpeq_epi64_mask": lambda d, a, b: d.equal(a, b),
    "_mm512_cmplt_epi64_mask": lambda d, a, b: d.less(a, b),
    "_mm512_test_epi64_mask": lambda d, a, b: d.meet(a, b),
    "_mm512_testn_epi64_mask": lambda d, a, b: d.miss(a, b),
    "_mm256_add_epi64": lambda d, a, b: d.add(a, b),
    "_mm256_sub_epi64": lambda d, a, b: d.subtract(a, b),
    "_mm256_and_si256": lambda d, a, b: d.bit_and(a, b),
    "_mm256_or_si256": lambda d, a, b: d.bit_or(a, b),
    "_mm256_xor_si256": lambda d, a, b: d.bit_xor(a, b),
    "_mm256_cmpeq_epi64": lambda d, a, b: d.word_of_mask(d.equal(a, b)),
    "_mm256_cmpgt_epi64": lambda d, a, b: d.word_of_mask(d.less(b, a)),
    "_mm256_castsi256_pd": lambda d, a: d.double_of_bits(a),
    "_mm256_castpd_si256": lambda d, a: d.bits_of_double(a),
    "_mm256_sub_pd": lambda d, a, b: d.rounded(d.exact_sum(a, b, -1)),
    "_mm256_fmadd_pd": lambda d, a, b, c: d.rounded(d.exact_sum(d.exact_product(a, b), c)),
}

SHIFTS = {
    "_mm512_slli_epi64": lambda d, a, count: d.left(a, count),
    "_mm512_srli_epi64": lambda d, a, count: d.right(a, count),
    "_mm512_srai_epi64": lambda d, a, count: d.signed_right(a, count),
    "_mm256_slli_epi64": lambda d, a, count: d.left(a, count),
    "_mm256_srli_epi64": lambda d, a, count: d.right(a, count),
}

# The least significant bit of each unit's index is that of the first operand's first unit.
CHOICES = {
    "_mm512_mask_mov_epi64": lambda d, mask, a, b: d.choose(mask, a, b),
    "_mm256_blendv_epi8": lambda d, a, b, mask: d.choose(d.mask_of_word(mask), a, b),
}
