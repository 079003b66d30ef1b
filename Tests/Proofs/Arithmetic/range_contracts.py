"""Contract of the Swift engine's Scalar.isInRange, from intermediate code: on every path, what is true of the number."""
import polynomials as poly
from contracts import INTEGERS, Contracts, guarded
from ir_run import IRRun
from registers import Registers
from report import N
from swift_contracts import PREFIX
from word_contracts import integers, name_of, narrow
from words import Refuted

IN_RANGE = PREFIX + "8isScalarySbAA8Words256VF"
CASES = 1 << 6


class OrRegisters(Registers):
    """Registers in which several words may be or-ed, to ask whether all are 0."""

    def __init__(self, case):
        super().__init__(INTEGERS, case)
        self.parts = {}  # of the words that were or-ed, by the result's name

    def bit_or(self, a, b, bits):
        parts = [self.parts.get(name_of(self, word), {name_of(self, word)}) for word in (a, b)]
        name = f"or {len(self.parts)}"
        self.parts[name] = parts[0] | parts[1]
        return integers(self, [name])[0]


class RangeContracts(Contracts):
    """`traces` is a module of intermediate code."""

    def all(self):
        """Every contract here."""
        self.scalars()

    @guarded
    def scalars(self):
        function, ends = self.traces.function(IN_RANGE), {True: [], False: []}
        for case in range(CASES):
            domain, names = OrRegisters(case), [f"w{i}" for i in range(4)]
            words = dict(zip(function.parameters, integers(domain, names)))
            run = IRRun(function, INTEGERS, lambda _: None, lambda _: words, domain=domain)
            if case >> len(domain.facts):
                continue  # The same path as that of a smaller case.
            known = self.known(domain, names)
            if known:
                returned = run.returned if isinstance(run.returned, bool) else bool(run.returned.constant())
                ends[returned].append(known)
        least, greatest = min(low for low, _ in ends[True]), max(high for _, high in ends[True])
        self.report.within("Scalar.isInRange", "a number in range", (least, greatest), (1, N - 1))
        self.report.holds("Scalar.isInRange", "other numbers are 0, or n and more",
                          all(known == (0, 0) or known[0] >= N for known in ends[False]))

    def known(self, domain, names):
        """The least and the greatest number on a path; None if there is none."""
        ranges, is_zero = {name: [0, (1 << 64) - 1] for name in names}, None
        for predicate, a, b, outcome in 2 * domain.facts:  # Unequal to an end, and so to the next end.
            name = name_of(domain, a)
            if name in ranges:
                narrow(ranges[name], predicate, b.constant() % (1 << 64), outcome)
            elif domain.parts[name] != set(names) or b.constant() != 0 or predicate not in ("eq", "ne"):
                raise Refuted("another question than whether all words are 0")
            else:
                is_zero = outcome == (predicate == "eq")
        if is_zero:
            return (0, 0) if all(low == 0 for low, _ in ranges.values()) else None
        least, greatest = (sum(ranges[name][end] << 64 * i for i, name in enumerate(names)) for end in (0, 1))
        return (max(least, 1 if is_zero is False else 0), greatest) if least <= greatest else None
