"""Contract of add_level of tables.h: a level of one or two windows, in which each sum is the chord's third point."""
from affine_contracts import TABLE_X, affine_sum
from contracts import Contracts, combination, guarded, montgomery, variable
from numbers_of_limbs import carried
from report import P
from scalar_contracts import sliced

ONE = {(): 1}
NOTES = {"carried", "factor_product", "product", "square", "folded", "unfolded", "inverted"}


class LevelContracts(Contracts):
    """A trace of two windows, and one of a single window whose group is doubled."""

    def all(self):
        """Every contract here."""
        self.level("add_level", [(0, 1), (2, 3)])
        self.level("add_level_odd", [(0, 1), (0, 1)])

    def level(self, name, points):
        """`points` are the numbers of each group's step and entries, in the order in which they are loaded."""
        self.name, self.points = name, points
        # What is stored has contracts of its own: store_words, and canonical of which the products are noted.
        self.traces = self.traces | {name: sliced(self.traces[name], NOTES)}
        ranges = {f"{c}{i}": TABLE_X for pair in points for i in pair for c in "xy"}
        self.ranges = ranges | {"inverse0": carried((1 << 257) - 1)}
        self.followed()

    @guarded
    def followed(self):
        run = self.run(self.name, self.ranges)
        differences = [combination((1, variable(f"x{step}")), (-1, variable(f"x{entry}"))) for step, entry in self.points]
        made = [limbs for name, limbs in run.notes if name == "carried"][:len(set(self.points))]
        for limbs, difference in zip(made, differences):
            self.equals(run, self.name, "x2 - x1 + 2p", limbs, difference)
            self.carried(self.name, "x2 - x1 + 2p", limbs)
            self.value(run, self.name, "x2 - x1 + 2p", limbs, (P + 1, 3 * P - 1))
        stored = run.notes[-12:]
        self.report.holds(self.name, "each coordinate that is stored is made canonical",
                          [name for name, _ in stored] == ["carried", "factor_product", "carried"] * 4)
        for i, (step, entry) in enumerate(self.points):
            other = montgomery(ONE, differences[1 - i])
            reciprocal = montgomery(montgomery(variable("inverse0"), other), ONE)
            x1, y1, x2, y2 = (variable(f"{c}{n}") for n in (entry, step) for c in "xy")
            for j, wanted in enumerate(affine_sum(x1, y1, x2, y2, reciprocal)):
                self.equals(run, self.name, f"stored {'xy'[j]} of group {i}", stored[6 * i + 3 * j + 1][1], wanted)
