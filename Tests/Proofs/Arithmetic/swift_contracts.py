"""Contracts of the Swift engine, from the code that the compiler made of it: FieldElement and Scalar.

The functions' names are Swift's mangled ones: `m` is *, `s` is -, `p` is + (Swift, docs/ABI/Mangling.rst).
"""
import polynomials as poly
from contracts import CARRIED, Contracts, guarded, scaled_value
from ir_run import IRRun, refined
from numbers_of_limbs import Range, carried
from report import N, P, times_p
from words import SCALE

PREFIX = "$s10Arithmetic"
ELEMENT, SCALAR = PREFIX + "12FieldElementV", PREFIX + "6ScalarV"
FUNCTIONS = {ELEMENT + "1moiyA2C_ACtFZ": "FieldElement *", ELEMENT + "7squaredACyF": "FieldElement.squared",
             ELEMENT + "1poiyA2C_ACtFZ": "FieldElement +", ELEMENT + "1soiyA2C_ACtFZ": "FieldElement -",
             ELEMENT + "7reducedACyF": "FieldElement.reduced", SCALAR + "1moiyA2C_ACtFZ": "Scalar *"}
R = 1 << 260
REDUCED = carried(times_p(2.01))
LIMB = 1 << 52


def loose(bits, value):
    """Limbs below 2^bits, a value below a bound."""
    return Range((0, value), [(0, (1 << bits) - 1)] * 5)


