"""Contracts of sums.h in Jacobian form: a mixed addition and the judgement of two windows. Bounds are those of its comments,
in units of p."""
from contracts import (COORDINATE, Contracts, combination, guarded, montgomery, variable)
from numbers_of_limbs import carried
from report import P, times_p

# The notes of add_mixed in order: what a comment calls it, and its limits.
MIXED_NOTES = [
    ("factor_square", "ZZ", (0, 1.13)), ("factor_product", "ZZZ", (0, 1.1)), ("product", "U", (0, 1.1)),
    ("carried", "H = U - X + 3p", (0.9, 4.1)), ("product", "|S|", (0, 1.1)), ("carried", "r = S - Y + 4p", (0.8, 5.1)),
    ("factor_square", "HH", (0, 2.1)), ("factor_product", "Z H", (0, 1.4)), ("factor_product", "HHH", (0, 1.6)),
    ("product", "V", (0, 1.3)), ("square", "r^2", (0, 2.7)), ("unfolded", "X3 before folding", (-4.2, 2.7)),
    ("folded", "X3 folded", (-0.01, 1.01)), ("carried", "X3", (0, 2.01)), ("carried", "V - X3 + 3p", (0.9, 4.3)),
    ("product", "r (V - X3)", (0, 2.4)), ("product", "Y HHH", (0, 1.3)), ("unfolded", "Y3 before folding", (-1.3, 2.4)),
    ("folded", "Y3 folded", (-0.01, 1.01)), ("carried", "Y3", (0, 2.01)),
]
JACOBIAN = {"X": COORDINATE, "Y": COORDINATE, "Z": carried(times_p(1.4)), "x": carried(P - 1), "y": carried(P - 1)}


def mixed_sum(x1, y1, z1, x2, y2):
    """Madd-2004-hmv, as polynomials in Montgomery's form: Guide to elliptic curve cryptography, algorithm 3.22."""
    zz = montgomery(z1, z1)
    h = combination((1, montgomery(x2, zz)), (-1, x1))
    r = combination((1, montgomery(y2, montgomery(z1, zz))), (-1, y1))
    hh = montgomery(h, h)
    hhh, v = montgomery(h, hh), montgomery(x1, hh)
    x3 = combination((1, montgomery(r, r)), (-1, hhh), (-2, v))
    y3 = combination((1, montgomery(r, combination((1, v), (-1, x3)))), (-1, montgomery(y1, hhh)))
    return x3, y3, montgomery(z1, h)


class JacobianContracts(Contracts):
    """Each method is a function's contract."""

    def all(self):
        """Every contract here."""
        for contract in (self.addition, self.two_additions, self.judgement):
            contract()

    def notes(self, run, function, expected):
        """States the limits of intermediate results, which the comments name."""
        if [name for name, _ in run.notes] != [name for name, _, _ in expected]:
            self.report.refute(f"{function}: other operations than the contract names")
            return
        for (_, limbs), (name, label, (low, high)) in zip(run.notes, expected):
            self.value(run, function, label, limbs, (times_p(low), times_p(high)))
            if name.startswith("factor_") or name == "carried":
                self.carried(function, label, limbs)

    @guarded
    def addition(self):
        """A sum's coordinates have the same limits before and after: so they have them after any number of additions."""
        for negative in (0, 1):
            run = self.run("add_mixed", JACOBIAN, case=negative)
            function = "add_mixed, point negated" if negative else "add_mixed"
            self.notes(run, function, MIXED_NOTES)
            self.result(run, function, "", -1 if negative else 1)

    def result(self, run, function, mark, sign):
        """States the coordinates of a sum."""
        x, y, z, px, py = (variable(name + mark) for name in ("X", "Y", "Z", "x", "y"))
        expected = mixed_sum(x, y, z, px, combination((sign, py)))
        for name, wanted in zip(("X3", "Y3", "Z3"), expected):
            limbs = run.outputs[name + mark]
            self.equals(run, function, name + mark, limbs, wanted)
            self.carried(function, name + mark, limbs)
            self.value(run, function, name + mark, limbs, JACOBIAN[name[0]].value)

    @guarded
    def two_additions(self):
        """The two chains of add_mixed do not mix."""
        ranges = JACOBIAN | {name + "'": known for name, known in JACOBIAN.items()}
        for case in range(4):
            run = self.run("add_mixed_two", ranges, case=case)
            for i, mark in enumerate(("", "'")):
                self.result(run, f"add_mixed of two, case {case}", mark, -1 if case >> i & 1 else 1)

    @guarded
    def judgement(self):
        """Two windows: the first point is loaded, the second added, and the sum compared."""
        point = {f"{c}{i}": carried(P - 1) for c in "xy" for i in (0, 1)}
        ranges = point | {"r": carried((1 << 256) - 1)}
        for case in range(4):
            run = self.run("judge_jacobian", ranges, case=case)
            signs = self.signs(run, case)
            x0, y0, x1, y1, r = (variable(name) for name in ("x0", "y0", "x1", "y1", "r"))
            x, y, z = mixed_sum(x0, combination((signs[0], y0)), {(): pow(2, 260, P)}, x1, combination((signs[1], y1)))
            tested = [limbs for name, limbs in run.notes if name == "zero_lanes"]
            function = f"judge_jacobian, case {case}"
            if len(tested) != 2:
                self.report.refute(f"{function}: two tests for zero were expected")
                return
            residue = combination((pow(2, 260, P), r))
            difference = combination((1, x), (-1, montgomery(residue, montgomery(z, z))))
            self.equals(run, function, "X - r Z^2, which is tested", tested[0], difference)
            self.carried(function, "X - r Z^2 + 2p", tested[0])
            self.value(run, function, "X - r Z^2 + 2p", tested[0], (times_p(0.8), times_p(4.01)))
            least, greatest = run.lane.value_bounds(tested[0])
            self.report.within(function, "X - r Z^2", (least - 2 * P, greatest - 2 * P), (times_p(-1.2), times_p(2.01)))
            self.equals(run, function, "Z, which is tested", tested[1], z)
            self.carried(function, "Z", tested[1])
            names = [name for name, _ in run.notes]
            last = names.index("zero_lanes") - 4  # Z^2, r, r Z^2, the difference, and the test
            self.report.holds(function, "what is tested is made by four operations",
                              names[last:last + 4] == ["factor_square", "factor_product", "product", "carried"])
            self.value(run, function, "ZZ", run.notes[last][1], (0, times_p(1.13)))
            self.value(run, function, "r R", run.notes[last + 1][1], (0, 2 * P))
            first = next(limbs for name, limbs in run.notes if name == "carried")
            self.value(run, function, "y or p - y of the first point", first, (0, P))
            self.carried(function, "y or p - y of the first point", first)

    def signs(self, run, case):
        """The signs of the two points in a case: the first two comparisons test the sign bits of their digits."""
        tests = [fact for fact in run.lane.facts if fact[0] != "any"]
        self.report.holds("judge_jacobian", "a digit's bit 0 decides the point's sign", len(tests) == 2)
        # AVX-512 asks whether the bit is set, AVX2 whether it is clear.
        flip = 0 if tests[0][0] == "meet" else 3
        return [-1 if (case ^ flip) >> i & 1 else 1 for i in (0, 1)]
