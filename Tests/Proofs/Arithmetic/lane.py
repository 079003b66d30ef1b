"""The operations of meaning.py on the words of numbers_of_limbs.py: one lane, in one case of the comparisons.

A *case* fixes the outcome of every comparison. Then a mask is known, and each comparison is a fact. A function is proven by
all its cases.
"""
import struct

import polynomials as poly
from formulas import Formula
from numbers_of_limbs import Numbers
from words import SCALE, Refuted

WORD = 1 << 64
# The bits of 2^52 + x are these plus x for 0 <= x < 2^52; those of 2^104 + 2^52 x likewise (IEEE 754, binary64).
BITS_OF_2_52, BITS_OF_2_104 = 0x433 << 52, 0x467 << 52


class Lane(Numbers):
    """A lane of 64-bit words and of doubles that are integers. Without a case, comparisons give formulas."""

    def __init__(self, modulus, case, wraps):
        super().__init__(modulus)
        self.case, self.wraps = case, wraps
        self.facts = []
        self.widest = 0
        self.rounded_sums = 0
        self.ends = {}  # of numbers of a kind, over all operations

    # Words

    def within(self, a, least):
        """The same word as an integer in [least, least + 2^64), or None if it is not known to be in one such range."""
        turns = (a.least - least) // WORD
        if a.greatest - turns * WORD >= least + WORD:
            return None
        return self.sum(a, self.number(turns * WORD), -1) if turns else a

    def unsigned(self, a):
        """The word as an unsigned integer."""
        return self.within(a, 0) or self.split(a, 64)[0]

    def signed(self, a):
        """The word as a signed integer."""
        result = self.within(a, -WORD // 2)
        if result is None:
            raise Refuted(f"a signed word leaves 63 bits: {a.least:#x} to {a.greatest:#x}")
        return result

    def settled(self, a):
        """A sum. In arithmetic without excess constants, no sum may leave 63 bits."""
        if a.constant() is not None:
            return self.within(a, -WORD // 2)
        near = self.within(a, -WORD // 2)
        if not self.wraps and near is not a:
            raise Refuted(f"a sum leaves 63 bits: {a.least:#x} to {a.greatest:#x}")
        if near is not None:
            self.widest = max(self.widest, -near.least, near.greatest)
        return near or a

    def add(self, a, b):
        return self.settled(self.sum(a, b))

    def subtract(self, a, b):
        return self.settled(self.sum(a, b, -1))

    def low(self, a, count):
        return self.split(a, count)[0]

    def right(self, a, count):
        return self.split(self.unsigned(a), count)[1]

    def signed_right(self, a, count):
        return self.split(self.signed(a), count)[1]

    def left(self, a, count):
        return self.settled(self.multiple(a, 1 << count))

    def known(self, a):
        if a.constant() is None:
            raise Refuted("a constant was expected")
        return a.constant()

    def bit_and(self, a, b):
        if isinstance(a, Formula) or isinstance(b, Formula):
            return Formula(Formula.of(a).table & Formula.of(b).table)
        if a.constant() is not None and b.constant() is not None:
            return self.settled(self.number((a.constant() % WORD) & (b.constant() % WORD)))
        if a.constant() is not None:
            a, b = b, a
        mask = self.known(b) % WORD
        lowest, top = (mask & -mask).bit_length() - 1, mask.bit_length()
        if mask == 0:
            return b
        if mask != (1 << top) - (1 << lowest):
            raise Refuted(f"the meaning of & {mask:#x} is not known")
        kept = self.within(a, -WORD // 2) or a if top == 64 else self.low(a, top)
        return self.sum(kept, self.low(kept, lowest), -1) if lowest else kept

    def bit_or(self, a, b):
        if isinstance(a, Formula) or isinstance(b, Formula):
            return Formula(Formula.of(a).table | Formula.of(b).table)
        if a.constant() is not None and b.constant() is not None:
            return self.number((a.constant() % WORD) | (b.constant() % WORD))
        if b.constant() is None and (poly.twos(a.whole) or 0) > 0:
            a, b = b, a
        zeros = poly.twos(b.whole)
        if zeros is not None and not (0 <= a.least and a.greatest < 1 << zeros):
            raise Refuted(f"| is not a sum: {a.least:#x} to {a.greatest:#x}, and {zeros} zeros")
        return self.settled(self.sum(a, b))

    def bit_xor(self, a, b):
        if isinstance(a, Formula) or isinstance(b, Formula):
            return Formula(Formula.of(a).table ^ Formula.of(b).table)
        if a.constant() is not None and b.constant() is not None:
            return self.settled(self.number((a.constant() ^ b.constant()) % WORD))
        if a.constant() in (0, -1):
            a, b = b, a
        if self.known(b) not in (0, -1):
            raise Refuted("the meaning of this ^ is not known")
        return self.sum(self.number(-1), a, -1) if b.constant() else a

    def product_halves(self, a, b):
        """The low and the high 52 bits of a product."""
        return self.split(self.integer_product(a, b), 52)

    # Comparisons

    def compared(self, kind, a, b):
        """The outcome of a comparison in this case."""
        if self.case is None:
            outcome = Formula.atom(len(self.facts))
        else:
            outcome = bool(self.case >> len(self.facts) & 1)
        self.facts.append((kind, a, b, outcome))
        return outcome

    def equal(self, a, b):
        return self.compared("equal", self.signed(a), self.signed(b))

    def less(self, a, b):
        return self.compared("less", self.signed(a), self.signed(b))

    def meet(self, a, b):
        return self.compared("meet", a, b)

    def miss(self, a, b):
        return self.compared("miss", a, b)

    def unknown(self, bits):
        """A word of which nothing but its size is known: an address or an offset."""
        symbol = self.symbol("data")
        self.ranges[symbol] = (0, (1 << bits) - 1)
        return self.word(poly.of_symbol(symbol), {(symbol,): 1 << SCALE}, *self.ranges[symbol])

    def any_mask(self, name):
        return self.compared("any", name, None)

    def word_of_mask(self, outcome):
        return outcome if isinstance(outcome, Formula) else self.number(-1 if outcome else 0)

    def mask_of_word(self, a):
        if a.constant() not in (0, -1):
            raise Refuted("a choice by a word that is no mask")
        return bool(a.constant())

    def choose(self, outcome, a, b):
        return b if outcome else a

    # Doubles that are integers

    def double(self, bits):
        """A constant."""
        value = struct.unpack("<d", struct.pack("<q", bits))[0]
        if value != int(value):
            raise Refuted("a double that is no integer")
        return self.number(int(value))

    def double_of_bits(self, a):
        if isinstance(a, Formula) or a.constant() in (0, -1):
            return Formula.of(a)  # A mask: `mask_bits` reads its signs, and arithmetic with it fails here.
        a = self.unsigned(a)
        if not BITS_OF_2_52 <= a.least <= a.greatest < BITS_OF_2_52 + (1 << 52):
            raise Refuted("the bits of a double are not those of a number in [2^52, 2^53)")
        return self.sum(a, self.number((1 << 52) - BITS_OF_2_52))

    def bits_of_double(self, a):
        if 1 << 52 <= a.least and a.greatest < 1 << 53:
            return self.settled(self.sum(a, self.number(BITS_OF_2_52 - (1 << 52))))
        if 1 << 104 <= a.least and a.greatest < 1 << 105:
            low, high = self.split(a, 52)
            if low.constant() == 0:
                return self.settled(self.sum(high, self.number(BITS_OF_2_104 - (1 << 52))))
        raise Refuted("the exponent of a double is not known")

    def exact_sum(self, a, b, sign=1):
        result = self.sum(a, b, sign)
        if sign == -1:
            size = max(-result.least, result.greatest) >> (poly.twos(result.whole) or 0)
            self.note("bits of every exact difference", 0, size.bit_length())
        return result

    def exact_product(self, a, b):
        for factor in (a, b):
            if not 0 <= factor.least <= factor.greatest < 1 << 52:
                raise Refuted(f"a factor reaches beyond 52 bits: {factor.least:#x} to {factor.greatest:#x}")
            self.note("every factor", factor.least, factor.greatest)
        return self.integer_product(a, b)

    def note(self, kind, least, greatest):
        """Notes the range of a number of a kind."""
        before = self.ends.get(kind, (least, greatest))
        self.ends[kind] = (min(least, before[0]), max(greatest, before[1]))

    def rounded(self, a):
        """Rounds to 53 bits, towards zero. A multiple of 2^e below 2^(53 + e) is exact."""
        zeros = poly.twos(a.whole)
        if zeros is None or max(abs(a.least), abs(a.greatest)) <= 1 << 53 + zeros:
            if zeros is not None and zeros < 52:
                self.note("every exact sum", a.least, a.greatest)
            return a
        exponent = a.least.bit_length() - 1
        if a.least <= 0 or a.greatest >= 1 << exponent + 1:
            raise Refuted("the exponent of a sum is not known")
        self.rounded_sums += 1
        self.note("every rounded sum", a.least, a.greatest)
        return self.multiple(self.split(a, exponent - 52)[1], 1 << exponent - 52)
