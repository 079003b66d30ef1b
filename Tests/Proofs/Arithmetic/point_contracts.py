"""Contracts of the Swift engine's points, from intermediate code: the mixed sum with its exceptions, and the doubling."""
import polynomials as poly
from contracts import Contracts, combination, guarded, montgomery, variable
from ir_run import IRRun
from opaque import Opaque
from report import P, times_p
from sum_contracts import mixed_sum
from swift_contracts import LIMB, PREFIX, REDUCED
from numbers_of_limbs import Range

MIXED = PREFIX + "8mixedSumyAA11CoordinatesVAD_AA12FieldElementVAFtF"
DOUBLED = PREFIX + "13JacobianPointV7doubledACyF"
# An ordinate that may be negated: below 4.01 p, limbs below 2^54 (AffinePoint.negated).
ORDINATE = Range((0, times_p(4.01)), [(0, (1 << 54) - 1)] * 5)


def coordinates(**ranges):
    """Memory of numbers in a row: the names of each parameter's numbers, and their ranges."""
    def memory(domain):
        numbers = {}

        def word(parameter, offset):
            name, known = ranges["r" + parameter[1:]][offset // 40]
            if name not in numbers:
                numbers[name] = domain.input(name, known)
            return numbers[name][offset % 40 // 8]
        return word
    return memory


def canonical_words(run, pointers):
    """FieldElement.canonical: words that are all zero if and only if the number at the pointer is a multiple of p."""
    limbs = [run.at((pointers[0][0], pointers[0][1] + 8 * i)) for i in range(5)]
    source = tuple(poly.frozen(limb.whole) for limb in limbs)
    run.canonical = getattr(run, "canonical", {}) | {source: limbs}
    return {i: Opaque(source, frozenset([i])) for i in range(4)}


def doubled_words(run, pointers):
    """JacobianPoint.doubled, of which `doubling` is the contract: what is doubled is noted."""
    (result, start), (name, place) = pointers
    origin = {(n, o): run.memory_origin((n, o)) for n, o in ((name, place + 8 * i) for i in range(15))}
    run.doubled_from = list(origin.values())
    for i in range(15):
        run.stored[result, start + 8 * i] = Opaque("doubled", frozenset([i]))


class PointContracts(Contracts):
    """`traces` is a module of intermediate code."""

    def all(self):
        """Every contract here."""
        for contract in (self.negation, self.doubling, self.addition, self.exceptions):
            contract()

    @guarded
    def negation(self):
        name = PREFIX + "15negatedOrdinateyAA12FieldElementVAD_ADtF"
        run = IRRun(self.traces.function(name), P, coordinates(r1=[("x", REDUCED)], r2=[("y", REDUCED)]))
        result = run.words("%0", 5)
        self.equals(run, "AffinePoint.negated", "y", result, {("y",): -1})
        self.limbs("AffinePoint.negated", "y", result, ORDINATE.limbs)
        self.value(run, "AffinePoint.negated", "y", result, ORDINATE.value)

    @guarded
    def doubling(self):
        """EFD, dbl-2001-b: alpha = 3 (X - delta) (X + delta), with every limb and value in the range that the next
        operation requires."""
        parameters = coordinates(r1=[(name, REDUCED) for name in "XYZ"])
        run = IRRun(self.traces.function(DOUBLED), P, parameters)
        x, y, z = (variable(name) for name in "XYZ")
        delta, gamma = montgomery(z, z), montgomery(y, y)
        beta = montgomery(x, gamma)
        alpha = combination((3, montgomery(combination((1, x), (-1, delta)), combination((1, x), (1, delta)))))
        x3 = combination((1, montgomery(alpha, alpha)), (-8, beta))
        total = combination((1, y), (1, z))
        z3 = combination((1, montgomery(total, total)), (-1, gamma), (-1, delta))
        y3 = combination((1, montgomery(alpha, combination((4, beta), (-1, x3)))), (-8, montgomery(gamma, gamma)))
        self.coordinates(run, "JacobianPoint.doubled", (x3, y3, z3))

    def coordinates(self, run, function, expected):
        """States three coordinates: polynomials, and that they are reduced."""
        for i, (name, wanted) in enumerate(zip(("X3", "Y3", "Z3"), expected)):
            limbs = [run.stored["%0", 40 * i + 8 * j] for j in range(5)]
            self.equals(run, function, name, limbs, wanted)
            self.carried(function, name, limbs)
            self.value(run, function, name, limbs, REDUCED.value)

    def sum_run(self, case):
        """The mixed sum in a case of its tests."""
        parameters = coordinates(r1=[(name, REDUCED) for name in "XYZ"], r2=[("x", REDUCED)], r3=[("y", ORDINATE)])
        return IRRun(self.traces.function(MIXED), P, parameters, case=case,
                     calls={"canonicalAA8Words256VyF": canonical_words, "doubledACyF": doubled_words})

    def is_zero(self, run):
        """Which of Z3, r and Z are multiples of p in this case: those of which all words are tested and zero."""
        x, y, z, px, py = (variable(name) for name in ("X", "Y", "Z", "x", "y"))
        zzz = montgomery(z, montgomery(z, z))
        numbers = {"Z3": mixed_sum(x, y, z, px, py)[2], "r": combination((1, montgomery(py, zzz)), (-1, y)), "Z": z}
        symbols, found = run.domain.value_of_name, {}
        for source, limbs in getattr(run, "canonical", {}).items():
            value = run.domain.value(limbs)
            name = next((name for name, wanted in numbers.items() if value == {
                tuple(sorted(symbols[v] for v in m)): c for m, c in wanted.items()}), "another number")
            tests = {key[2]: outcome for key, outcome in run.tests.items() if key[1] == source}
            found[name] = all(tests.values()) and frozenset().union(*tests) == {0, 1, 2, 3}
        return found

    @guarded
    def addition(self):
        """Both ways to the general sum: limb 2 of Z3 is not zero, or Z3 is no multiple of p after all."""
        x, y, z, px, py = (variable(name) for name in ("X", "Y", "Z", "x", "y"))
        self.report.assume("mixed sum", "y", ORDINATE.value)
        for case, tested in ((0, {}), (1, {"Z3": False})):
            run = self.sum_run(case)
            function = f"JacobianPoint +, case {case}"
            self.report.holds(function, f"tested for zero: {tested}", self.is_zero(run) == tested)
            predicate, limb, zero, _ = run.domain.facts[0]
            self.report.holds(function, "limb 2 of Z3 is compared with 0, which it is in 0, p and 2p",
                              predicate == "eq" and zero.constant() == 0 and len(run.domain.facts) == 1 + len(tested) and
                              limb.whole == run.stored["%0", 96].whole and not any(k * P >> 104 & LIMB - 1 for k in (0, 1, 2)))
            self.coordinates(run, function, mixed_sum(x, y, z, px, py))

    @guarded
    def exceptions(self):
        """If Z3 is a multiple of p: the addend if the sum was infinity, else twice the sum or infinity."""
        ends = set()
        for case in range(3, 64, 4):  # The first two tests hold, else the sum is a general one.
            run = self.sum_run(case)
            if case >> len(run.domain.facts):
                continue  # The same path as that of a smaller case.
            zero = self.is_zero(run)
            if not zero["Z"] and "r" not in zero:
                self.report.refute(f"JacobianPoint +: an exception that is decided by {', '.join(sorted(zero))}")
                return
            wanted = "addend" if zero["Z"] else "doubled" if zero["r"] else "infinity"
            ends.add(wanted)
            self.report.holds("JacobianPoint +", f"exception: {wanted}", zero["Z3"] and self.exception(run) == wanted)
        self.report.holds("JacobianPoint +", "three exceptions are reached", len(ends) == 3)

    def exception(self, run):
        """What an exceptional path stores."""
        words = [run.stored["%0", 8 * i] for i in range(15)]
        if isinstance(words[0], Opaque):
            whole = all(isinstance(word, Opaque) and word.parts == {i} for i, word in enumerate(words))
            return "doubled" if whole and run.doubled_from == [("%1", 8 * i) for i in range(15)] else "something else"
        z = [word.constant() for word in words[10:]]
        if z == [0] * 5:
            return "infinity"
        values = [run.domain.value(words[5 * i:5 * i + 5]) for i in range(3)]
        x, y = (run.domain.value_of_name.get(name) for name in ("x", "y"))
        one = poly.of_number(pow(2, 260, P))
        return "addend" if values == [{(x,): 1}, {(y,): 1}, one] else "something else"
