"""Numbers of five limbs: inputs, factors, and the value of a result as a polynomial in the values of the inputs.

A product's factors are limbs that have lost their history: each gets a name. Five names that a chain of carries connects
are a number, whose value is known: limb 0 is that value minus the other limbs. With this rule a result's value loses all
limbs, and what is left is a polynomial in values alone.
"""
import polynomials as poly
from words import SCALE, Refuted, Splits, Word


class Range:
    """What is known of a number: the range of its value and of each limb."""

    def __init__(self, value, limbs):
        self.value, self.limbs = value, limbs


def carried(greatest, least=0):
    """A carried number: limbs below 2^52."""
    limb = (0, (1 << 52) - 1)
    return Range((least, greatest), [limb] * 4 + [(0, min(limb[1], greatest >> 208))])


def signed(limb, least, greatest):
    """A number whose limbs are within a bound on either side."""
    return Range((least, greatest), [(-limb, limb)] * 5)


class Numbers(Splits):
    """Words that belong to numbers."""

    def __init__(self, modulus):
        super().__init__()
        self.modulus = modulus
        self.values = set()  # symbols of values
        self.value_of_name = {}
        self.whole_names, self.scaled_names, self.definition = {}, {}, {}
        self.after_carry = {}  # carry symbol -> the names of limbs that it was added to
        self.heads = {}  # limb 0 -> its value, and the other limbs
        self.partners, self.families, self.refused = {}, None, set()

    def input(self, name, known):
        """Five limbs of a number of which the ranges are known."""
        value = self.symbol(name)
        self.values.add(value)
        self.value_of_name[name] = value
        self.ranges[value] = known.value
        wholes = [self.symbol(f"{name}.{i}") for i in range(5)]
        parts = [self.symbol(f"{name}.{i}") for i in range(4)]
        top = {(value,): 1 << SCALE - 208}
        for i, part in enumerate(parts):
            self.ranges[part] = known.limbs[i]
            top[(part,)] = -(1 << SCALE - 208 + 52 * i)
        scaled = [{(part,): 1 << SCALE} for part in parts] + [top]
        self.heads[wholes[0]] = (poly.of_symbol(value), [poly.of_symbol(s) for s in wholes[1:]])
        return [self.word(poly.of_symbol(w), s, *ends) for w, s, ends in zip(wholes, scaled, known.limbs)]

    def named(self, a):
        """The same word with single symbols in place of its polynomials; twice a named word is twice its name."""
        half = self.half(a)
        if half is not None:
            return self.multiple(self.named(half), 2)
        whole, scaled = a.whole, a.scaled
        if not is_symbol(whole):
            whole = poly.of_symbol(self.whole_name(whole))
        if is_symbol(scaled, 1 << SCALE):
            symbol = next(iter(scaled))[0]
        else:
            key = poly.frozen(scaled)
            if key not in self.scaled_names:
                self.scaled_names[key] = self.symbol("factor")
                self.ranges[self.scaled_names[key]] = (a.least, a.greatest)
            symbol = self.scaled_names[key]
        least, greatest = self.ranges[symbol]
        self.ranges[symbol] = (max(least, a.least), min(greatest, a.greatest))
        return Word(whole, {(symbol,): 1 << SCALE}, a.least, a.greatest)

    def half(self, a):
        """Half a word, if the half has a name already."""
        if not poly.twos(a.whole) or any(c & 1 for c in a.scaled.values()):
            return None
        half = self.quotient(a, 1)
        known = is_symbol(half.whole) or poly.frozen(half.whole) in self.whole_names
        return half if known else None

    def whole_name(self, whole):
        """The name of a limb, which is noted with the carries that were added to it."""
        key = poly.frozen(whole)
        if key not in self.whole_names:
            name = self.whole_names[key] = self.symbol("limb")
            self.definition[name] = whole
            for monomial, c in whole.items():
                if c == 1 and len(monomial) == 1 and monomial[0] in self.carries:
                    self.after_carry.setdefault(monomial[0], []).append(name)
        return self.whole_names[key]

    def integer_product(self, a, b):
        """a * b as integers. Unless one is a constant, both are named."""
        if a.constant() is None and b.constant() is None:
            a, b = self.named(a), self.named(b)
            self.note_partners(a, b)
        ends = [x * y for x in (a.least, a.greatest) for y in (b.least, b.greatest)]
        scaled = poly.shifted(poly.product(a.scaled, b.scaled), SCALE)
        return self.word(poly.product(a.whole, b.whole), scaled, min(ends), max(ends))

    def note_partners(self, a, b):
        """Notes that two limbs were multiplied."""
        for x, y in ((a, b), (b, a)):
            self.partners.setdefault(next(iter(x.whole))[0], set()).add(next(iter(y.whole))[0])
        self.families = None

    def family(self, name):
        """The names of limbs that were multiplied by the same ones as this limb, from it on: those of one number, in the
        order in which they were named."""
        if self.families is None:
            self.families = {}
            for other in sorted(self.definition):
                self.families.setdefault(frozenset(self.partners.get(other, ())), []).append(other)
        members = self.families.get(frozenset(self.partners.get(name, ())), [])
        place = members.index(name) if name in members else 1
        return members[place:place + 5] if place % 5 == 0 else []

    def value(self, limbs, bits=52):
        """The weighted sum of limbs, as a polynomial with coefficients modulo the modulus."""
        total = {}
        for i, limb in enumerate(limbs):
            total = poly.plus(total, limb.whole, 1 << bits * i)
        return self.in_values(poly.modulo(total, self.modulus))

    def value_bounds(self, limbs, bits=52, minus=None):
        """The range of the weighted sum of limbs, minus a scaled polynomial."""
        total = poly.times(minus, -1) if minus else {}
        for i, limb in enumerate(limbs):
            total = poly.plus(total, limb.scaled, 1 << bits * i)
        least, greatest = self.bounds(total)
        least, greatest = -(-least >> SCALE), greatest >> SCALE
        if not minus:
            least = max(least, sum(limb.least << bits * i for i, limb in enumerate(limbs)))
            greatest = min(greatest, sum(limb.greatest << bits * i for i, limb in enumerate(limbs)))
        return least, greatest

    def in_values(self, whole):
        """The polynomial without limb 0 of any number."""
        pending, result = dict(whole), {}
        while pending:
            if len(pending) + len(result) > 20_000:
                raise Refuted("the value's polynomial grows without end: limbs do not cancel")
            monomial, c = pending.popitem()
            place = next((i for i, symbol in enumerate(monomial) if self.is_head(symbol)), None)
            if place is None:
                result = poly.modulo(poly.plus(result, {monomial: c}), self.modulus) if monomial in result else (
                    result | {monomial: c})
                continue
            value, others = self.heads[monomial[place]]
            rest = {monomial[:place] + monomial[place + 1:]: c}
            for i, other in enumerate(others):
                value = poly.plus(value, other, -(1 << 52 * (i + 1)))
            pending = poly.plus(pending, poly.modulo(poly.product(rest, value), self.modulus))
            pending = poly.modulo(pending, self.modulus)
        return result

    def is_head(self, symbol):
        """Whether the symbol is limb 0 of a number, of which the value depends on values alone. Any five limbs have a
        value, so a wrong guess proves nothing false."""
        if symbol in self.heads:
            return True
        if symbol in self.refused or symbol not in self.definition:
            return False
        self.refused.add(symbol)
        for names in (self.chain(symbol), self.family(symbol)):
            total = {}
            for i, name in enumerate(names if len(names) == 5 else []):
                total = poly.plus(total, self.definition[name], 1 << 52 * i)
            value = self.in_values(poly.modulo(total, self.modulus)) if total else {0: 0}
            if all(s in self.values for monomial in value if monomial != 0 for s in monomial) and total:
                self.heads[symbol] = (value, [poly.of_symbol(name) for name in names[1:]])
                self.refused.discard(symbol)
                return True
        return False

    def chain(self, name):
        """The names of limbs that carries connect, from this one on. A carry that several limbs got leads to the limb that
        was named next to it."""
        chain = [name]
        while len(chain) < 5 and chain[-1] in self.definition:
            carry = self.carry_of.get(poly.frozen(self.definition[chain[-1]]))
            following = self.after_carry.get(carry, [])
            if not following:
                break
            chain.append(min(following, key=lambda other: abs(other - chain[-1])))
        return chain


def is_symbol(a, one=1):
    """Whether a polynomial is a single symbol."""
    return len(a) == 1 and next(iter(a.values())) == one and len(next(iter(a))) == 1
