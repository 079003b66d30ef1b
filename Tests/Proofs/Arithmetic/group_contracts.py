"""The group law: small curves by exhaustion, the identities of the formulas for any curve with a = -3, and which operands can
meet in an addition of table points."""
import subprocess

import polynomials as poly
from contracts import Contracts, guarded
from digit_contracts import WIDTHS, windows
from report import N
from traces import HERE


def times(*factors):
    """A product of polynomials."""
    result = {(): 1}
    for factor in factors:
        result = poly.product(result, factor)
    return result


def linear(*terms):
    """A sum of (number, polynomial)."""
    result = {}
    for number, a in terms:
        result = poly.plus(result, a, number)
    return result


class GroupContracts(Contracts):
    """`operands` are the compilers, a folder for programs, and the folders of sources."""

    def __init__(self, operands, report):
        super().__init__(None, report)
        self.options, self.folder, self.sources = operands

    def all(self):
        """Every contract here."""
        for contract in (self.mixed_formula, self.doubling_formula, self.small_kernel, self.shapes, self.small_engine,
                         self.meetings):
            contract()

    @guarded
    def mixed_formula(self):
        """X3, Y3 and Z3 of the mixed sum are those of the chord, x3 = l^2 - x1 - x2 and y3 = l (x1 - x3) - y1, with
        x1 = X / Z^2 and y1 = Y / Z^3. Both sides are multiplied by Z3^2 and Z3^3; l = r / Z3. An identity over the integers,
        and so in every field."""
        x, y, z, px, py = ({(i,): 1} for i in range(5))
        h = linear((1, times(px, z, z)), (-1, x))
        r = linear((1, times(py, z, z, z)), (-1, y))
        x3 = linear((1, times(r, r)), (-1, times(h, h, h)), (-2, times(x, h, h)))
        chord = linear((1, times(r, r)), (-1, times(x, h, h)), (-1, times(px, z, z, h, h)))
        self.report.holds("mixed sum", "X3 is the chord's", x3 == chord)
        y3 = linear((1, times(r, linear((1, times(x, h, h)), (-1, x3)))), (-1, times(y, h, h, h)))
        # Z3^3 y3 = r (Z3^2 x1 - X3) - Z3^3 y1, with Z3^2 x1 = X h^2 and Z3^3 y1 = Y h^3.
        self.report.holds("mixed sum", "Y3 is the chord's", y3 == linear(
            (1, times(r, x, h, h)), (-1, times(r, chord)), (-1, times(y, h, h, h))))
        # Z3 = Z h is zero only where Z or h is: where the sum was infinity, or the abscissas are equal.
        self.report.holds("mixed sum", "h = Z^2 (x2 - x1)", h == linear((1, times(px, z, z)), (-1, x)))

    @guarded
    def doubling_formula(self):
        """dbl-2001-b is the tangent of y^2 = x^3 - 3x + b: l = 3 (x^2 - 1) / (2 y) = alpha / Z3."""
        x, y, z = ({(i,): 1} for i in range(3))
        delta, gamma = times(z, z), times(y, y)
        alpha = times({(): 3}, linear((1, x), (-1, delta)), linear((1, x), (1, delta)))
        z3 = linear((1, times(linear((1, y), (1, z)), linear((1, y), (1, z)))), (-1, gamma), (-1, delta))
        self.report.holds("doubling", "Z3 = 2 Y Z", z3 == times({(): 2}, y, z))
        # l = 3 (X^2 / Z^4 - 1) Z^3 / (2 Y), so l Z3 = 3 (X^2 - Z^4).
        self.report.holds("doubling", "alpha = l Z3", alpha == linear((3, times(x, x)), (-3, times(z, z, z, z))))
        x3 = linear((1, times(alpha, alpha)), (-8, times(x, gamma)))
        self.report.holds("doubling", "X3 is the tangent's", x3 == linear(
            (1, times(alpha, alpha)), (-2, times({(): 4}, x, y, y))))  # Z3^2 x1 = 4 Y^2 X
        y3 = linear((1, times(alpha, linear((4, times(x, gamma)), (-1, x3)))), (-8, times(gamma, gamma)))
        self.report.holds("doubling", "Y3 is the tangent's", y3 == linear(
            (1, times(alpha, linear((4, times(x, y, y)), (-1, x3)))), (-1, times({(): 8}, y, y, y, y))))

    def compile(self, name, program):
        """Compiles a program of small/ with sums.h."""
        kernel = self.sources["kernel"]
        subprocess.run([self.options.clang, "-std=gnu11", "-O2", "-w", f"-I{HERE / 'small'}", f"-I{kernel}",
                        f"-I{kernel / 'include'}", str(HERE / "small" / f"{name}.c"), "-o", str(program)], check=True)

    @guarded
    def small_kernel(self):
        """sums.h over small curves: every pair of points, every pair of scalars."""
        program = self.folder / "curves"
        self.compile("curves", program)
        run = subprocess.run([str(program)], capture_output=True, text=True)
        if run.returncode not in (0, 1):
            self.report.refute("sums.h over small curves: a number that must not be negative is")
            return
        curves, pairs, sums, exceptional, wrong = map(int, run.stdout.split())
        self.report.holds("sums.h", f"right over {curves} curves: {pairs} pairs of points, {sums} sums in all, "
                          f"{exceptional} verdicts undecided", wrong == 0 and min(curves, exceptional) > 10)

    @guarded
    def shapes(self):
        """Which windows are added when depends on their number, on the accumulators and on the groups alone: each such shape
        adds every window once. The key's windows come after those of G."""
        program = self.folder / "shapes"
        self.compile("shapes", program)
        run = subprocess.run([str(program)], capture_output=True, text=True)
        shapes, wrong = map(int, run.stdout.split() or (0, 1))
        self.report.holds("sums.h", f"every window is added once, in {shapes} shapes", wrong == 0 and shapes > 1000)

    @guarded
    def small_engine(self):
        """Points.swift and AffineSums.swift over small curves: every pair of points, in every scale."""
        program = self.folder / "small"
        files = [HERE / "small" / "Field.swift", HERE / "small" / "main.swift",
                 self.sources["engine"] / "Points.swift", self.sources["engine"] / "AffineSums.swift"]
        subprocess.run([self.options.swiftc, "-O", "-wmo", "-package-name", "small", "-module-name", "Small",
                        *map(str, files), "-o", str(program)], check=True)
        run = subprocess.run([str(program)], check=True, capture_output=True, text=True)
        curves, sums, wrong = map(int, run.stdout.split())
        self.report.holds("Points.swift", f"right over {curves} curves: {sums} sums", wrong == 0 and curves > 10)

    @guarded
    def meetings(self):
        """The sum of a scalar's lower windows is below 2^(w i) in magnitude, the next digit times 2^(w i) at least that. So
        they can be equal or opposite modulo n only where their sum or difference may reach n: in the last window. Across the
        two scalars nothing is excluded. All such cases go to the complete routine, as the contracts of the sums show."""
        for bits in WIDTHS:
            count = windows(bits)
            lower = [sum(((1 << bits) - 1) << bits * i for i in range(window)) for window in range(count)]
            below = all(lower[window] < 1 << bits * window for window in range(1, count))
            can = [window for window in range(1, count) if lower[window] + (((1 << bits) - 1) << bits * window) >= N]
            self.report.holds("one scalar's windows", f"{bits} bits: operands can meet in window {can} of 0 to {count - 1}",
                              below and can in ([], [count - 1]))
