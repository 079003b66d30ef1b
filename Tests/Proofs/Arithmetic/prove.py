"""Runs the proofs and prints what was derived: see README.md.

Exit status: 0 if every statement holds, 1 if one is refuted.
"""
import argparse
import os
import pathlib
import sys
import tempfile

import traces
from affine_contracts import AffineContracts
from comparison_contracts import ComparisonContracts
from comment_contracts import CommentContracts
from cosimulation import Cosimulation
from data_contracts import DataContracts
from digit_contracts import DigitContracts
from engine_digit_contracts import EngineDigitContracts
from engine_inverted_contracts import EngineInvertedContracts
from engine_inversion_contracts import EngineInversionContracts, EngineStepContracts
from field_contracts import FieldContracts
from group_contracts import GroupContracts
from inversion_contracts import InversionContracts
from inverted_contracts import InvertedContracts
from lane_inversion_contracts import LaneInversionContracts
from level_contracts import LevelContracts
from machine_contracts import MachineContracts, compile_object
from point_contracts import PointContracts
from range_contracts import RangeContracts
from refusal_contracts import RefusalContracts
from report import Enough, Report
from round_contracts import RoundContracts
from scalar_code import compile_inverted, compile_scalar
from scalar_contracts import ScalarContracts
from step_contracts import StepContracts
from sum_bounds import SumBounds
from sum_contracts import JacobianContracts
from swift_code import compile_inversion, compile_swift
from swift_contracts import SwiftContracts
from table_contracts import TableContracts
from word_contracts import WordContracts


def seconds():
    """The processor's time so far, with that of programs that were run."""
    return sum(os.times()[:4])


class Proofs:
    """The parts, each with the text or the code that it is about."""

    def __init__(self, options, report, folder):
        self.options, self.report, self.folder = options, report, folder
        self.kernel = options.root / "Sources/Verdict/CP256Vector"
        self.engine = options.root / "Sources/Verdict/P256Verification"

    def each(self, classes, operands):
        """Proves the contracts of several classes, or of that one which is asked for. `operands` makes what they are about."""
        chosen = [contracts for contracts in classes if self.options.only in (None, contracts.__name__)]
        given = operands() if chosen else None
        for contracts in chosen:
            contracts(given, self.report).all()

    def text(self):
        """The vector kernel's text, on both sets of words."""
        classes = (FieldContracts, ComparisonContracts, JacobianContracts, AffineContracts, LevelContracts, ScalarContracts)
        self.recorded("functions", classes)

    def data(self):
        """The vector kernel's text where lanes or bits move."""
        self.recorded("data", (DataContracts, DigitContracts, LaneInversionContracts))

    def recorded(self, program, classes):
        """Contracts of what a program of trace/ records, on both sets of words."""
        for instructions in traces.SETS:
            self.report.prefix = f"{instructions} "
            self.each(classes, lambda: self.trace(program, instructions))

    def trace(self, program, instructions):
        return traces.record(self.options.clang, self.kernel, self.folder, program, instructions)

    def machine(self):
        """The machine code of the vector kernel's functions."""
        for instructions in traces.SETS:
            code = compile_object(self.options, self.kernel, self.folder, instructions)
            self.report.prefix = f"{instructions} "
            MachineContracts(code, self.report, instructions).all()

    def scalar(self):
        """The intermediate code of the scalar inversion, and the kernel's constants."""
        self.report.prefix = "C "
        module = compile_scalar(self.options.clang, self.kernel, self.folder)
        self.each((InversionContracts, StepContracts), lambda: module)
        self.each((InvertedContracts,), lambda: (module, compile_inverted(self.options.clang, self.kernel, self.folder)))

    def swift(self):
        """The Swift engine's intermediate code."""
        self.report.prefix = "Swift "
        self.each((SwiftContracts, PointContracts, WordContracts, RangeContracts, EngineDigitContracts),
                  lambda: compile_swift(self.options.swiftc, self.engine, self.folder))
        self.each((EngineStepContracts, EngineInversionContracts, EngineInvertedContracts),
                  lambda: compile_inversion(self.options.swiftc, self.engine, self.folder))

    def processor(self):
        """The meaning of each instruction, against this processor."""
        for instructions in traces.SETS:
            recorded = [self.trace(program, instructions) for program in ("functions", "data")]
            self.report.prefix = f"{instructions} "
            Cosimulation(self.report, instructions, self.folder).all(self.options.clang, self.kernel, recorded)

    def steps(self):
        """The number of division steps that the Swift engine makes, and that its inputs need."""
        module = compile_swift(self.options.swiftc, self.engine, self.folder)
        self.report.prefix = "Swift "
        RoundContracts(module, self.report).all()

    def group(self):
        """The group law, and the tables."""
        self.report.prefix = ""
        sources = {"kernel": self.kernel, "engine": self.engine}
        self.each((GroupContracts, TableContracts), lambda: (self.options, self.folder, sources))

    def refusals(self):
        """That the checker refuses what it does not know."""
        self.report.prefix = ""
        RefusalContracts(None, self.report).all()

    def comments(self):
        """The numbers in comments of the kernel and the engine, against what the other parts derived."""
        self.report.prefix = ""
        CommentContracts(self.report, (self.kernel, self.engine)).all()

    def bounds(self):
        """The bounds of the Swift engine's additions, by the contracts of its field."""
        self.report.prefix = "Swift "
        SumBounds(self.options, self.report, self.folder, self.engine).all()


