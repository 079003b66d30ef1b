"""Contract of the Swift engine's `Inversion.inverse`, from intermediate code: its turns, call by call, and what comes after
them: d or -d, brought into [0, m)."""
import poly_digits
import polynomials as poly
from contracts import INTEGERS, Contracts, guarded
from engine_inversion_contracts import INVERSION, LIMB
from inversion_contracts import MODULI
from ir_run import IRRun
from round_contracts import INVERSE
from whole_numbers import Entry, NumberRun, Whole, paths
from word_contracts import BitRegisters, pairs, total
from words import SCALE, Refuted


class EngineRun(NumberRun):
    """The loop. `begin` has the registers and the memory with which it begins."""

    def __init__(self, function, outcomes, limit, start, ends, registers, begin):
        super().__init__(function, outcomes, limit, memory=lambda _: lambda *place: begin[place],
                         arguments=registers, start=start, ends=ends)

    def call(self, name, arguments):
        """One of the three functions of a turn."""
        operands = [text.split()[-1] for text in arguments.split(", ")]
        part = name.removeprefix(INVERSION)
        if part.startswith("5steps"):
            f, g = (self.value(text) for text in operands[1:3])
            self.turns.append((f.source.name, g.source.name, min(f.parts), min(g.parts)))
            return {i: Entry((len(self.turns) - 1, entry)) for i, entry in enumerate("uvqr")}
        if not part.startswith(("5apply", "11applyModulo")):
            raise Refuted(f"a call of {name}")
        self.apply(part.startswith("11"), [self.value(text).source for text in operands[:4]], operands[4:6])
        return None

    def apply(self, is_modulo, entries, pointers):
        """Both numbers are replaced."""
        turn = len(self.turns) - 1
        if entries != [(turn, entry) for entry in "uvqr"]:
            raise Refuted("another matrix than this turn's")
        x, y = (self.number(pointer) for pointer in pointers)
        self.steps.append((turn, is_modulo, x.name, y.name))
        for pointer, letter in zip(pointers, "xy"):
            self.put(pointer, Whole(f"{letter}{turn} of {x.name}, {y.name}", -1, 1))


