"""Contracts of the scalar inversion, from intermediate code, and the number of division steps that inputs need."""
import polynomials as poly
from bits import ZERO
from contracts import INTEGERS, Contracts, guarded
from data_contracts import limbs_of_bits
from ir_run import IRRun
from report import N, P
from word_contracts import BitRegisters, integers, total
from words import SCALE, Word

LIMB = STEPS = 62
MODULI = {"p": P, "n": N}


def ranged(domain, name, least, greatest):
    """A word of a range."""
    symbol = domain.symbol(name)
    domain.ranges[symbol] = (least, greatest)
    return Word(poly.of_symbol(symbol), {(symbol,): 1 << SCALE}, least, greatest)


def digits(domain, name, top=1 << LIMB):
    """Five limbs of 62 bits, the top one signed."""
    return [ranged(domain, f"{name}{i}", 0, (1 << LIMB) - 1) for i in range(4)] + [ranged(domain, f"{name}4", -top, top)]


class InversionContracts(Contracts):
    """`traces` is a module of intermediate code."""

    def all(self):
        """Every contract here."""
        for contract in (self.combined, self.cancelling, self.plus, self.limbs, self.constants):
            contract()

    @guarded
    def combined(self):
        """(a x + b y + k m) / 2^62 minus the part below 1. The linear terms a x + b y are extreme where |a| + |b| = 2^62 and
        one of them is 0, so the columns' bound is that of those cases; the identity is shown for all a and b."""
        edge = 1 << LIMB
        for a_range, b_range in (((-edge, edge), (-edge, edge)), ((-edge, edge), (0, 0)), ((0, 0), (-edge, edge))):
            operands = {}

            def arguments(domain):
                operands.update(a=ranged(domain, "a", *a_range), b=ranged(domain, "b", *b_range),
                                k=ranged(domain, "k", 0, edge - 1), x=digits(domain, "x"), y=digits(domain, "y"),
                                m=[ranged(domain, f"m{i}", 0, edge - 1) for i in range(5)])
                return {"%0": operands["a"], "%2": operands["b"], "%4": operands["k"]}

            def memory(_):
                return lambda name, offset: operands[{"%1": "x", "%3": "y", "%5": "m"}[name]][offset // 8]
            run = IRRun(self.traces.function("scalar_combined"), INTEGERS, memory, arguments)
            for name in "xy":
                for i, word in enumerate(operands[name]):
                    self.report.assume("combined", f"{name} limb {i}", (word.least, word.greatest))
            self.report.assume("combined", "k", (0, edge - 1))
            self.exact(run, operands)
            if a_range[0] == 0 or b_range[0] == 0:
                widest = run.domain.widest[128]
                self.report.within("combined", "column", (-widest, widest), (-(1 << 125), 1 << 125))

    def exact(self, run, operands):
        """The identity of combined, over the integers."""
        domain, result = run.domain, run.words("%6", 5)
        wanted, first = {}, None
        for i in range(5):
            column = domain.number(0)
            for factor, digit in (("a", "x"), ("b", "y"), ("k", "m")):
                column = domain.sum(column, domain.integer_product(operands[factor], operands[digit][i]))
            first = first or column
            wanted = poly.plus(wanted, column.whole, 1 << LIMB * i)
        lost = domain.split(first, LIMB)[0].whole
        got = poly.plus(poly.times(total(result, LIMB), 1 << LIMB), lost)
        self.report.holds("combined", "2^62 r + (the lowest 62 bits) = a x + b y + k m", got == wanted)
        for i, word in enumerate(result[:4]):
            self.report.within("combined", f"r limb {i}", (word.least, word.greatest), (0, (1 << LIMB) - 1))

    @guarded
    def cancelling(self):
        """k makes the lowest 62 bits of a x + b y + k m zero, for both moduli."""
        for name, modulus in MODULI.items():
            low = modulus % (1 << LIMB)
            self.report.holds("cancelling", f"the kernel's inverse of {name} modulo 2^62",
                              self.inverse_of(name) * low % (1 << LIMB) == 1)
            operands = {}

            def arguments(domain):
                operands.update(zip("axby", integers(domain, "axby")))
                return {f"%{i}": operands[letter] for i, letter in enumerate("axby")}
            run = IRRun(self.traces.function("scalar_cancelling"), INTEGERS,
                        lambda d: lambda _, offset: d.number(self.inverse_of(name)), arguments)
            whole = poly.times(run.returned.whole, low)
            for pair in ("ax", "by"):
                whole = poly.plus(whole, poly.product(operands[pair[0]].whole, operands[pair[1]].whole))
            self.report.holds("cancelling", f"a x + b y + k {name} is a multiple of 2^62", not poly.modulo(whole, 1 << LIMB))
            self.report.within("cancelling", "k", (run.returned.least, run.returned.greatest), (0, (1 << LIMB) - 1))

    def inverse_of(self, name):
        """The kernel's constant."""
        return self.traces.constants["prime_inverse" if name == "p" else "order_inverse"]

    @guarded
    def constants(self):
        """The kernel's constants are what their names say: 2^260, 2^520 and 2^780 modulo p or n."""
        wanted = {"unit": 1, "field_prime": P, "order": N, "prime_minus_order": P - N, "prime_modulus": P,
                  "order_modulus": N, "field_one": pow(2, 260, P), "field_r2": pow(2, 520, P), "field_r3": pow(2, 780, P),
                  "order_r2": pow(2, 520, N), "prime_power": pow(2, 780, P), "order_power": pow(2, 520, N)}
        for name, value in wanted.items():
            self.report.holds("constants", name, self.traces.constants.get(name) == value)
        limbs = self.traces.limbs["field_prime"]
        self.report.within("constants", "limbs of p", (min(limbs), max(limbs)), (0, (1 << 52) - 1))
        one = self.traces.constants["field_one"]
        self.report.within("constants", "one in Montgomery's form modulo p", (one, one), (0, (1 << 229) - 1))

    @guarded
    def plus(self):
        """a + b and a - b, with carries."""
        for name, sign in (("plus", 1), ("minus", -1)):
            operands = {}

            def memory(domain):
                operands.update(a=digits(domain, "a", 1 << 60), b=digits(domain, "b", 1 << 60))
                return lambda place, offset: operands["a" if place == "%0" else "b"][offset // 8]
            run = IRRun(self.traces.function(f"scalar_{name}"), INTEGERS, memory)
            result = run.words("%2", 5)
            self.report.holds(name, "the result is exact", total(result, LIMB) == poly.plus(
                total(operands["a"], LIMB), total(operands["b"], LIMB), sign))
            for i, word in enumerate(result[:4]):
                self.report.within(name, f"r limb {i}", (word.least, word.greatest), (0, (1 << LIMB) - 1))

    @guarded
    def limbs(self):
        """first_lane and from_signed62: the same bits in limbs of 62 and of 52."""
        domain = BitRegisters()
        words = [domain.fresh(f"l{i}", 52) for i in range(5)]
        run = IRRun(self.traces.function("scalar_first_lane"), P, lambda _: lambda _, o: words[o // 8], domain=domain)
        bits = [bit for word in words for bit in word[:52]] + [ZERO] * 52
        self.report.holds("first_lane", "limb i has the bits 62 i and up",
                          run.words("%1", 5) == [tuple(bits[62 * i:62 * i + 62]) + (ZERO,) * 2 for i in range(5)])
        self.report.assume("from_signed62", "a", (0, (1 << 256) - 1))
        domain = BitRegisters()
        words = [domain.fresh(f"s{i}", 62 if i < 4 else 8) for i in range(5)]
        run = IRRun(self.traces.function("scalar_from_signed62"), P, lambda _: lambda _, o: words[o // 8], domain=domain)
        bits = [bit for word in words for bit in word[:62]]
        self.report.holds("from_signed62", "limb i has the bits 52 i and up",
                          run.words("%1", 5) == limbs_of_bits(bits))
