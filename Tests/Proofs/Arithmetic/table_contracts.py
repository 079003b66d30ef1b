"""The entries of tables, and what is added while they are made: PointStorage.swift, unchanged, on multiples in place of
points."""
import subprocess

from contracts import Contracts, guarded
from digit_contracts import WIDTHS, windows
from report import N
from traces import HERE

FILES = ("PointStorage", "WindowRecoding", "Words256")


class TableContracts(Contracts):
    """`operands` are the compilers, a folder for programs, and the folders of sources."""

    def __init__(self, operands, report):
        super().__init__(None, report)
        self.options, self.folder, self.sources = operands

    def all(self):
        """Every contract here."""
        self.tables()

    @guarded
    def tables(self):
        """Runs the program: portable, and with levels made as the kernel's header says."""
        program = self.folder / "tables"
        files = [HERE / "tables/Multiples.swift", HERE / "tables/main.swift",
                 *(self.sources["engine"] / f"{name}.swift" for name in FILES)]
        command = [self.options.swiftc, "-O", "-wmo", "-package-name", "tables", "-module-name", "Tables", *map(str, files)]
        subprocess.run([*command, "-o", str(program)], check=True)
        lines = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines()
        self.report.holds("tables", "every width was made twice",
                          [int(line.split()[0]) for line in lines] == [*WIDTHS, *WIDTHS])
        for line in lines:
            self.table(*map(int, line.split()))

    def table(self, bits, wrong, count, additions, *ends):
        """2j + 1 and 2^level are neither equal nor opposite modulo n: one is odd, the other even, and both their sum and their
        difference are below n in magnitude, and not 0."""
        size = windows(bits) << bits - 1
        self.report.holds("tables", f"each entry of each window is the multiple that its place says, for {bits} bits",
                          wrong == 0 and count == size)
        self.report.within("tables", f"additions for {bits} bits", (0, additions), (0, size))
        self.report.within("tables", f"2j + 1 + 2^level for {bits} bits", ends[:2], (1, (1 << bits) - 1))
        self.report.within("tables", f"2^level - (2j + 1) for {bits} bits", ends[2:], (1, N - 1))
