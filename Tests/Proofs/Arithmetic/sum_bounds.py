"""The bounds of the Swift engine's additions: Points.swift and AffineSums.swift, unchanged, on bounds in place of numbers.

`bounds/Field.swift` gives each operation's bound by its contract, which swift_contracts.py proves, and says where a contract
asks for more than is known of an operand.
"""
import subprocess

from contracts import Contracts, guarded
from report import P
from traces import HERE

UNIT = 1 << 20  # of p, as in bounds/Field.swift
# The operations of a mixed sum in order: what the comment calls it, and its limit in units of p. None: it has no name.
MIXED = [("product", "ZZ", None), ("product", "U", None), ("difference", "H", 5.3), ("product", "Z ZZ", None),
         ("product", "S", None), ("difference", "R", 5.3), ("product", "Z H", None), ("product", "HH", 2.8),
         ("product", "HHH", 2), ("product", "V", 1.4)]
# The operations for each addend, after the differences' product is inverted.
AFFINE = ["product", "difference", "product", "difference", "product", "product", "difference", "difference", "difference",
          "product", "difference"]
INVERSE, SLOPE = 2, 4  # of these


class SumBounds(Contracts):
    """`sources` are the engine's."""

    def __init__(self, options, report, folder, sources):
        super().__init__(None, report)
        self.options, self.folder, self.sources = options, folder, sources

    def all(self):
        """Every contract here."""
        for contract in (self.compiled, self.contracts, self.mixed, self.affine):
            contract()

    @guarded
    def compiled(self):
        """Runs the program: its lines by function."""
        program = self.folder / "bounds"
        files = [HERE / "bounds/Field.swift", HERE / "bounds/main.swift", self.sources / "Points.swift",
                 self.sources / "AffineSums.swift"]
        command = [self.options.swiftc, "-O", "-wmo", "-package-name", "bounds", "-module-name", "Bounds", *map(str, files)]
        subprocess.run([*command, "-o", str(program)], check=True)
        self.lines, current = {}, None
        for line in subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines():
            if line.startswith("function "):
                current = self.lines.setdefault(line.removeprefix("function "), [])
            elif current is not None:
                *kind, value, limbs = line.split()
                current.append((" ".join(kind), int(value), int(limbs)))

    @guarded
    def contracts(self):
        for function, lines in self.lines.items():
            if function == "addend":
                continue
            self.report.holds(function, f"each of {len(lines)} operands is in the range that its operation requires",
                              lines and not any(kind.startswith("broken") for kind, _, _ in lines))

    def bound(self, function, name, value, limit):
        """A row: a bound in units of p."""
        self.report.within(function, name, (0, value * P // UNIT), (0, round(limit * 100) * P // 100))

    @guarded
    def mixed(self):
        lines = self.lines["mixed sum"]
        self.report.holds("mixed sum", "its operations come in the order of their names",
                          [kind for kind, _, _ in lines[:len(MIXED)]] == [kind for kind, _, _ in MIXED])
        for (_, value, _), (_, name, limit) in zip(lines, MIXED):
            if limit:
                self.bound("mixed sum", name, value, limit)

    @guarded
    def affine(self):
        """Products run over any number of addends: from 2.4p on they do not grow."""
        lines = self.lines["affine sums"]
        _, abscissa, ordinate = self.lines["addend"][0]
        for name, value in (("abscissa", abscissa), ("ordinate", ordinate)):
            self.report.assume("affine sums", f"{name} of an addend", (0, value * P // UNIT))
        count = (len(lines) - 1) // (2 + len(AFFINE))
        kinds = [kind for kind, _, _ in lines]
        self.report.holds("affine sums", "their operations come in the known order",
                          kinds == ["difference", "product"] * count + ["product"] + AFFINE * count)
        values = [value for _, value, _ in lines]
        steps = [values[i:i + len(AFFINE)] for i in range(2 * count + 1, len(values), len(AFFINE))]
        difference = max(value for kind, value, _ in lines[:2 * count] if kind == "difference")
        ordinates = max(step[3] for step in steps)
        self.bound("affine sums", "differences", max(difference, ordinates), 8)
        largest = 240 * UNIT // 100
        self.bound("affine sums", "a product of 2.4 p and a difference", largest * difference // (16 * UNIT) + UNIT + 1, 2.4)
        self.bound("affine sums", "running products", max(values[1:2 * count:2]), 2.4)
        self.bound("affine sums", "inverses", max(step[INVERSE] for step in steps), 2.4)
        self.bound("affine sums", "slopes", max(step[SLOPE] for step in steps), 2.3)
