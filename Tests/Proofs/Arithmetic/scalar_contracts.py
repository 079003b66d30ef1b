"""Contract of prepare_scalars of kernel.h: u1 = digest / s and u2 = r / s for several groups, with one inversion."""
from contracts import R, Contracts, guarded, montgomery, variable
from numbers_of_limbs import carried
from report import N
from traces import Trace

GROUPS = 3  # as in trace/functions.c
NAME = "prepare_scalars"


def sliced(trace, names):
    """The part of a trace that makes the notes of these names."""
    part, wanted = Trace(trace.name, trace.instructions), set()
    for line in reversed(trace.lines):
        is_note = line[:2] == [">", "note"] and line[2] in names
        if is_note or line[0] in wanted:
            part.lines.insert(0, line)
            wanted |= {text for text in line[2:] if text.isdigit()}
    return part


class ScalarContracts(Contracts):
    """The products modulo n; the subtraction of n after them is that of order_residue."""

    def all(self):
        """Every contract here."""
        self.scalars()

    @guarded
    def scalars(self):
        self.traces = {NAME: sliced(self.traces[NAME], {"order_product", "inverted"})}
        groups = range(GROUPS)
        ranges = {f"s{g}": carried(N - 1) for g in groups} | {f"{c}{g}": carried((1 << 256) - 1) for c in "dr" for g in groups}
        run = self.run(NAME, ranges | {"inverse0": carried((1 << 257) - 1)}, N)
        expected = self.expected()
        if [name for name, _ in run.notes] != [name for name, _, _ in expected]:
            self.report.refute(f"{NAME}: other products than the contract names")
            return
        for (_, limbs), (_, place, wanted) in zip(run.notes, expected):
            self.equals(run, NAME, place, limbs, wanted)
            self.carried(NAME, place, limbs)
            self.value(run, NAME, place, limbs, (0, (1 << 257) - 1))

    def expected(self):
        """The notes in order: a chain of all s, its inverse, and backwards each group's inverse and scalars."""
        def times(a, b):
            return montgomery(a, b, N)
        chain, prefixes, notes = {(): 1}, [], []
        for g in range(GROUPS):
            prefixes.append(chain)
            chain = times(chain, variable(f"s{g}"))
            notes.append(("order_product", f"the product of s to group {g}", chain))
        notes.append(("inverted", "what is inverted", chain))
        inverse = variable("inverse0")
        for g in reversed(range(GROUPS)):
            own = times(inverse, prefixes[g])
            inverse = times(inverse, variable(f"s{g}"))
            scalars = [times(variable(f"{c}{g}"), own) for c in "dr"]
            notes += [("order_product", f"the inverse of s of group {g}", own),
                      ("order_product", f"the inverse of the product before group {g}", inverse),
                      ("order_product", f"u1 of group {g}", scalars[0]), ("order_product", f"u2 of group {g}", scalars[1])]
            self.divides(g, scalars)
        return notes

    def divides(self, g, scalars):
        """The inverse of the chain c is 2^260 / c, and c is the product of all s times 2^-260 for each. So u s is the digest
        or r if u has a factor 2^-260 for each s and for the inverse's own."""
        others = [f"s{other}" for other in range(GROUPS) if other != g]
        for c, scalar in zip("dr", scalars):
            wanted = {tuple(sorted([f"{c}{g}", "inverse0", *others])): pow(R, -GROUPS - 1, N)}
            self.report.holds(NAME, f"u times s is {'the digest' if c == 'd' else 'r'} of group {g}", scalar == wanted)
