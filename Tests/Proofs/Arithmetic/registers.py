"""The words of numbers_of_limbs.py as registers of any width: the operations of LLVM's instructions on integers."""
import polynomials as poly
from numbers_of_limbs import Numbers
from words import SCALE, Refuted, Word


class Registers(Numbers):
    """A register of w bits is an integer that is congruent to it modulo 2^w."""

    def __init__(self, modulus, case):
        super().__init__(modulus)
        self.case, self.facts, self.widest = case, [], {}
        self.signs = set()  # symbols that are 1 where a shifted number was negative

    def window(self, a, bits, least):
        """The same register as an integer in [least, least + 2^bits), or None if that is not known."""
        size = 1 << bits
        turns = (a.least - least) // size
        if a.greatest - turns * size >= least + size:
            return None
        return self.sum(a, self.number(turns * size), -1) if turns else a

    def unsigned(self, a, bits):
        return self.window(a, bits, 0) or self.split(a, bits)[0]

    def signed(self, a, bits):
        result = self.window(a, bits, -(1 << bits - 1))
        if result is None:
            raise Refuted("the sign of a register is not known")
        return result

    def plain(self, a, bits):
        """The integer nearest to zero of those that are known."""
        known = [w for w in (self.window(a, bits, 0), self.window(a, bits, -(1 << bits - 1))) if w]
        return min(known, key=lambda w: max(-w.least, w.greatest)) if known else a

    def binary(self, operation, flags, bits, a, b):
        """An instruction of two operands. The compiler's promises nuw, nsw and disjoint are checked, not believed."""
        if operation in ("add", "sub", "mul"):
            combine = {"add": self.sum, "sub": lambda x, y: self.sum(x, y, -1), "mul": self.integer_product}[operation]
            if "nuw" in flags:
                self.fits(combine(self.unsigned(a, bits), self.unsigned(b, bits)), 0, bits)
            if "nsw" in flags:
                self.fits(combine(self.signed(a, bits), self.signed(b, bits)), -(1 << bits - 1), bits)
            result = self.plain(combine(self.plain(a, bits), self.plain(b, bits)), bits)
            self.widest[bits] = max(self.widest.get(bits, 0), -result.least, result.greatest)
            return result
        if operation == "shl":
            count = b.constant()
            if "nuw" in flags:
                self.fits(self.multiple(self.unsigned(a, bits), 1 << count), 0, bits)
            if "nsw" in flags:
                self.fits(self.multiple(self.signed(a, bits), 1 << count), -(1 << bits - 1), bits)
            return self.plain(self.multiple(self.plain(a, bits), 1 << count), bits)
        if operation in ("lshr", "ashr"):
            return self.shifted(operation, bits, a, b.constant())
        return {"and": self.bit_and, "or": self.bit_or, "xor": self.bit_xor}[operation](a, b, bits)

    def fits(self, a, least, bits):
        """A promise that an operation does not overflow."""
        if a.least < least or a.greatest >= least + (1 << bits):
            raise Refuted("an operation that must not overflow may do so")

    def shifted(self, operation, bits, a, count):
        """A right shift. That of all bits but the sign is a case: is the number negative?"""
        if count == bits - 1:
            negative = self.compared("slt", self.signed(a, bits), self.number(0))
            return self.number((-1 if operation == "ashr" else 1) if negative else 0)
        if operation == "lshr" and not self.window(a, bits, 0) and self.window(a, bits, -(1 << bits - 1)):
            return self.shifted_with_sign(self.signed(a, bits), bits, count)
        return self.split(self.unsigned(a, bits) if operation == "lshr" else self.signed(a, bits), count)[1]

    def shifted_with_sign(self, a, bits, count):
        """A logical shift of a number that may be negative: that of the number, plus 2^(bits - count) if it is negative."""
        sign = self.symbol("sign")
        self.signs.add(sign)
        self.ranges[sign] = (0, 1)
        high = self.split(a, count)[1]
        size = 1 << bits - count
        result = self.sum(high, Word({(sign,): size}, {(sign,): size << SCALE}, 0, size))
        return self.word(result.whole, result.scaled, 0, size - 1)

    def without_signs(self, a, bits):
        """The register without those signs that its low bits do not have."""
        gone = [m for m, c in a.whole.items() if len(m) == 1 and m[0] in self.signs and c % (1 << bits) == 0]
        if not gone:
            return a
        whole, scaled = ({m: c for m, c in p.items() if m not in gone} for p in (a.whole, a.scaled))
        return self.word(whole, scaled, -(1 << 256), 1 << 256)

    def bit_and(self, a, b, bits):
        if a.constant() is not None:
            a, b = b, a
        if b.constant() is None:
            raise Refuted("& of two unknown registers")
        mask = b.constant() % (1 << bits)
        if a.constant() is not None:
            return self.number(a.constant() % (1 << bits) & mask)
        if mask == 0:
            return self.number(0)
        lowest, top = (mask & -mask).bit_length() - 1, mask.bit_length()
        if mask != (1 << top) - (1 << lowest):
            raise Refuted(f"the meaning of & {mask:#x} is not known")
        kept = self.plain(a, bits) if top == bits else self.split(a, top)[0]
        return self.sum(kept, self.split(kept, lowest)[0], -1) if lowest else kept

    def known(self, a):
        """A constant."""
        if a.constant() is None:
            raise Refuted("a constant was expected")
        return a.constant()

    def bit_or(self, a, b, bits):
        if a.constant() is not None and b.constant() is not None:
            return self.plain(self.number(a.constant() % (1 << bits) | b.constant() % (1 << bits)), bits)
        if b.constant() == 0 or a.constant() == 0:
            return a if b.constant() == 0 else b
        if b.constant() is None and (poly.twos(a.whole) or 0) > 0:
            a, b = b, a
        zeros = poly.twos(b.whole)
        low = self.unsigned(a, bits)
        if zeros is None or not low.greatest < 1 << zeros:
            low, b = self.unsigned(b, bits), a
            zeros = poly.twos(b.whole) or 0
            if not low.greatest < 1 << zeros:
                raise Refuted("| is not a sum")
        return self.plain(self.sum(low, b), bits)

    def bit_xor(self, a, b, bits):
        if a.constant() is not None and b.constant() is not None:
            return self.plain(self.number((a.constant() ^ b.constant()) % (1 << bits)), bits)
        if a.constant() is not None:
            a, b = b, a
        if b.constant() == 0:
            return a
        if b.constant() is None or b.constant() % (1 << bits) != (1 << bits) - 1:
            raise Refuted("the meaning of ^ is not known")
        return self.plain(self.sum(self.number(-1), a, -1), bits)

    def cast(self, kind, flags, a, before, after):
        """zext, sext or trunc."""
        if kind == "trunc":
            if "nuw" in flags:
                self.fits(self.unsigned(a, before), 0, after)
            if "nsw" in flags:
                self.fits(self.signed(a, before), -(1 << after - 1), after)
            return self.plain(self.without_signs(a, after), after)
        if "nneg" in flags:
            self.fits(self.signed(a, before), 0, before - 1)
        return self.unsigned(a, before) if kind == "zext" else self.signed(a, before)

    def compare(self, predicate, bits, a, b):
        """The outcome of a comparison: known, or a case."""
        if predicate == "ult" and self.is_overflow(a, b, bits):
            return self.split(a, bits)[1]
        read = self.signed if predicate[0] == "s" else self.unsigned
        a, b = read(a, bits), read(b, bits)
        if predicate[-2:] in ("gt", "ge"):
            a, b, predicate = b, a, predicate[:-2] + {"gt": "lt", "ge": "le"}[predicate[-2:]]
        kind = predicate if predicate in ("eq", "ne") else predicate[-2:]
        surely, never = {
            "lt": (a.greatest < b.least, a.least >= b.greatest), "le": (a.greatest <= b.least, a.least > b.greatest),
            "eq": (a.least == a.greatest == b.least == b.greatest, a.greatest < b.least or b.greatest < a.least),
            "ne": (a.greatest < b.least or b.greatest < a.least, a.least == a.greatest == b.least == b.greatest)}[kind]
        return True if surely else False if never else self.compared(predicate, a, b)

    def is_overflow(self, total, part, bits):
        """Whether "total < part" is how a compiler asks for the carry of part + rest: rest is unsigned too, so the register
        is less than the part exactly if the sum reached 2^bits."""
        if total.greatest < 1 << bits or not 0 <= part.least <= part.greatest < 1 << bits:
            return False
        low, high = self.bounds(poly.plus(total.scaled, part.scaled, -1))
        return 0 <= low and high >> SCALE < 1 << bits

    def compared(self, predicate, a, b):
        """A case, unless the same was compared before."""
        for earlier, x, y, outcome in self.facts:
            if earlier == predicate and getattr(x, "whole", x) == getattr(a, "whole", a) and y.whole == b.whole:
                return outcome
        outcome = bool(self.case >> len(self.facts) & 1)
        self.facts.append((predicate, a, b, outcome))
        return outcome
