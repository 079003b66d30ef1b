"""A word as 64 bits, each a sum of input bits modulo 2: the meaning on which data movement and digits are proven.

A bit is an integer: its binary digit 0 is the constant 1, digit k stands for input bit k. So ^ of bits is ^ of integers.
Other operations work where the result is such a sum again, as for masks, shifts and selections of a bit or its complement;
elsewhere the word is `None`, unknown.
"""
from words import Refuted

ZERO, ONE = 0, 1


def constant_bits(value, count=64):
    """The bits of a number."""
    return tuple(value >> i & 1 for i in range(count))


def value_of(word):
    """The number that the bits are, or None."""
    if word is None or any(bit > 1 for bit in word):
        return None
    return sum(bit << i for i, bit in enumerate(word))


def either_way(combine):
    """An operation on two bits of which one must be a constant."""
    def on_bits(a, b):
        if a is None or b is None:
            return None
        result = [combine(x, y) for x, y in zip(a, b)]
        return None if None in result else tuple(result)
    return on_bits


def and_bit(x, y):
    """x & y."""
    if x > 1:
        x, y = y, x
    return x if x == y or x == ZERO else y if x == ONE else None


def or_bit(x, y):
    """x | y."""
    if x > 1:
        x, y = y, x
    return x if x == y or x == ONE else y if x == ZERO else None


class Bits:
    """The operations of meaning.py on bits."""

    def __init__(self):
        self.inputs = []

    def fresh(self, name, count=64):
        """A word of new input bits, with zeros above them."""
        bits = []
        for i in range(count):
            self.inputs.append((name, i))
            bits.append(1 << len(self.inputs))
        return tuple(bits) + (ZERO,) * (64 - count)

    def number(self, value):
        return constant_bits(value)

    def known(self, a):
        value = value_of(a)
        if value is None:
            raise Refuted("a constant was expected")
        return value

    bit_and = staticmethod(either_way(and_bit))
    bit_or = staticmethod(either_way(or_bit))
    bit_xor = staticmethod(either_way(lambda x, y: x ^ y))

    def add(self, a, b):
        """A sum in which no two bits meet has no carries."""
        if a is None or b is None or any(x and y for x, y in zip(a, b)):
            values = value_of(a), value_of(b)
            return None if None in values else constant_bits(sum(values))
        return tuple(x or y for x, y in zip(a, b))

    def subtract(self, a, b):
        """Subtracting from a word of ones has no borrows."""
        if a is None or b is None or any(x != ONE and y != ZERO for x, y in zip(a, b)):
            return None
        return tuple(x ^ y for x, y in zip(a, b))

    def low(self, a, count):
        return None if a is None else a[:count] + (ZERO,) * (len(a) - count)

    def right(self, a, count):
        return None if a is None else a[count:] + (ZERO,) * min(count, len(a))

    def signed_right(self, a, count):
        return None if a is None else a[count:] + (a[-1],) * count

    def left(self, a, count):
        """Shifts of all bits and more give zero, as in the processor."""
        return None if a is None else ((ZERO,) * count + a)[:len(a)]

    def double_of_bits(self, a):
        return a

    def product_halves(self, _a, _b):
        return None, None

    # Comparisons: a mask is a bit.

    def miss(self, a, b):
        """Whether no bit is common: known where at most one bit can be."""
        both = self.bit_and(a, b)
        if both is None:
            return None
        open_bits = [bit for bit in both if bit != ZERO]
        if not open_bits:
            return ONE
        return open_bits[0] ^ ONE if len(open_bits) == 1 else None

    def meet(self, a, b):
        missed = self.miss(a, b)
        return None if missed is None else missed ^ ONE

    def equal(self, a, b):
        if a is None or b is None:
            return None
        difference = self.bit_xor(a, b)
        return self.miss(difference, constant_bits((1 << 64) - 1))

    def less(self, a, b):
        """Only the sign is known."""
        return a[-1] if a is not None and value_of(b) == 0 else None

    def word_of_mask(self, mask):
        return None if mask is None else (mask,) * 64

    def mask_of_word(self, a):
        return None if a is None or len(set(a)) != 1 else a[0]

    def choose(self, mask, a, b):
        """Per bit: the same, one of two by a known mask, or a bit and its complement."""
        if a is None or b is None or mask is None:
            return None
        if mask in (ZERO, ONE):
            return b if mask else a
        if any(x != y and x ^ y != ONE for x, y in zip(a, b)):
            return None
        return tuple(x if x == y else x ^ mask for x, y in zip(a, b))

    def dwords(self, a):
        """The two halves of a word, least significant first, each as a word."""
        return (None, None) if a is None else (self.low(a, 32), self.right(a, 32))

    def bytes_of(self, a):
        """The eight bytes of a word, each as a word."""
        return [None] * 8 if a is None else [self.low(self.right(a, 8 * i), 8) for i in range(8)]

    def of_parts(self, parts, size):
        """The word of parts of a size in bits."""
        if None in parts:
            return None
        return sum((part[:size] for part in parts), ())
