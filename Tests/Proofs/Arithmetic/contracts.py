"""What all contracts of the vector kernel use: running a trace in its cases, and the statements about results."""
import polynomials as poly
from numbers_of_limbs import Range, carried
from report import P
from samples import samples
from traces import Run
from words import SCALE, Refuted

R = 1 << 260
CARRIED = (0, (1 << 52) - 1)
# Numbers of the double-precision products, by kind.
DOUBLES = {"every factor": CARRIED, "every rounded sum": (1 << 104, (1 << 105) - 1), "every exact sum": (0, (1 << 53) - 1),
           "bits of every exact difference": (0, 53)}
# A modulus so large that an equality modulo it is one of integers: no side reaches it.
INTEGERS = 1 << 4096


class Contracts:
    """The traces of one instruction set, and the report."""

    def __init__(self, traces, report):
        self.traces, self.report = traces, report

    def run(self, name, ranges, modulus=P, case=0):
        """Runs a case. Every sum within it is a row: none may leave 63 bits. Those of AVX2 have constants that wrap."""
        run = Run(self.traces[name], ranges, modulus, case)
        for operand, known in ranges.items():
            self.report.assume_number(name, operand, known)
        if case is not None:
            tried, wrong = samples(run)
            if tried:
                self.report.holds(name, f"{tried} executions on numbers stay within the derived ranges", wrong == 0)
        if not run.lane.wraps:
            self.report.within(name, "every sum", (-run.lane.widest, run.lane.widest), (-(1 << 63), (1 << 63) - 1))
        for kind, limits in DOUBLES.items():
            if kind in run.lane.ends:
                self.report.within(name, kind, run.lane.ends[kind], limits)
        return run

    def limbs(self, name, place, limbs, limits):
        """States the ranges of limbs."""
        for i, (limb, limit) in enumerate(zip(limbs, limits)):
            self.report.within(name, f"{place} limb {i}", (limb.least, limb.greatest), limit)

    def carried(self, name, place, limbs):
        """States that a number is carried."""
        self.limbs(name, place, limbs, [CARRIED] * 5)

    def value(self, run, name, place, limbs, limits):
        """States the range of a value."""
        self.report.within(name, place, run.lane.value_bounds(limbs), limits)

    def equals(self, run, name, place, limbs, expected):
        """States that a value is a polynomial in the inputs' values."""
        symbols = run.lane.value_of_name
        wanted = {tuple(sorted(symbols[v] for v in monomial)): c % run.lane.modulus
                  for monomial, c in expected.items() if c % run.lane.modulus}
        self.report.holds(name, f"{place} = {formula(expected)}", run.lane.value(limbs) == wanted)

    def is_floor(self, run, name, word, value, modulus_value):
        """States that a word is floor((value - m) / 2^208), for scaled `value`: it is negative if the value is below m."""
        rest = poly.plus(value, poly.of_number(modulus_value << SCALE), -1)
        low, high = run.lane.bounds(poly.plus(rest, word.scaled, -(1 << 208)))
        self.report.within(name, "remainder of the compared limb", (-(-low >> SCALE), high >> SCALE), (0, (1 << 208) - 1))


def scaled_value(limbs):
    """The weighted sum of limbs, as a scaled polynomial."""
    total = {}
    for i, limb in enumerate(limbs):
        total = poly.plus(total, limb.scaled, 1 << 52 * i)
    return total


def formula(expected):
    """A polynomial in words, if it is short."""
    if len(expected) > 3:
        return f"the polynomial of {len(expected)} terms"
    return " + ".join(f"{'' if c == 1 else '(constant) '}{' '.join(m) or '1'}" for m, c in expected.items())


def variable(name):
    """The value of an input as a polynomial."""
    return {(name,): 1}


def montgomery(a, b, modulus=P):
    """a b / 2^260."""
    return poly.modulo(poly.times(poly.product(a, b), pow(R, -1, modulus)), modulus)


def combination(*terms, modulus=P):
    """A sum of (factor, polynomial)."""
    total = {}
    for factor, a in terms:
        total = poly.plus(total, a, factor)
    return poly.modulo(total, modulus)


def guarded(method):
    """Makes a refutation inside a contract a line of the report. So is code in which the contract does not find what it
    is about."""
    def run(self):
        try:
            method(self)
        except Refuted as refutation:
            reason = refutation
        except (LookupError, StopIteration, AssertionError, TypeError, AttributeError, ValueError) as error:
            reason = f"the code is not as the contract expects: {error!r}"
        else:
            return
        self.report.refute(f"{method.__name__}: {reason}")
    return run


FULL = carried(R - 1)
COORDINATE = carried(P * 201 // 100)
TABLE = carried(P - 1)
FOLDED = ((-(1 << 229)) + 1, (1 << 256) + (1 << 229) - 1)


def folded_range(limb_bits, least=FOLDED[0]):
    """A folded coordinate with limbs within a power of two."""
    return Range((least, FOLDED[1]), [(-(1 << limb_bits), 1 << limb_bits)] * 5)
