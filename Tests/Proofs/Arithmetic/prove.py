"""Runs all proofs and prints what was derived: see README.md."""
import argparse
import pathlib
import sys
import tempfile
import time

import traces
from affine_contracts import AffineContracts
from comparison_contracts import ComparisonContracts
from data_contracts import DataContracts
from digit_contracts import DigitContracts
from field_contracts import FieldContracts
from report import Report
from sum_contracts import JacobianContracts

ROOT = pathlib.Path(__file__).resolve().parents[3]


def prove_kernel(report, compiler, sources, folder):
    """The vector kernel's functions on both sets of words."""
    for instructions in traces.SETS:
        recorded = traces.record(compiler, sources, folder, "functions", instructions)
        report.prefix = f"{instructions} "
        for contracts in (FieldContracts, ComparisonContracts, JacobianContracts, AffineContracts):
            contracts(recorded, report).all()
        recorded = traces.record(compiler, sources, folder, "data", instructions)
        for contracts in (DataContracts, DigitContracts):
            contracts(recorded, report).all()


def main():
    """Proves, prints the table of bounds and the refutations."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", default="clang")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--quiet", action="store_true", help="no table")
    options = parser.parse_args()
    report, start = Report(), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        prove_kernel(report, options.clang, options.root / "Sources/Verdict/CP256Vector", pathlib.Path(folder))
    if not options.quiet:
        print(report.table())
    for refutation in report.refutations:
        print("REFUTED:", refutation)
    print(f"{len(report.rows)} bounds, {len(report.statements)} other statements, {len(report.refutations)} refuted; "
          f"{time.process_time() - start:.1f} s")
    sys.exit(1 if report.refutations else 0)


if __name__ == "__main__":
    main()