class EngineInvertedContracts(Contracts):
    """`traces` is a module of intermediate code, with the functions of a turn as functions by themselves."""

    def all(self):
        """Every contract here."""
        for contract in (self.beginning, self.turns, self.ending, self.result):
            contract()

    @guarded
    def beginning(self):
        """f = m, g = the value in digits of 62 bits, d = 0, e = 1, eta = -1: which memory is which."""
        self.function = self.traces.function(INVERSE)
        self.loop = self.function.blocks[self.function.entry][-1].parts[0]
        names = self.function.parameters
        domain = BitRegisters()
        words = [domain.fresh(f"w{i}") for i in range(4)]
        bits = [bit for word in words for bit in word] + [0] * 60
        modulus = [domain.fresh(f"m{i}", 62) for i in range(5)]
        run = IRRun(self.function, INTEGERS, lambda _: lambda _, offset: modulus[offset // 8],
                    lambda _: dict(zip(names, words)), domain=domain, ends=(self.loop,))
        digits = [tuple(bits[LIMB * i:LIMB * i + LIMB]) + (0, 0) for i in range(5)]
        numbers = {"f": modulus, "g": digits, "d": [domain.number(0)] * 5, "e": [domain.number(1)] + [domain.number(0)] * 4}
        self.places, self.begun = {}, run
        for place in {name for name, _ in run.stored}:
            held = [run.stored.get((place, 8 * i)) for i in range(5)]
            self.places |= {letter: place for letter, wanted in numbers.items() if held == wanted}
            if held[0] == domain.number((1 << 64) - 1) and held[1] is None:
                self.places["eta"] = place
        self.report.holds("Inversion.inverse", "f = m, g = the value, d = 0, e = 1 and eta = -1 at first",
                          sorted(self.places) == ["d", "e", "eta", "f", "g"])
        self.report.assume("Inversion.inverse", "g", (0, (1 << 256) - 1))

    def phis(self):
        """What the loop's numbers are at first: g's lowest digit, and the count."""
        given = {}
        for i in self.function.blocks[self.loop]:
            if i.kind == "phi":
                value = self.begun.value(i.parts[1].split("[ ")[1].split(",")[0])
                given[i.result] = value
        return given

    @guarded
    def turns(self):
        """Every number of turns, call by call."""
        limit = next(int(i.parts[3]) for i in self.function.blocks[self.loop] if i.kind == "compare" and i.parts[0] == "eq")
        self.last = next(i.parts[1] for i in self.function.blocks[self.loop] if i.kind == "branch")
        numbers = {letter: Whole(letter, -1, 1) for letter in "fgde"}
        begin = {(self.places[letter], 8 * i): number.limb(i) for letter, number in numbers.items() for i in range(5)}
        seen = set()

        def registers(domain):
            """The loop's count begins at 0, and it has g's lowest digit."""
            is_count = {name: value == self.begun.domain.number(0) for name, value in self.phis().items()}
            return self.begun.pointers | {
                name: domain.number(0) if count else numbers["g"].limb(0) for name, count in is_count.items()}

        def run(outcomes):
            return EngineRun(self.function, outcomes, limit, self.loop, (self.last,), registers, begin)
        for path in paths(run):
            seen.add(len(path.turns))
            self.followed(path)
        self.report.within("Inversion.inverse", "rounds", (min(seen), max(seen)), (1, limit))
        self.report.holds("Inversion.inverse", f"every number of turns from 1 to {limit} was followed",
                          seen == set(range(1, limit + 1)))

    def followed(self, path):
        """A turn applies its matrix to (f, g), and modulo m to (d, e), as the turn before left them."""
        f, g, d, e = "f", "g", "d", "e"
        held = len(path.steps) == 2 * len(path.turns)
        for turn, steps in enumerate(path.turns):
            held &= steps == (f, g, 0, 0)
            held &= path.steps[2 * turn:2 * turn + 2] == [(turn, False, f, g), (turn, True, d, e)]
            f, g, d, e = (f"{letter}{turn} of {x}, {y}" for x, y in ((f, g), (d, e)) for letter in "xy")
        held &= path.number_in(self.places["d"]).name == d and path.number_in(self.places["f"]).name == f
        self.report.holds("Inversion.inverse", "each turn applies its matrix to (f, g), and to (d, e) modulo m", held)

    # What comes after the turns

    @guarded
    def ending(self):
        """The result is d, or -d if f is negative, plus at most two times m: in [0, m)."""
        for name, modulus in MODULI.items():
            self.report.assume(f"Inversion.words, {name}", "d", (-2 * modulus + 1, modulus - 1))
            for case in range(8):
                self.case(name, modulus, case)

    def case(self, name, modulus, case):
        """One outcome of the comparisons: the sign of f, that of d, and that of the sum of both."""
        f, d = [], []

        def memory(domain):
            f.extend(poly_digits.number(domain, "f", -modulus, modulus))
            d.extend(poly_digits.number(domain, "d", -2 * modulus + 1, modulus - 1))
            m = [domain.number(modulus >> LIMB * i & (1 << LIMB) - 1) for i in range(5)]
            return lambda place, offset: {self.places["f"]: f, self.places["d"]: d}.get(place, m)[offset // 8]
        run = IRRun(self.function, INTEGERS, memory, lambda _: dict(self.begun.pointers), case, start=self.last,
                    ends=(self.packing(),))
        facts = run.domain.facts
        if case >> len(facts):
            return
        # A d that is neither negative nor negated is its own sum.
        is_asked = len(facts) == (3 if case & 3 else 2) and all(
            predicate == "slt" and zero.constant() == 0 for predicate, _, zero, _ in facts)
        self.report.holds("Inversion.words", "the signs of f and d, and of the sum, are asked for", is_asked and [
            facts[i][1].whole for i in (0, 1)] == [f[4].whole, d[4].whole])
        self.sums(name, modulus, run, d)

    def sums(self, name, modulus, run, d):
        """The sum before the last comparison, and the result."""
        (_, _, _, f_is_negative), (_, _, _, d_is_negative) = run.domain.facts[:2]
        _, word, _, is_negative = run.domain.facts[-1]
        sign, ends = -1 if f_is_negative else 1, (-2 * modulus + 1, -1) if d_is_negative else (0, modulus - 1)
        count = sign * d_is_negative
        ends = sorted(sign * end + count * modulus for end in ends)
        before = poly.plus(poly.of_number(count * modulus << SCALE), weighted(d), sign)
        low, high = run.domain.bounds(poly.plus(before, word.scaled, -(1 << 4 * LIMB)))
        self.report.within("Inversion.words", "remainder of the compared digit", (-(-low >> SCALE), high >> SCALE),
                           (0, (1 << 4 * LIMB) - 1))
        least, greatest = (ends[0], min(ends[1], -1)) if is_negative else (max(ends[0], 0), ends[1])
        if least > greatest:
            return  # This case is not met.
        phis = self.function.blocks[self.packing()]
        result = [run.value(dict(pairs(i.parts[1]))[run.before]) for i in phis if i.kind == "phi"][::-1]
        wanted = poly.plus(poly.of_number((count + is_negative) * modulus), total(d, LIMB), sign)
        self.report.holds("Inversion.words", "the result is d or -d, plus a multiple of m", total(result, LIMB) == wanted)
        self.report.within(f"Inversion.words, {name}", "result", (least + is_negative * modulus,
                                                                   greatest + is_negative * modulus), (0, modulus - 1))

    def packing(self):
        """The last block, which makes words of digits."""
        return next(label for label, block in self.function.blocks.items() if block[-1].kind == "return")

    @guarded
    def result(self):
        """The words of a number below 2^256 have its digits' bits."""
        domain, label = BitRegisters(), self.packing()
        names = [i.result for i in self.function.blocks[label] if i.kind == "phi"][::-1]
        digits = [domain.fresh(name, LIMB if i < 4 else 8) for i, name in enumerate(names)]
        run = IRRun(self.function, INTEGERS, lambda _: None, lambda _: dict(zip(names, digits)), domain=domain, start=label)
        bits = [bit for digit in digits for bit in digit[:LIMB]]
        self.report.holds("Inversion.words", "word i has the bits 64 i and up", [run.returned[i] for i in range(4)] == [
            tuple(bits[64 * i:64 * i + 64]) for i in range(4)])


def weighted(digits):
    """The weighted sum of digits, as a scaled polynomial."""
    result = {}
    for i, digit in enumerate(digits):
        result = poly.plus(result, digit.scaled, 1 << LIMB * i)
    return result
