"""Contracts of the Swift engine's digits, from intermediate code: WindowRecoding.forEachDigit, for every width of windows.

What is recoded is u if it is odd, else n - u. Its bits are followed to each digit's index and sign. That such digits sum up to
the number is the statement of digit_contracts.py.
"""
import polynomials as poly
from bits import ONE, ZERO, constant_bits, value_of
from contracts import INTEGERS, Contracts, guarded
from digit_contracts import WIDTHS, windows
from ir_run import IRRun
from report import N
from swift_contracts import PREFIX
from word_contracts import BitRegisters, integers, pairs, total
from words import Refuted

DIGITS = PREFIX + "6digits2of4bits_yAA8Words256V_SiSpys6UInt64VGtF"
ON_NUMBERS = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "udiv": lambda a, b: a // b}


class DigitRegisters(BitRegisters):
    """Registers of bits, and arithmetic where both operands are numbers."""

    def binary(self, operation, flags, bits, a, b):
        values = value_of(a), value_of(b)
        if None not in values and operation in ON_NUMBERS:
            return constant_bits(ON_NUMBERS[operation](*values) % (1 << bits))
        return super().binary(operation, flags, bits, a, b)

    def cast(self, _kind, _flags, a, _before, after):
        """Numbers keep their value in a register of another width."""
        if value_of(a) is None or value_of(a) >> after:
            raise Refuted("another width for unknown bits")
        return a

    def compare(self, predicate, _bits, a, b):
        """A comparison of numbers; or whether a word is 0, if it has one unknown bit at most."""
        values = value_of(a), value_of(b)
        if None not in values:
            return int({"eq": values[0] == values[1], "ugt": values[0] > values[1]}[predicate])
        outcome = self.equal(a, b) if predicate == "eq" else None
        if outcome is None:
            raise Refuted("a comparison of unknown bits")
        return outcome


class DigitRun(IRRun):
    """Truth values are bits too."""

    def truth(self, text):
        bit = self.registers[text]
        if bit not in (ZERO, ONE):
            raise Refuted("a branch on an unknown bit")
        return bit == ONE

    def binary(self, operation, flags, bits, a, b):
        if bits != "1":
            return super().binary(operation, flags, bits, a, b)
        if operation != "xor":
            raise Refuted(f"{operation} of unknown bits")
        return self.registers[a] ^ self.registers[b]

    def cast(self, kind, flags, before, a, after):
        if before != "1":
            return super().cast(kind, flags, before, a, after)
        bit = self.registers[a]
        return (bit,) * 64 if kind == "sext" else (bit,) + (ZERO,) * 63


class EngineDigitContracts(Contracts):
    """`traces` is a module of intermediate code."""

    def all(self):
        """Every contract here."""
        self.report.assume("forEachDigit", "bits", (WIDTHS[0], WIDTHS[-1]))
        self.report.assume("forEachDigit", "u", (0, (1 << 256) - 1))
        self.find()
        self.odd_number()
        for self.width in WIDTHS:
            self.digits()

    @guarded
    def find(self):
        """Where the odd number's words are, and what else comes from the first block: its memory, the width, the parity."""
        self.function = self.traces.function(DIGITS)
        entry = self.function.blocks[self.function.entry]
        self.parity = entry[-1].parts[0]
        self.memory = next(i.result for i in entry if i.kind == "allocation")
        self.bits = [i.result for i in entry if "@llvm.umin.i64" in i.text or "@llvm.smin.i64" in i.text][-1]
        self.block = next(label for label, block in self.function.blocks.items() if sum(i.kind == "phi" for i in block) == 4)
        phis = [i for i in self.function.blocks[self.block] if i.kind == "phi"]
        sources = {i.result: dict(pairs(i.parts[1])) for i in phis}
        self.words = sorted(sources, key=lambda name: self.function.parameters.index(sources[name]["entry"]))
        self.before = {name: next(value for label, value in sources[name].items() if label != "entry") for name in self.words}

    @guarded
    def odd_number(self):
        """The words of an odd u are its own; those of an even one are n - u."""
        given = {}

        def arguments(domain):
            given.update(zip(self.function.parameters, integers(domain, "abcd")))
            given[self.function.parameters[4]] = domain.number(5)
            return given
        run = IRRun(self.function, INTEGERS, lambda _: None, arguments, case=1, ends=(self.block,))
        predicate, parity, zero, _ = run.domain.facts[0]
        lowest = run.domain.split(given[self.function.parameters[0]], 1)[0]
        self.report.holds("forEachDigit", "the lowest bit of u decides", predicate == "eq" and zero.constant() == 0 and
                          parity.whole == lowest.whole)
        words = [run.domain.unsigned(run.value(self.before[name]), 64) for name in self.words]
        u = total([given[name] for name in self.function.parameters[:4]])
        difference = poly.plus(poly.of_number(N), u, -1)
        self.report.holds("forEachDigit", "an even u is replaced by n - u", not poly.modulo(
            poly.plus(total(words), difference, -1), 1 << 256))

    @guarded
    def digits(self):
        """Each window's entry and sign, for an odd number of unknown bits above its lowest. The signs of n - u are flipped."""
        for flipped in (ZERO, ONE):
            domain = DigitRegisters()
            odd = [ONE, *domain.fresh("odd", 64)[:63], *domain.fresh("b"), *domain.fresh("c"), *domain.fresh("d")]
            given = {name: tuple(odd[64 * i:64 * i + 64]) for i, name in enumerate(self.words)}
            given |= {self.bits: domain.number(self.width), self.parity: flipped, self.memory: ("memory", 0)}
            run = DigitRun(self.function, INTEGERS, lambda _: None, lambda _: given, domain=domain, start=self.block)
            self.report.holds(f"forEachDigit, {self.width} bits", "each window's index and sign",
                              self.stored(run) == self.wanted(odd, flipped))
        size = windows(self.width) * self.width
        self.report.within("forEachDigit", "bits of v", (size, size), (256, 270))
        self.report.within("forEachDigit", "top", (size - 1, size - 1), (255, 269))
        self.report.within("forEachDigit", "half of the recoded number", (0, N >> 1), (0, (1 << 255) - 1))
        self.report.within("forEachDigit", "windows", (0, windows(self.width)), (0, 52))

    def stored(self, run):
        """The digits that the closure was given."""
        place = self.function.parameters[-1]
        return {offset // 8: word for (name, offset), word in run.stored.items() if name == place}

    def wanted(self, odd, flipped):
        """v = (odd - 1) / 2 + 2^top; digit i has w bits of it, of which the highest is clear if it is negative."""
        width, result = self.width, {}
        top = windows(width) * width - 1
        v = [odd[i + 1] if i < 255 else ZERO for i in range(top)] + [ONE]
        for window in range(windows(width)):
            digit = v[width * window:width * window + width]
            negative = digit[-1] ^ ONE
            bits = [negative ^ flipped] + [bit ^ negative for bit in digit[:-1]]
            result[window] = tuple(bits) + constant_bits(window, 64 - width)
        return result
