"""A word as an interval and two polynomials: the meaning on which the kernel's functions are proven.

A word stands for an integer that is congruent to it modulo 2^64. `whole` is that integer as a polynomial with integer
coefficients, `scaled` the same times 2^SCALE with dyadic ones. They differ at a split x = low + 2^k high: `whole` has a new
symbol for the *carry* high, so that congruences are seen, and `scaled` one for the *low part* in [0, 2^k), so that bounds
are. That a split exists is the only thing assumed: low = x mod 2^k, high = floor(x / 2^k).
"""
import polynomials as poly

SCALE = 4096


class Refuted(Exception):
    """A statement that does not hold, or that cannot be shown."""


class Word:
    """An integer in [least, greatest] that equals both polynomials."""

    __slots__ = ("whole", "scaled", "least", "greatest")

    def __init__(self, whole, scaled, least, greatest):
        self.whole, self.scaled, self.least, self.greatest = whole, scaled, least, greatest

    def constant(self):
        """The number that the word is, or None."""
        return poly.constant(self.whole)


class Splits:
    """Words, their sums and their splits."""

    def __init__(self):
        self.names = []
        self.ranges = {}  # of the symbols in `scaled`
        self.lows = {}  # (whole modulo 2^k, k) -> carry symbol, symbol of the low part
        self.carry_of = {}  # `whole` of a low part -> its carry symbol
        self.carries = set()
        self.exact_shifts = self.fresh_splits = 0

    def symbol(self, name):
        """A new symbol."""
        self.names.append(name)
        return len(self.names) - 1

    def bounds(self, scaled):
        """The range of a scaled polynomial, in units of 2^-SCALE."""
        least = greatest = 0
        for monomial, c in scaled.items():
            low = high = 1
            if len(monomial) == 2 and monomial[0] == monomial[1]:
                x, y = self.ranges[monomial[0]]
                low, high = (0 if x <= 0 <= y else min(x * x, y * y)), max(x * x, y * y)
            else:
                for symbol in monomial:
                    x, y = self.ranges[symbol]
                    ends = (low * x, low * y, high * x, high * y)
                    low, high = min(ends), max(ends)
            least += c * (low if c > 0 else high)
            greatest += c * (high if c > 0 else low)
        return least, greatest

    def word(self, whole, scaled, least, greatest):
        """A word whose interval is also that of its scaled polynomial."""
        low, high = self.bounds(scaled)
        least, greatest = max(least, -(-low >> SCALE)), min(greatest, high >> SCALE)
        if least > greatest:
            raise Refuted("no value is left: the assumptions contradict each other")
        return Word(whole, scaled, least, greatest)

    def number(self, value):
        """A constant."""
        return Word(poly.of_number(value), poly.of_number(value << SCALE), value, value)

    def sum(self, a, b, sign=1):
        """a + b or a - b, as integers."""
        ends = (b.least, b.greatest) if sign == 1 else (-b.greatest, -b.least)
        return self.word(poly.plus(a.whole, b.whole, sign), poly.plus(a.scaled, b.scaled, sign), a.least + ends[0],
                         a.greatest + ends[1])

    def multiple(self, a, factor):
        """The word times a positive integer."""
        return self.word(poly.times(a.whole, factor), poly.times(a.scaled, factor), a.least * factor,
                         a.greatest * factor)

    def quotient(self, a, count):
        """The word divided by 2^count, which divides it."""
        return self.word(poly.shifted(a.whole, count), poly.shifted(a.scaled, count), -(-a.least >> count),
                         a.greatest >> count)

    def split(self, a, count):
        """low and high with a = low + 2^count high and 0 <= low < 2^count."""
        common = poly.twos(a.whole)
        if common is None or common >= count:
            self.exact_shifts += common is not None
            return self.number(0), self.quotient(a, count)
        if a.least >> count == a.greatest >> count:
            high = a.least >> count
            return (self.sum(a, self.number(high << count), -1) if high else a), self.number(high)
        if common > 0:
            low, high = self.split(self.quotient(a, common), count - common)
            return self.multiple(low, 1 << common), high
        reduced = poly.modulo(a.whole, 1 << count)
        carry, part = self.symbols_of_split(reduced, count)
        whole = poly.plus(reduced, poly.of_symbol(carry), -(1 << count))
        self.carry_of[poly.frozen(whole)] = carry
        low = self.word(whole, {(part,): 1 << SCALE}, 0, (1 << count) - 1)
        rest = Word(poly.plus(a.whole, whole, -1), poly.plus(a.scaled, low.scaled, -1), a.least - low.greatest,
                    a.greatest - low.least)
        high = self.word(poly.shifted(rest.whole, count), poly.shifted(rest.scaled, count), a.least >> count,
                         a.greatest >> count)
        return low, high

    def symbols_of_split(self, reduced, count):
        """The carry and the low part. They depend only on the integer modulo 2^count."""
        key = (poly.frozen(reduced), count)
        if key not in self.lows:
            self.fresh_splits += 1
            carry, part = self.symbol("carry"), self.symbol("low")
            self.carries.add(carry)
            self.ranges[part] = (0, (1 << count) - 1)
            self.lows[key] = (carry, part)
        return self.lows[key]
