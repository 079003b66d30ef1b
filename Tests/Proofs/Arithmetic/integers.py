"""A word as a number: the meaning with which the processor is compared."""
import struct
from fractions import Fraction

WORD = 1 << 64


def signed(a):
    """The word as a signed number."""
    return a - WORD if a >> 63 else a


class Integers:
    """The operations of meaning.py on numbers from 0 to 2^64 - 1. A double is an exact fraction."""

    def number(self, value):
        return value % WORD

    def known(self, a):
        return a

    def add(self, a, b):
        return (a + b) % WORD

    def subtract(self, a, b):
        return (a - b) % WORD

    def low(self, a, count):
        return a % (1 << count)

    def right(self, a, count):
        return a >> count

    def signed_right(self, a, count):
        return (signed(a) >> count) % WORD

    def left(self, a, count):
        return (a << count) % WORD

    def bit_and(self, a, b):
        return a & b

    def bit_or(self, a, b):
        return a | b

    def bit_xor(self, a, b):
        return a ^ b

    def product_halves(self, a, b):
        return a * b % (1 << 52), a * b >> 52

    def equal(self, a, b):
        return a == b

    def less(self, a, b):
        return signed(a) < signed(b)

    def meet(self, a, b):
        return a & b != 0

    def miss(self, a, b):
        return a & b == 0

    def word_of_mask(self, mask):
        return WORD - 1 if mask else 0

    def mask_of_word(self, a):
        return bool(a >> 63)

    def choose(self, mask, a, b):
        return b if mask else a

    def double_of_bits(self, a):
        return Fraction(struct.unpack("<d", struct.pack("<Q", a))[0])

    def bits_of_double(self, a):
        return struct.unpack("<Q", struct.pack("<d", a.numerator / a.denominator))[0] if a else 0

    def exact_sum(self, a, b, sign=1):
        return a + sign * b

    def exact_product(self, a, b):
        return a * b

    def rounded(self, a):
        """To 53 significant bits, towards zero (IEEE 754). The fractions here have no tiny exponents."""
        if not a:
            return a
        size, exponent = abs(a), 0
        while size >= 1 << 53:
            size, exponent = size / 2, exponent + 1
        while size < 1 << 52:
            size, exponent = size * 2, exponent - 1
        return Fraction(size.numerator // size.denominator * (1 if a > 0 else -1)) * Fraction(2) ** exponent

    def dwords(self, a):
        return a % (1 << 32), a >> 32

    def bytes_of(self, a):
        return list(a.to_bytes(8, "little"))

    def of_parts(self, parts, size):
        return sum(part << size * i for i, part in enumerate(parts))
