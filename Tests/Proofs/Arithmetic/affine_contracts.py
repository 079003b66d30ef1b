"""Contracts of sums.h in affine form: a pair of additions, a step with its inversion, a merge, and how limbs grow. Bounds are
those of its comments, in units of p."""
import polynomials as poly
from contracts import FOLDED, Contracts, combination, folded_range, guarded, montgomery, variable
from digit_contracts import WIDTHS, windows
from numbers_of_limbs import carried
from report import P, times_p
from words import SCALE

CHAIN = carried(times_p(1.3))
LIMB = 1 << 52
# Points of a table: x in [0, p) and y in (-p, p), in limbs that are carried, or the negatives of such.
TABLE_X = carried(P - 1)
PAIR_NOTES = [
    ("factor_product", "inverse", (0, 1.3)), ("factor_product", "inverse'", (0, 1.3)),
    ("factor_product", "chain", (0, 1.3)), ("factor_product", "chain'", (0, 1.3)),
    ("carried", "rise", (0.9, 5.1)), ("factor_product", "slope", (0, 1.5)),
    ("carried", "rise'", (0.9, 5.1)), ("factor_product", "slope'", (0, 1.5)),
    ("square", "slope^2", (0, 1.2)), ("unfolded", "x3 before folding", (-2.1, 1.2)), ("folded", "x3 folded", None),
    ("square", "slope'^2", (0, 1.2)), ("unfolded", "x3' before folding", (-2.1, 1.2)), ("folded", "x3' folded", None),
    ("carried", "x1 - x3 + 2p", (0.9, 3.1)), ("carried", "x1' - x3' + 2p", (0.9, 3.1)),
    ("product", "slope (x1 - x3)", (0, 1.3)), ("unfolded", "y3 before folding", (-1.1, 2.3)), ("folded", "y3", None),
    ("product", "slope' (x1' - x3')", (0, 1.3)), ("unfolded", "y3' before folding", (-1.1, 2.3)), ("folded", "y3'", None),
]
# The comparisons of judge_batch that test the signs of points 0 to 3; the others belong to prefetches.
SIGN_TESTS = (0, 2, 4, 5)
ADDITIONS = 26 + 2  # of a sum, as the comment of add_pair says; see most_additions


def affine_sum(x1, y1, x2, y2, inverse):
    """The chord's third point, reflected, with 1 / (x2 - x1) in Montgomery's form."""
    slope = montgomery(combination((1, y2), (-1, y1)), inverse)
    x3 = combination((1, montgomery(slope, slope)), (-1, x1), (-1, x2))
    return x3, combination((1, montgomery(slope, combination((1, x1), (-1, x3)))), (-1, y1))


