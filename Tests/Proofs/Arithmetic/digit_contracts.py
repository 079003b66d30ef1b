"""Contracts of write_digits of kernel.h, for every width of windows in use: what is recoded, the digits' sum, indices, signs.

Source: Joye and Tunstall, "Exponent recoding and regular exponentiation algorithms" (2009).
"""
from bits import ZERO, Bits
from contracts import INTEGERS, Contracts, guarded
from data_contracts import Memory, limbs_of_bits
from numbers_of_limbs import carried
from report import N
from traces import Run, Trace
from vector import VectorRun

WIDTHS = range(5, 17)


def windows(bits):
    """The number of windows of a width."""
    return -(-256 // bits)


class DigitContracts(Contracts):
    """write_digits, for every width of windows: the digits' sum, their indices, their signs."""

    def all(self):
        """Every contract here."""
        self.report.assume("write_digits", "bits", (WIDTHS[0], WIDTHS[-1]))
        for bits in WIDTHS:
            self.bits, self.name = bits, f"write_digits_{bits}"
            for contract in (self.odd_number, self.width, self.sum):
                contract()

    @guarded
    def odd_number(self):
        """u if it is odd, else n - u: in either case odd, because n is, and in [1, n]."""
        before = Trace(self.name, self.traces[self.name].instructions)
        for line in self.traces[self.name].lines:
            before.lines.append(line)
            if line[:3] == [">", "note", "chosen"]:
                break
        self.report.assume(self.name, "u", (0, N - 1))
        for even in (0, 1):
            run = Run(before, {"u": carried(N - 1)}, INTEGERS, even)
            chosen = next(limbs for name, limbs in run.notes if name == "chosen")
            kind, word, one, _ = run.lane.facts[0]
            parity = run.lane.low(run.inputs["u"][0], 1)
            by_bit = kind == "miss" and word is run.inputs["u"][0] and one.constant() == 1
            by_word = kind == "equal" and word.whole == parity.whole and one.constant() == 0
            self.report.holds(self.name, "the lowest bit of u decides", by_bit or by_word)
            expected = {("u",): -1, (): N} if even else {("u",): 1}
            self.equals(run, self.name, "the recoded number", chosen, expected)
            self.carried(self.name, "the recoded number", chosen)
            self.value(run, self.name, "the recoded number", chosen, (0, N))
            half = run.lane.value_bounds(chosen)[1] >> 1
            self.report.within(self.name, "half of the recoded number", (0, half), (0, (1 << 255) - 1))

    @guarded
    def sum(self):
        """With v = (u - 1) / 2 + 2^(w k - 1), the digits 2 v_i - (2^w - 1) sum up to u; each is odd, and 2 j + 1 or its
        negative for the entry j."""
        width, count = self.bits, windows(self.bits)
        ones = sum(((1 << width) - 1) << width * i for i in range(count))
        self.report.holds(self.name, "the digits' sum is u", ones == (1 << width * count) - 1 and
                          2 * (1 << width * count - 1) - ones == 1 and width * count >= 256)
        half = 1 << width - 1
        held = all(2 * v - (2 * half - 1) == (2 * (v - half) + 1 if v >= half else -(2 * (~v & half - 1) + 1))
                   for v in range(2 * half))
        self.report.holds(self.name, "each digit is an entry's odd multiple, or its negative", held)
        ends = [2 * v - (2 * half - 1) for v in (0, 2 * half - 1)]
        self.report.within(self.name, "digit", ends, (-(1 << width) + 1, (1 << width) - 1))

    @guarded
    def width(self):
        """The odd number that is recoded has unknown bits above its lowest. What it is, `odd_number` says."""
        domain, bits = Bits(), self.bits
        memory = Memory(domain)
        odd = [1, *domain.fresh("odd", 64)[:63], *domain.fresh("odd1"), *domain.fresh("odd2"), *domain.fresh("odd3")]
        name = self.name
        run = VectorRun(self.traces[name], domain, memory, 1, 
                        {"chosen": lambda run: [[limb] for limb in limbs_of_bits(odd)]})
        flipped = memory("u", 0)[0] ^ 1
        choice = next(mask for note, mask in run.notes if note == "choice")
        self.report.holds(name, "an even u is replaced", choice[0] == flipped)
        entries = [vectors[0][0] for vectors in run.outputs["entry"]]
        self.report.holds(name, f"{windows(bits)} digits", len(entries) == windows(bits))
        top = windows(bits) * bits - 1
        self.report.within(name, "top", (top, top), (255, 269))
        self.report.within(name, "windows", (0, len(entries)), (0, 52))
        # v = (u - 1) / 2 + 2^top: bit i of it is bit i + 1 of u.
        v = [odd[i + 1] if i < 255 else ZERO for i in range(top)] + [1]
        self.entries(entries, v, flipped)
        self.places(entries)

    def entries(self, entries, v, flipped):
        """The word of each window: bit 0 the sign, then the offset of the entry."""
        bits = self.bits
        for i, entry in enumerate(entries):
            digit = v[bits * i:bits * i + bits]
            negative = digit[-1] ^ 1
            index = [bit ^ negative for bit in digit[:-1]]
            wanted = [negative ^ flipped] + [ZERO] * 5 + index
            wanted += [(i << bits - 1) >> place & 1 for place in range(bits - 1, 26)]
            self.report.holds(self.name, f"window {i}: index and sign", 
                              entry is not None and list(entry) == wanted + [ZERO] * (64 - len(wanted)))

    def places(self, entries):
        """Entries of 64 bytes are within the table, and fit 32 bits with the sign. A bit that is not known may be set."""
        last = max(sum(1 << place for place, bit in enumerate(entry) if bit is not ZERO) for entry in entries)
        table = windows(self.bits) * (1 << self.bits - 1) * 64
        self.report.within(self.name, "offset of an entry", (0, last - 1), (0, table - 64))
        self.report.within(self.name, "offset of an entry and its sign", (0, last), (0, (1 << 25) - 1))
