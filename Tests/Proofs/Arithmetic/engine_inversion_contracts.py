"""Contracts of the Swift engine's inversion, from intermediate code: its division steps, and how a matrix is applied.

`inverse` keeps, for a value x modulo m: f = d x and g = e x modulo m. A matrix of 62 steps, with rows whose magnitudes sum to
at most 2^62, is applied to (f, g) and, modulo m, to (d, e).
"""
import poly_digits
import polynomials as poly
from contracts import INTEGERS, Contracts, guarded
from inversion_contracts import LIMB, MODULI, digits, ranged
from ir_run import IRRun
from registers import Registers
from step_contracts import Loop, StepContracts
from swift_contracts import PREFIX
from word_contracts import pairs, total
from words import SCALE, Word

INVERSION = PREFIX + "9InversionV"
EDGE = 1 << LIMB
TOP = 1 << 9  # the top digit of a number within 2^257


class EngineLoop(Loop):
    """The loop of `steps`, whose rows are returned and whose eta is in memory."""

    def results(self):
        end = [block for block in self.function.blocks.values() if block[-1].kind == "return"][0]
        exits = {i.result: dict(pairs(i.parts[1])) for i in end if i.kind == "phi"}
        rows = {int(i.parts[3]): exits[i.parts[2]][self.back] for i in end if i.kind == "insert"}
        eta = next(i.parts[1] for i in self.function.blocks[self.back] if i.kind == "store")
        return [rows[i] for i in range(4)] + [eta]

    def operands(self, eta, f, g):
        _, first, second = self.function.parameters
        return {first: f, second: g}, lambda name, offset: eta


class EngineStepContracts(StepContracts):
    """The contracts of the kernel's division steps, for the engine's."""

    @guarded
    def find(self):
        self.loop = EngineLoop(self.traces.function(named(self.traces, "5steps")))


def entry(name):
    """Makes an entry of a matrix."""
    return lambda domain: ranged(domain, name, -EDGE, EDGE)


def named(module, part):
    """The whole name of a function of Inversion."""
    return next(name for name in module.texts if name.startswith(INVERSION + part))


class UnnamedRegisters(Registers):
    """Registers whose products keep their factors' polynomials, so that a digit stays a part of its number."""

    def integer_product(self, a, b):
        ends = [x * y for x in (a.least, a.greatest) for y in (b.least, b.greatest)]
        scaled = poly.shifted(poly.product(a.scaled, b.scaled), SCALE)
        return self.word(poly.product(a.whole, b.whole), scaled, min(ends), max(ends))