def most_additions():
    """The most additions that a sum takes part in, over all widths of windows and numbers of accumulators (kernel.h)."""
    counts = [windows(bits) for bits in WIDTHS]
    return max(-(-(g + k) // accumulators) - 1 + accumulators.bit_length() - 1
               for g in counts for k in counts for accumulators in (4, 8, 16))


class AffineContracts(Contracts):
    """Each method is a function's contract."""

    def all(self):
        """Every contract here."""
        for contract in (self.pair, self.growth, self.step, self.merge):
            contract()

    def pair_ranges(self):
        """What add_pair is given."""
        point = {name + mark: folded_range(61) for name in ("x1", "x2") for mark in ("", "'")}
        # An ordinate of a table may be negated: above -p.
        point |= {name + mark: folded_range(61, 1 - P) for name in ("y1", "y2") for mark in ("", "'")}
        return point | {name + mark: CHAIN for name in ("prefix", "chain") for mark in ("", "'")}

    @guarded
    def pair(self):
        run = self.run("add_pair", self.pair_ranges())
        differences = [limbs for name, limbs in run.notes[:2]]
        for limbs in differences:
            self.value(run, "add_pair", "x2 - x1 + 2p", limbs, (times_p(0.9), times_p(3.1)))
            self.carried("add_pair", "x2 - x1 + 2p", limbs)
        if [name for name, _ in run.notes[2:]] != [name for name, _, _ in PAIR_NOTES]:
            self.report.refute("add_pair: other operations than the contract names")
            return
        for (_, limbs), (name, label, limits) in zip(run.notes[2:], PAIR_NOTES):
            ends = (times_p(limits[0]), times_p(limits[1])) if limits else FOLDED
            self.value(run, "add_pair", label, limbs, ends)
            if name in ("factor_product", "carried"):
                self.carried("add_pair", label, limbs)
        for mark in ("", "'"):
            x1, y1, x2, y2, prefix, chain = (variable(n + mark) for n in ("x1", "y1", "x2", "y2", "prefix", "chain"))
            x3, y3 = affine_sum(x1, y1, x2, y2, montgomery(chain, prefix))
            for name, wanted in (("x3", x3), ("y3", y3)):
                self.equals(run, "add_pair", name + mark, run.outputs[name + mark], wanted)
                self.value(run, "add_pair", name + mark, run.outputs[name + mark], FOLDED)
            self.equals(run, "add_pair", "chain" + mark, run.outputs["next_chain" + mark],
                        montgomery(chain, combination((1, x2), (-1, x1))))

    @guarded
    def growth(self):
        """By how much an addition widens limbs; with it, by induction, the widest limbs of a sum and of a difference."""
        run = self.run("add_pair", self.pair_ranges())
        count = most_additions()
        self.report.within("add_pair", "additions of a sum", (0, count), (0, ADDITIONS))
        self.report.within("batch", "windows of G and of the key", (0, 2 * windows(WIDTHS[0])), (0, 104))
        for name, before, sign, limit in (("x3", "x1", -1, 2 * LIMB), ("y3", "y1", 1, 15 * LIMB + (1 << 49))):
            widest = 0
            for i, (limb, old) in enumerate(zip(run.outputs[name], run.inputs[before])):
                low, high = run.lane.bounds(poly.plus(limb.scaled, old.scaled, sign))
                ends = (-(-low >> SCALE), high >> SCALE)
                if i < 4:  # The top limb is bounded by the value, whatever the lower ones are.
                    self.report.within("add_pair", f"growth of {name} limb {i}", ends, (-limit, limit))
                    widest = max(widest, -ends[0], ends[1])
            total = LIMB + count * widest
            self.report.within("add_pair", f"{name} limbs after all additions", (-total, total), (-(1 << 61), 1 << 61))
            difference = "difference" if name == "x3" else "rise"
            self.report.within("add_pair", f"limbs of a {difference} after all additions", (-2 * total, 2 * total),
                               (-(1 << 62), 1 << 62))
            top = (((1 << 256) + (1 << 229)) >> 208) + (total >> 51)
            self.report.within("add_pair", f"{name} top limb after all additions", (-top, top), (-(1 << 61), 1 << 61))

    def check_inverse(self, run, function):
        """The chains' inverse: what is inverted has the differences' product, and its inverse removes it."""
        inverted = [limbs for name, limbs in run.notes if name == "inverted"]
        for limbs in inverted:
            self.carried(function, "product to be inverted", limbs)
            self.value(run, function, "product to be inverted", limbs, (0, 2 * P))
        return [run.lane.value(limbs) for limbs in inverted]

    @guarded
    def step(self):
        """Two windows, one accumulator, two groups: each group's point is the affine sum."""
        for signs in range(16):
            self.two_points(signs)

    def two_points(self, negative):
        """A case of the four points' signs."""
        avx512 = self.traces["judge_batch"].instructions == "avx512"
        # AVX-512 asks whether the bit is set, AVX2 whether it is clear.
        case = sum(1 << place for i, place in enumerate(SIGN_TESTS) if (negative >> i & 1) == avx512)
        point = {f"{c}{i}": TABLE_X for c in "xy" for i in range(4)}
        run = self.run("judge_batch", point | {"r": carried((1 << 256) - 1), "r'": carried((1 << 256) - 1),
                                               "inverse0": carried((1 << 257) - 1)}, case=case)
        function = f"judge_batch, signs {negative:04b}"
        signs = [-1 if negative >> i & 1 else 1 for i in range(4)]
        x = [variable(f"x{i}") for i in range(4)]
        y = [combination((signs[i], variable(f"y{i}"))) for i in range(4)]
        # Points 0 and 1 are the first of either group, 2 and 3 the second.
        differences = [combination((1, x[2 + i]), (-1, x[i])) for i in (0, 1)]
        symbols, inverse = run.lane.value_of_name, variable("inverse0")
        one = {(): 1}
        chains = [montgomery(one, d) for d in differences]
        both = montgomery(*chains)
        self.report.holds(function, "the product of the differences is inverted", self.check_inverse(run, function) == [
            {tuple(sorted(symbols[v] for v in m)): c for m, c in both.items()}])
        for i in (0, 1):
            # With inverse * both = 2^520, this is 2^520 / difference: the inverse in Montgomery's form.
            reciprocal = montgomery(montgomery(inverse, chains[1 - i]), one)
            self.report.holds(function, "the inverse times the difference is one", montgomery(reciprocal, differences[i])
                              == poly.modulo(poly.times(poly.product(inverse, both), pow(2, -260, P)), P))
            x3, y3 = affine_sum(x[i], y[i], x[2 + i], y[2 + i], reciprocal)
            mark = "'" if i else ""
            self.equals(run, function, "x" + mark, run.outputs["x" + mark], x3)
            self.equals(run, function, "y" + mark, run.outputs["y" + mark], y3)
            place = [place for place, (name, _) in enumerate(run.notes) if name == "zero_lanes"][i]
            tested = run.notes[place][1]
            self.report.holds(function, "r R and the difference come before a test", [
                name for name, _ in run.notes[place - 2:place]] == ["factor_product", "carried"])
            self.value(run, function, "r R" + mark, run.notes[place - 2][1], (0, 2 * P))
            self.equals(run, function, "x - r" + mark + ", which is tested", tested,
                        combination((1, x3), (-pow(2, 260, P), variable("r" + mark))))
            self.carried(function, "x - r + 3p" + mark, tested)
            self.value(run, function, "x - r + 3p" + mark, tested, (times_p(0.9), times_p(4.1)))

    @guarded
    def merge(self):
        """Two windows, two accumulators: the sums of the first are merged with those of the second."""
        point = {f"{c}{i}": TABLE_X for c in "xy" for i in range(4)}
        ranges = point | {"r": carried((1 << 256) - 1), "r'": carried((1 << 256) - 1), "inverse0": carried((1 << 257) - 1)}
        positive = 0 if self.traces["judge_batch"].instructions == "avx512" else (1 << 12) - 1
        run = self.run("judge_batch_merging", ranges, case=positive)
        one, inverse = {(): 1}, variable("inverse0")
        for i, mark in enumerate(("", "'")):
            other = montgomery(one, combination((1, variable(f"x{3 - i}")), (-1, variable(f"x{1 - i}"))))
            x3, y3 = affine_sum(variable(f"x{i}"), variable(f"y{i}"), variable(f"x{2 + i}"), variable(f"y{2 + i}"),
                                montgomery(montgomery(inverse, other), one))
            self.equals(run, "judge_batch, merging", "x" + mark, run.outputs["x" + mark], x3)
            self.equals(run, "judge_batch, merging", "y" + mark, run.outputs["y" + mark], y3)
