"""Contracts of the comparisons: less_lanes, equal_lanes and zero_lanes of lanes.h, canonical of tables.h, order_residue of
kernel.h."""
import polynomials as poly
from contracts import FULL, R, Contracts, folded_range, guarded, scaled_value
from formulas import Formula
from numbers_of_limbs import carried
from report import N, P
from words import SCALE, Word

CONSTANTS = {"order": N, "prime": P, "prime_minus_order": P - N, "zero": 0}


def limbs_of(number):
    """Five limbs of 52 bits."""
    return [number >> 52 * i & (1 << 52) - 1 for i in range(5)]


class ComparisonContracts(Contracts):
    """Each method is a function's contract."""

    def all(self):
        """Every contract here."""
        for contract in (self.less, self.equal, self.zero, self.canonical, self.order_residue):
            contract()

    @guarded
    def less(self):
        for name in ("order", "prime", "prime_minus_order"):
            function = f"less_lanes_{name}"
            run = self.run(function, {"a": FULL}, case=None)
            self.is_sign(run, function, run.lane.facts[0], scaled_value(run.inputs["a"]), CONSTANTS[name])
            self.report.holds(function, "the mask is that comparison",
                              run.masks["r"].table == Formula.atom(0).table and len(run.lane.facts) == 1)

    def is_sign(self, run, function, fact, value, number):
        """States that a comparison says whether a value is below a number."""
        kind, word, zero, _ = fact
        self.report.holds(function, "a word is compared with 0", kind == "less" and zero.constant() == 0)
        self.is_floor(run, function, word, value, number)

    @guarded
    def equal(self):
        every = Formula.TRUE
        for atom in range(5):
            every &= Formula.atom(atom).table
        for name in ("zero", "prime"):
            function = f"equal_lanes_{name}"
            run = self.run(function, {"a": FULL}, case=None)
            self.report.holds(function, "every limb is compared with the constant's",
                              len(run.lane.facts) == 5 and self.same(run, run.lane.facts, run.inputs["a"], CONSTANTS[name]))
            self.report.holds(function, "the mask is that all are equal", run.masks["r"].table == every)

    def same(self, run, facts, limbs, number):
        """Whether comparisons are those of a number's limbs with constants."""
        def is_limb(word, limb):
            return word is limb or (word.whole == limb.whole and word.scaled == limb.scaled)
        return all(kind == "equal" and is_limb(a, limb) and b.constant() == part
                   for (kind, a, b, _), limb, part in zip(facts, limbs, limbs_of(number)))

    @guarded
    def zero(self):
        """A multiple of p, times 1 / 2^260, is 0 or p, because it is at most p and p divides it."""
        run = self.run("zero_lanes", {"a": FULL}, case=None)
        facts = run.lane.facts
        reduced = [word for _, word, _, _ in facts[:5]]
        self.carried("zero_lanes", "a / 2^260", reduced)
        self.value(run, "zero_lanes", "a / 2^260", reduced, (0, P))
        self.equals(run, "zero_lanes", "a / 2^260", reduced, {("a",): pow(R, -1, P)})
        self.report.holds("zero_lanes", "it is compared with 0 and with p, limb by limb", len(facts) == 10 and
                          self.same(run, facts[:5], reduced, 0) and self.same(run, facts[5:], reduced, P))
        halves = []
        for first in (0, 5):
            table = Formula.TRUE
            for atom in range(first, first + 5):
                table &= Formula.atom(atom).table
            halves.append(table)
        self.report.holds("zero_lanes", "the mask is that it is one of them", run.masks["r"].table == halves[0] | halves[1])

    @guarded
    def canonical(self):
        self.subtraction("canonical", {"a": folded_range(61)}, "factor_product", P, P + (1 << 226),
                         {("a",): 1})

    @guarded
    def order_residue(self):
        factor = carried((1 << 256) - 1)
        self.subtraction("order_residue", {"a": factor, "b": carried((1 << 257) - 1)}, "order_product", N,
                         2 * N - 1, {("a", "b"): pow(R, -1, N)})

    def refined(self, run, limb):
        """The limb, with what the comparison says of it."""
        _, word, _, is_less = run.lane.facts[0]
        if limb.whole != word.whole or limb.scaled != word.scaled:
            return limb
        return Word(limb.whole, limb.scaled, limb.least if is_less else max(limb.least, 0),
                    min(limb.greatest, -1) if is_less else limb.greatest)

    def subtraction(self, function, ranges, note, modulus, greatest_before, expected):
        """A value below twice the modulus, minus the modulus unless it is below it: in [0, m), and the same modulo m."""
        for case in (0, 1):
            run = self.run(function, ranges, modulus, case)
            before = next((limbs for name, limbs in run.notes if name == note), None)
            result = run.outputs["r"]
            if before is None or len(run.lane.facts) != 1:
                self.report.refute(f"{function}: one {note} and one comparison were expected")
                return
            self.is_sign(run, function, run.lane.facts[0], scaled_value(before), modulus)
            least, greatest = run.lane.value_bounds(before)
            self.report.within(function, f"value before case {case}", (least, greatest), (0, greatest_before))
            taken = poly.plus(scaled_value(before), scaled_value(result), -1)
            # Below m the value stays; from m on, m is subtracted.
            wanted = 0 if case else modulus
            self.report.holds(function, f"case {case}: the value minus {'0' if case else 'the modulus'}",
                              taken == poly.of_number(wanted << SCALE))
            ends = (least, modulus - 1) if case else (0, greatest - modulus)
            self.report.within(function, f"r in case {case}", ends, (0, modulus - 1))
            self.carried(function, f"r in case {case}", [self.refined(run, limb) for limb in result])
            self.equals(run, function, "r", result, expected)