class EngineInversionContracts(Contracts):
    """`traces` is a module of intermediate code."""

    def all(self):
        """Every contract here."""
        for contract in (self.constants, self.applied, self.applied_modulo, self.sizes):
            contract()

    def constants_of(self, name):
        """The six words of Inversion.field or Inversion.scalars."""
        getter = {"p": "5fieldACvgZ", "n": "7scalarsACvgZ"}[name]
        run = IRRun(self.traces.function(INVERSION + getter), INTEGERS, lambda _: None)
        return [word.constant() % (1 << 64) for word in run.words("%0", 6)]

    @guarded
    def constants(self):
        for name, modulus in MODULI.items():
            *limbs, inverse = self.constants_of(name)
            self.report.holds("Inversion", f"the digits of {name}", sum(d << LIMB * i for i, d in enumerate(limbs)) == modulus)
            self.report.holds("Inversion", f"the inverse of {name} modulo 2^62", inverse * modulus % EDGE == 1)

    def run(self, function, rows, modulus_words=None):
        """Runs a function on a matrix of the given entries and on two numbers."""
        given = {}

        def arguments(domain):
            given.update({key: make(domain) for key, make in rows.items()})
            return {f"%{i}": given[key](given) if callable(given[key]) else given[key] for i, key in enumerate("uvqr")}

        def memory(domain):
            numbers = {"%4": digits(domain, "x", TOP), "%5": digits(domain, "y", TOP)}
            given.update(x=numbers["%4"], y=numbers["%5"])
            constants = [domain.number(word) for word in modulus_words or ()]
            return lambda place, offset: (numbers.get(place) or constants)[offset // 8]
        return given, lambda case: IRRun(self.traces.function(named(self.traces, function)), INTEGERS, memory, arguments, case)

    def sum(self, domain, row, given, place):
        """u x_i + v y_i."""
        first = domain.integer_product(given[row[0]], given["x"][place])
        return domain.sum(first, domain.integer_product(given[row[1]], given["y"][place]))

    def is_exact(self, name, run, given, row, result, times):
        """2^62 r + (the lowest 62 bits) = u x + v y + times m, over the integers."""
        domain, wanted, first = run.domain, {}, None
        for i in range(5):
            column = self.sum(domain, row, given, i)
            if times:
                column = domain.sum(column, domain.integer_product(times[0], domain.number(times[1][i])))
            first = first or column
            wanted = poly.plus(wanted, column.whole, 1 << LIMB * i)
        got = poly.plus(poly.times(total(result, LIMB), EDGE), domain.split(first, LIMB)[0].whole)
        self.report.holds(name, f"2^62 r + (the lowest 62 bits) = {row[0]} x + {row[1]} y{' + t m' if times else ''}",
                          got == wanted)
        for i, word in enumerate(result[:4]):
            self.report.within(name, f"r digit {i}", (word.least, word.greatest), (0, EDGE - 1))
        self.report.within(name, "r digit 4", (result[4].least, result[4].greatest), (-(1 << 63), (1 << 63) - 1))
        widest = domain.widest[128]
        self.report.within(name, "column", (-widest, widest), (-(1 << 127), (1 << 127) - 1))
        return first

    @guarded
    def applied(self):
        """apply: for all entries within 2^62, whatever their sum is."""
        given, at = self.run("5apply", {key: entry(key) for key in "uvqr"})
        run = at(0)
        for row, place in (("uv", "%4"), ("qr", "%5")):
            self.is_exact("Inversion.apply", run, given, row, run.words(place, 5), None)

    @guarded
    def applied_modulo(self):
        """applyModulo: m is added to a negative number before, and a multiple of it makes the sum divisible by 2^62."""
        for name in MODULI:
            *limbs, inverse = self.constants_of(name)
            for case in range(4):
                given, at = self.run("11applyModulo", self.entries(case), [*limbs, inverse])
                run = at(case)
                signs = [(fact[1].whole == given[number][4].whole and fact[0] == "slt") for fact, number in
                         zip(run.domain.facts, "xy")]
                self.report.holds("Inversion.applyModulo", "the signs of d and e are asked for", signs == [True, True])
                for row, place in (("uv", "%4"), ("qr", "%5")):
                    self.row_modulo(name, run, given, row, run.words(place, 5), case, limbs, inverse)

    def entries(self, case):
        """The matrix's entries within 2^62. Where m is added to both numbers, the sum of a row is within 2^62 too, and its
        first entry is that sum minus the second."""
        def difference(name, other):
            def make(domain):
                both = ranged(domain, name + other, -EDGE, EDGE)

                def first(given):
                    whole = domain.sum(both, given[other], -1)
                    given[name + "'"] = Word(whole.whole, whole.scaled, -EDGE, EDGE)
                    return given[name + "'"]
                return first
            return make
        entries = {key: entry(key) for key in "uvqr"}
        if case == 3:
            entries |= {"u": difference("u", "v"), "q": difference("q", "r")}
        return entries

    def row_modulo(self, name, run, given, row, result, case, limbs, inverse):
        """One row: with s the sum of the entries whose number was negative, times = s - k for a k in [0, 2^62)."""
        domain = run.domain
        entries = {key: given.get(key + "'", given[key]) for key in row}
        named_row = given | entries
        added = domain.number(0)
        for i, key in enumerate(row):
            added = domain.sum(added, entries[key]) if case >> i & 1 else added
        first = self.sum(domain, row, named_row, 0)
        multiple = domain.sum(domain.integer_product(domain.number(inverse), first), added)
        k = domain.split(multiple, LIMB)[0]
        function = f"Inversion.applyModulo, {name} in case {case}"
        self.report.within(function, "k", (k.least, k.greatest), (0, EDGE - 1))
        column = self.is_exact(function, run, named_row, row, result, (domain.sum(added, k, -1), limbs))
        self.report.holds(function, "the sum is a multiple of 2^62", not poly.modulo(column.whole, EDGE))

    @guarded
    def sizes(self):
        """From d and e in (-2m, m), a round gives such numbers again. For any d, e and k they are linear in a row's entries,
        and so extreme where one of these is 0 and the other within 2^62. k is any number below 2^62 there."""
        for name, modulus in MODULI.items():
            ends = [end for zero in (0, 1) for case in range(4) for end in self.edge(name, modulus, zero, case)]
            least, greatest = min(low for low, _ in ends), max(high for _, high in ends)
            self.report.within(f"Inversion, {name}", "d and e after a round", (least, greatest),
                               (-2 * modulus + 1, modulus - 1))
            self.report.within(f"Inversion, {name}", "d and e in magnitude", (0, max(-least, greatest)), (0, (1 << 257) - 1))

    def edge(self, name, modulus, zero, case):
        """The ranges of d and e after a round. In both rows one entry is 0; d and e are negative as the case says."""
        *limbs, inverse = self.constants_of(name)

        def number(domain, i):
            """d or e. A negative number is known by what it is after m is added to it."""
            if case >> i & 1:
                return poly_digits.number(domain, "de"[i], -modulus + 1, modulus - 1, modulus)
            return poly_digits.number(domain, "de"[i], 0, modulus - 1)

        def memory(domain):
            numbers = {f"%{4 + i}": number(domain, i) for i in (0, 1)}
            constants = [domain.number(word) for word in (*limbs, inverse)]
            return lambda place, offset: (numbers.get(place) or constants)[offset // 8]

        def arguments(domain):
            return {f"%{i}": domain.number(0) if i % 2 == zero else entry("uvqr"[i])(domain) for i in range(4)}
        run = IRRun(self.traces.function(named(self.traces, "11applyModulo")), INTEGERS, memory, arguments,
                    domain=UnnamedRegisters(INTEGERS, case))
        return [run.domain.value_bounds(run.words(place, 5), LIMB) for place in ("%4", "%5")]
