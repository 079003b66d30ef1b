"""Contracts of lanes.h: products, squares, reductions, carries, folding, comparisons. The limits are those of its comments."""
import polynomials as poly
from contracts import CARRIED, COORDINATE, FOLDED, FULL, INTEGERS, R, Contracts, guarded, scaled_value, variable
from numbers_of_limbs import Range, carried, signed
from report import N, P, times_p
from words import SCALE

LIMB = 1 << 52
PRODUCT_LIMB = (0, 15 * LIMB - 1)
A, B = variable("a"), variable("b")


def column_limits(count):
    """A column gets at most as many halves below 2^52 as there are products at it and before it."""
    at = [min(c + 1, 9 - c) if 0 <= c <= 8 else 0 for c in range(-1, 10)]
    return [(0, (at[c + 1] + at[c]) * (LIMB - 1)) for c in range(count)]


class FieldContracts(Contracts):
    """Each method is a function's contract."""

    def all(self):
        """Every contract here."""
        for contract in (self.columns, self.reduction, self.products, self.order_product, self.carries, self.folding):
            contract()

    @guarded
    def columns(self):
        for name, ranges, expected in (("columns_of_product", {"a": FULL, "b": FULL}, poly.product(A, B)),
                                       ("columns_of_square", {"a": FULL}, poly.product(A, A))):
            run = self.run(name, ranges, INTEGERS)
            columns = run.outputs["low"] + run.outputs["high"]
            self.limbs(name, "column", columns, column_limits(10))
            self.equals(run, name, "columns", columns, expected)

    @guarded
    def reduction(self):
        limits = column_limits(10)
        low, high = (Range((0, sum(limit[1] << 52 * i for i, limit in enumerate(half))), half)
                     for half in (limits[:5], limits[5:]))
        run = self.run("reduced_mod_prime", {"low": low, "high": high})
        r = run.outputs["r"]
        self.limbs("reduced_mod_prime", "r", r, [PRODUCT_LIMB] * 5)
        self.equals(run, "reduced_mod_prime", "r", r, {("low",): pow(R, -1, P), ("high",): 1})
        self.columns_within(run, "reduced_mod_prime", 15)
        z = poly.plus(scaled_value(run.inputs["low"]), scaled_value(run.inputs["high"]), R)
        self.below(run, "reduced_mod_prime", r, z, P)

    def columns_within(self, run, name, terms):
        """States how many terms below 2^52 the greatest sum is worth. Those of AVX2 have constants that wrap."""
        if not run.lane.wraps:
            self.report.within(name, f"every column, by {terms} terms", (-run.lane.widest, run.lane.widest),
                               (-terms * LIMB, terms * LIMB))
            self.report.within(name, "carry of a column", (0, run.lane.widest >> 52), (0, terms - 1))

    def below(self, run, name, result, z, modulus):
        """States that 0 <= result - z / 2^260 < modulus, for a scaled polynomial z."""
        limits = (0, modulus * R - 1)
        difference = poly.plus(poly.times(scaled_value(result), R), z, -1)
        low, high = run.lane.bounds(difference)
        self.report.within(name, "2^260 r - z", (-(-low >> SCALE), high >> SCALE), limits)

    def product_of(self, run, names):
        """The product of input values, by the limbs' names that the product uses."""
        factors = [scaled_value([run.lane.named(limb) for limb in run.inputs[name]]) for name in names]
        return poly.shifted(poly.product(*factors), SCALE)

    @guarded
    def products(self):
        for name, inputs in (("product", "ab"), ("square", "aa"), ("factor_product", "ab"), ("factor_square", "aa")):
            run = self.run(name, {key: FULL for key in set(inputs)})
            r = run.outputs["r"]
            if name.startswith("factor_"):
                # The value may exceed 2^260 for such factors. The carries below are of values that callers have.
                self.limbs(name, "r", r, [CARRIED] * 4 + [(0, 1 << 53)])
            else:
                self.limbs(name, "r", r, [PRODUCT_LIMB] * 5)
            self.equals(run, name, "r", r, {tuple(inputs): pow(R, -1, P)})
            self.below(run, name, r, self.product_of(run, inputs), P)
            run = self.run(name, {key: COORDINATE for key in set(inputs)})
            self.value(run, name, "r for factors below 2.01 p", run.outputs["r"], (0, P + COORDINATE.value[1] ** 2 // (16 * P)))
            if name.startswith("factor_"):
                self.carried(name, "r for factors below 2.01 p", run.outputs["r"])

    @guarded
    def order_product(self):
        factor = carried((1 << 257) - 1)
        run = self.run("order_product", {"a": factor, "b": factor}, N)
        r = run.outputs["r"]
        self.carried("order_product", "r", r)
        self.equals(run, "order_product", "r", r, {("a", "b"): pow(R, -1, N)})
        self.below(run, "order_product", r, self.product_of(run, "ab"), N)
        self.value(run, "order_product", "r", r, (0, 2 * N - 1))
        self.columns_within(run, "order_product", 20)
        self.report.holds("order_product", "five divisions by 2^52 are exact", run.lane.exact_shifts >= 5)

    @guarded
    def carries(self):
        wide = signed(1 << 62, 0, R - 1)
        run = self.run("carried", {"a": wide}, INTEGERS)
        self.carried("carried", "r", run.outputs["r"])
        self.equals(run, "carried", "r", run.outputs["r"], A)
        run = self.run("carried", {"a": signed(1 << 62, -R + 1, -1)}, INTEGERS)
        self.limbs("carried", "r for a negative value", run.outputs["r"], [CARRIED] * 4 + [(-(1 << 52), -1)])
        self.equals(run, "carried", "r for a negative value", run.outputs["r"], A)
        run = self.run("carried", {"a": signed(1 << 62, R, (1 << 270) - 1)}, INTEGERS)
        self.limbs("carried", "r for a value from 2^260 on", run.outputs["r"], [CARRIED] * 4 + [(1 << 52, (1 << 62) - 1)])
        product = Range((0, R - 1), [PRODUCT_LIMB] * 5)
        run = self.run("carried_sum", {"a": product}, INTEGERS)
        self.carried("carried_sum", "r", run.outputs["r"])
        self.equals(run, "carried_sum", "r", run.outputs["r"], A)

    @guarded
    def folding(self):
        run = self.run("folded", {"a": signed(1 << 62, -16 * P, 16 * P)})
        top = run.inputs["a"][4]
        limit = (16 << 48) + (1 << 11)
        self.report.within("folded", "top limb before", (top.least, top.greatest), (-limit, limit))
        r = run.outputs["r"]
        self.value(run, "folded", "r", r, FOLDED)
        self.equals(run, "folded", "r", r, A)
        self.parts_of_fold(run, r)
        h = next(run.words[int(line[0])] for line in run.trace.lines if line[1] in H_OPERATIONS)
        self.report.within("folded", "h", (h.least, h.greatest), (-17, 17))
        run = self.run("coordinate", {"a": signed(1 << 62, -16 * P + P, 16 * P - P)})
        self.carried("coordinate", "r", run.outputs["r"])
        self.value(run, "coordinate", "r", run.outputs["r"], (1, times_p(2.01)))
        self.equals(run, "coordinate", "r", run.outputs["r"], A)

    def parts_of_fold(self, run, result):
        """The sum has two parts: 48 bits of the top limb, and the rest, which is small."""
        lower = run.lane.value_bounds(run.inputs["a"][:4])
        self.report.within("folded", "weight of the lower limbs", lower, (-(1 << 219), 1 << 219))
        kept = next(run.words[int(line[0])] for line in run.trace.lines if line[1] in AND_OPERATIONS)
        self.report.within("folded", "kept part of the top limb", (kept.least << 208, kept.greatest << 208),
                           (0, (1 << 256) - 1))
        low, high = run.lane.bounds(poly.plus(scaled_value(result), kept.scaled, -(1 << 208)))
        self.report.within("folded", "the rest", (-(-low >> SCALE), high >> SCALE), (-(1 << 229), 1 << 229))


AND_OPERATIONS = ("_mm512_and_si512", "_mm256_and_si256")
# The first of these in `folded` gives h: AVX2 subtracts an offset after its shift.
H_OPERATIONS = ("_mm512_srai_epi64", "_mm256_sub_epi64")