def inputs(**ranges):
    """The memory of a function: limbs of the numbers that parameters point to."""
    def memory(domain):
        numbers = {}

        def word(parameter, offset):
            name, known = ranges[parameter]
            if name not in numbers:
                numbers[name] = domain.input(name, known)
            return numbers[name][offset // 8]
        memory.numbers = numbers
        return word
    return memory


class SwiftContracts(Contracts):
    """`traces` is a module of intermediate code. Each method is a function's contract."""

    def all(self):
        """Every contract here."""
        for contract in (self.products, self.sums, self.doubled_subtrahend, self.reduction, self.scalars):
            contract()

    def element(self, name, modulus=P, case=0, **ranges):
        """Runs a function that writes five limbs. Ranges are those of its parameters by register."""
        memory = inputs(**{"%" + key[1:]: (value[0], value[1]) for key, value in ranges.items()})
        run = IRRun(self.traces.function(name), modulus, memory, case=case)
        run.inputs = memory.numbers
        for operand, known in ranges.values():
            self.report.assume_number(FUNCTIONS[name], operand, known)
        return run, run.words("%0", 5)

    @guarded
    def products(self):
        """Limbs below 2^55, values below 2^259: the result is a b / 2^260 modulo p, below a b / 2^260 + p."""
        wide = loose(55, (1 << 259) - 1)
        for name, function, operands in (("FieldElement *", ELEMENT + "1moiyA2C_ACtFZ", {"r1": ("a", wide), "r2": ("b", wide)}),
                                         ("FieldElement.squared", ELEMENT + "7squaredACyF", {"r1": ("a", wide)})):
            run, result = self.element(function, **operands)
            inputs_used = ("a", "b") if len(operands) == 2 else ("a", "a")
            self.equals(run, name, "r", result, {inputs_used: pow(R, -1, P)})
            self.limbs(name, "r", result, [CARRIED] * 4 + [(0, 1 << 54)])
            factors = [scaled_value([run.domain.named(limb) for limb in run.inputs[key]]) for key in inputs_used]
            z = poly.shifted(poly.product(*factors), SCALE)
            low, high = run.domain.bounds(poly.plus(poly.times(scaled_value(result), R), z, -1))
            self.report.within(name, "2^260 r - a b", (-(-low >> SCALE), high >> SCALE), (0, P * R - 1))
            self.value(run, name, "r", result, (0, times_p(5.01)))
            widest = run.domain.widest[128]
            self.report.within(name, "column", (0, widest), (0, 5 * (1 << 110) + (1 << 102)))
            self.report.within(name, "carry of a column", (0, widest >> 52), (0, (1 << 61) - 1))
            self.report.holds(name, "no sum leaves 128 bits", widest < 1 << 128)

    @guarded
    def sums(self):
        """a + b, and a - b + 4p for a reduced b: no limb goes below zero."""
        run, result = self.element(ELEMENT + "1poiyA2C_ACtFZ", r1=("a", loose(55, 1 << 259)), r2=("b", loose(55, 1 << 259)))
        self.equals(run, "FieldElement +", "r", result, {("a",): 1, ("b",): 1})
        self.limbs("FieldElement +", "r", result, [(0, (1 << 56) - 1)] * 5)
        run, result = self.element(ELEMENT + "1soiyA2C_ACtFZ", r1=("a", REDUCED), r2=("b", REDUCED))
        self.equals(run, "FieldElement -", "r", result, {("a",): 1, ("b",): -1})
        self.limbs("FieldElement -", "r", result, [(0, (1 << 55) - 1)] * 5)
        self.value(run, "FieldElement -", "r", result, (times_p(1.98), times_p(6.02)))

    @guarded
    def doubled_subtrahend(self):
        """a - b + 4p for the sum of two reduced numbers, in limbs of at most twice 2^52 - 1: no limb goes below zero either."""
        limb = (0, 2 * (LIMB - 1))
        twice = Range((0, times_p(2.8)), [limb] * 4 + [(0, times_p(2.8) >> 208)])
        run, result = self.element(ELEMENT + "1soiyA2C_ACtFZ", r1=("a", REDUCED), r2=("b", twice))
        self.equals(run, "FieldElement - of a sum", "r", result, {("a",): 1, ("b",): -1})
        self.limbs("FieldElement - of a sum", "r", result, [(0, (1 << 55) - 1)] * 5)

    @guarded
    def reduction(self):
        """Limbs below 2^58: the same number modulo p, with limbs below 2^52, below 2.01 p."""
        run, result = self.element(ELEMENT + "7reducedACyF", r1=("a", loose(58, 1 << 267)))
        self.equals(run, "FieldElement.reduced", "r", result, {("a",): 1})
        self.carried("FieldElement.reduced", "r", result)
        self.value(run, "FieldElement.reduced", "r", result, (1, times_p(2.01)))
        least, greatest = run.domain.value_bounds(result)
        self.report.within("FieldElement.reduced", "before p is added", (least - P, greatest - P), (0, (1 << 256) + (1 << 234)))

    @guarded
    def scalars(self):
        """Scalar *: for factors below 2^256 of which one is below n, a b / 2^260 modulo n, below n."""
        ranges = {"r1": ("a", carried((1 << 256) - 1)), "r2": ("b", carried(N - 1))}
        for negative in (0, 1):
            run, result = self.element(SCALAR + "1moiyA2C_ACtFZ", N, negative, **ranges)
            name = f"Scalar *, case {negative}"
            self.equals(run, name, "r", result, {("a", "b"): pow(R, -1, N)})
            self.report.holds(name, "one comparison with zero", len(run.domain.facts) == 1 and
                              run.domain.facts[0][0] == "slt" and run.domain.facts[0][2].constant() == 0)
            _, word, _, _ = run.domain.facts[0]
            # The compared word is floor((v - n) / 2^208) for the value v before the subtraction.
            before = scaled_value(result) if negative else poly.plus(scaled_value(result), poly.of_number(N << SCALE))
            self.is_floor(run, name, word, before, N)
            factors = [scaled_value([run.domain.named(limb) for limb in run.inputs[key]]) for key in "ab"]
            z = poly.shifted(poly.product(*factors), SCALE)
            low, high = run.domain.bounds(poly.plus(poly.times(before, R), z, -1))
            self.report.within(name, "R v - a b", (-(-low >> SCALE), high >> SCALE), (0, N * R - 1))
            least, greatest = (-(-x >> SCALE) for x in run.domain.bounds(before))
            self.report.within(name, "value before the subtraction", (least, greatest), (0, 2 * N - 1))
            ends = (least, N - 1) if negative else (0, greatest - N)
            self.report.within(name, "r", ends, (0, N - 1))
            known = [refined(limb, negative) if limb.whole == word.whole else limb for limb in result]
            self.limbs(name, "r", known, [CARRIED] * 5)

