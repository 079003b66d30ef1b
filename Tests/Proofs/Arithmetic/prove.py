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
from cosimulation import Cosimulation
from data_contracts import DataContracts
from digit_contracts import DigitContracts
from engine_digit_contracts import EngineDigitContracts
from engine_inversion_contracts import EngineInversionContracts, EngineStepContracts
from field_contracts import FieldContracts
from group_contracts import GroupContracts
from inversion_contracts import InversionContracts
from lane_inversion_contracts import LaneInversionContracts
from machine_contracts import MachineContracts, compile_object
from point_contracts import PointContracts
from report import Enough, Report
from round_contracts import RoundContracts
from scalar_code import compile_scalar
from scalar_contracts import ScalarContracts
from step_contracts import StepContracts
from sum_bounds import SumBounds
from sum_contracts import JacobianContracts
from swift_code import compile_inversion, compile_swift
from swift_contracts import SwiftContracts
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

    def text(self):
        """The vector kernel's text, on both sets of words."""
        for instructions in traces.SETS:
            recorded = traces.record(self.options.clang, self.kernel, self.folder, "functions", instructions)
            self.report.prefix = f"{instructions} "
            for contracts in (FieldContracts, ComparisonContracts, JacobianContracts, AffineContracts, ScalarContracts):
                contracts(recorded, self.report).all()

    def data(self):
        """The vector kernel's text where lanes or bits move."""
        for instructions in traces.SETS:
            recorded = traces.record(self.options.clang, self.kernel, self.folder, "data", instructions)
            self.report.prefix = f"{instructions} "
            for contracts in (DataContracts, DigitContracts, LaneInversionContracts):
                contracts(recorded, self.report).all()

    def machine(self):
        """The machine code of the vector kernel's functions."""
        for instructions in traces.SETS:
            code = compile_object(self.options, self.kernel, self.folder, instructions)
            self.report.prefix = f"{instructions} "
            MachineContracts(code, self.report, instructions).all()

    def scalar(self):
        """The intermediate code of the scalar inversion, and the kernel's constants."""
        module = compile_scalar(self.options.clang, self.kernel, self.folder)
        self.report.prefix = "C "
        for contracts in (InversionContracts, StepContracts):
            contracts(module, self.report).all()

    def swift(self):
        """The Swift engine's intermediate code."""
        module = compile_swift(self.options.swiftc, self.engine, self.folder)
        self.report.prefix = "Swift "
        for contracts in (SwiftContracts, PointContracts, WordContracts, EngineDigitContracts):
            contracts(module, self.report).all()
        module = compile_inversion(self.options.swiftc, self.engine, self.folder)
        for contracts in (EngineStepContracts, EngineInversionContracts):
            contracts(module, self.report).all()

    def processor(self):
        """The meaning of each instruction, against this processor."""
        for instructions in traces.SETS:
            recorded = [traces.record(self.options.clang, self.kernel, self.folder, program, instructions)
                        for program in ("functions", "data")]
            self.report.prefix = f"{instructions} "
            cosimulation = Cosimulation(None, self.report)
            cosimulation.compare(self.options.clang, self.folder, instructions, recorded)
            cosimulation.masks(self.options.clang, self.folder, self.kernel, instructions)

    def steps(self):
        """The number of division steps that the Swift engine makes, and that its inputs need."""
        module = compile_swift(self.options.swiftc, self.engine, self.folder)
        self.report.prefix = "Swift "
        RoundContracts(module, self.report).all()

    def group(self):
        """The group law."""
        self.report.prefix = ""
        sources = {"kernel": self.kernel, "engine": self.engine}
        GroupContracts(self.options, self.report, self.folder, sources).all()

    def bounds(self):
        """The bounds of the Swift engine's additions, by the contracts of its field."""
        self.report.prefix = "Swift "
        SumBounds(self.options, self.report, self.folder, self.engine).all()


PARTS = ("scalar", "data", "text", "machine", "swift", "bounds", "steps", "group", "processor")


def main():
    """Proves, prints the table of bounds and the refutations."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", default="clang")
    parser.add_argument("--swiftc", default="swiftc")
    parser.add_argument("--root", type=pathlib.Path, default=traces.HERE.parents[2])
    parser.add_argument("--objects", type=pathlib.Path, help="the kernel's objects of a release build; else they are made")
    parser.add_argument("--quiet", action="store_true", help="no table")
    parser.add_argument("--first", action="store_true", help="end at the first refutation")
    parser.add_argument("parts", nargs="*", default=PARTS)
    options = parser.parse_args()
    report, start = Report(options.first), seconds()
    with tempfile.TemporaryDirectory() as folder:
        proofs = Proofs(options, report, pathlib.Path(folder))
        try:
            for part in options.parts or PARTS:
                before = seconds()
                getattr(proofs, part)()
                print(f"{part}: {getattr(Proofs, part).__doc__} {seconds() - before:.1f} s", flush=True)
        except Enough:
            pass
    finish(report, options, start)


def finish(report, options, start):
    """Prints the table, the refutations and the numbers of statements."""
    if not options.quiet:
        print(report.table())
    for refutation in report.refutations:
        print("REFUTED:", refutation)
    print(f"{len(report.merged())} bounds, {len(report.statements)} other statements, {len(report.refutations)} refuted; "
          f"{seconds() - start:.1f} s")
    sys.exit(1 if report.refutations else 0)


if __name__ == "__main__":
    main()