PARTS = ("scalar", "data", "text", "machine", "swift", "bounds", "steps", "group", "processor", "refusals", "comments")


def run(proofs, parts):
    """Runs parts, up to the first refutation if that is enough."""
    for part in parts:
        before = seconds()
        try:
            getattr(proofs, part)()
        except Enough:
            return
        print(f"{part}: {getattr(Proofs, part).__doc__} {seconds() - before:.1f} s", flush=True)


def main():
    """Proves, prints the table of bounds and the refutations."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", default="clang")
    parser.add_argument("--swiftc", default="swiftc")
    parser.add_argument("--root", type=pathlib.Path, default=traces.HERE.parents[2])
    parser.add_argument("--objects", type=pathlib.Path, help="the kernel's objects of a release build; else they are made")
    parser.add_argument("--only", help="the contracts of this class alone")
    parser.add_argument("--quiet", action="store_true", help="no table")
    parser.add_argument("--keep", type=pathlib.Path, help="a file to keep what was derived in")
    parser.add_argument("--derived", type=pathlib.Path, help="such a file, for the comments: else all parts are run for them")
    parser.add_argument("--first", action="store_true", help="end at the first refutation")
    parser.add_argument("parts", nargs="*", default=PARTS)
    options = parser.parse_args()
    report, start = Report(options.first), seconds()
    if options.derived:
        report.load(options.derived)
    elif "comments" in options.parts:
        options.parts = PARTS
    with tempfile.TemporaryDirectory() as folder:
        run(Proofs(options, report, pathlib.Path(folder)), options.parts or PARTS)
    if options.keep:
        report.save(options.keep)
    finish(report, options, start)


def finish(report, options, start):
    """Prints the table, the refutations and the numbers of statements."""
    if not options.quiet:
        print(report.table())
    if report.ties and not options.quiet:
        print(report.table_of_comments())
    for text in report.skipped:
        print("skipped:", text)
    for refutation in report.refutations:
        print("REFUTED:", refutation)
    if report.ties:
        print(f"{len(report.bounds)} bounds in comments, with {len(report.ties)} comparisons; "
              f"{len(report.others)} other numbers")
    print(f"{len(report.merged())} bounds, {len(report.statements)} other statements, {len(report.refutations)} refuted; "
          f"{seconds() - start:.1f} s")
    sys.exit(1 if report.refutations else 0)


if __name__ == "__main__":
    main()
