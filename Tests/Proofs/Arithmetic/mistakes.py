"""Plants each mistake of mistakes/ in a copy of the sources: the proofs must refute it. Then random tests run on the same copy,
and their results are compared with those of the right sources: do they tell the two apart?

A patch changes one line. Its head says what is wrong then, which part of the proofs must refute it, and whether random
inputs find it; both are checked. Exit status: 0 if all is as the heads say, 1 if not.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from prove import PARTS
from random_tests import RandomTests
from traces import HERE

KERNEL, ENGINE = "Sources/Verdict/CP256Vector", "Sources/Verdict/P256Verification"
PROOFS = "Tests/Proofs/Arithmetic"
HEAD = re.compile(r"(.*)\nProof: (\w+)(?: (\w+))?\nRandom inputs: (.*)\n")
NOT_TRIED = "not tried"
DERIVING = [part for part in PARTS if part != "comments"]


class Mistake:
    """A patch and what its head says."""

    def __init__(self, path):
        self.path, self.name = path, path.stem
        head, self.lines = path.read_text().split("--- a/", 1)
        self.text, self.part, self.contracts, self.expected = HEAD.fullmatch(head).groups()

    def is_one_line(self):
        """Whether one line is changed in each file."""
        for part in self.lines.split("--- a/"):
            changed = [line[0] for line in part.splitlines()[2:] if line[:1] in ("-", "+")]
            if changed != ["-", "+"]:
                return False
        return True

    def program(self):
        """The random tests that execute the changed line: the Swift engine's, or the kernel's with a set of words. None of
        them executes a comment or the proofs."""
        if self.part == "comments" or PROOFS in self.lines:
            return None
        if ENGINE in self.lines:
            return "swift"
        return "avx512" if "words_avx512.h" in self.lines else "avx2"

    def plant(self, root, copy):
        """Makes a copy of the arithmetic's sources and of the proofs, with the mistake."""
        for folder in (KERNEL, ENGINE, PROOFS):
            shutil.copytree(root / folder, copy / folder)
        subprocess.run(["git", "apply", "--whitespace=nowarn", str(self.path)], cwd=copy, check=True)


def prove(options, proofs, *rest):
    """Runs the proofs of a folder; gives the lines of output."""
    command = [sys.executable, "-B", str(proofs / "prove.py"), "--clang", options.clang, "--swiftc", options.swiftc, "--quiet"]
    return subprocess.run([*command, *rest], capture_output=True, text=True).stdout.splitlines()


def refutation(options, mistake, copy):
    """The first statement that does not hold for the copy, None if all do, or that the processor cannot try them."""
    rest = ["--root", str(copy), "--first", mistake.part]
    if mistake.contracts:
        rest = ["--only", mistake.contracts, *rest]
    if mistake.part == "comments":
        rest = ["--derived", str(derived(options)), *rest]
    lines = prove(options, copy / PROOFS, *rest)
    refuted = [line.removeprefix("REFUTED: ") for line in lines if line.startswith("REFUTED: ")]
    skipped = any(line.startswith("skipped: ") for line in lines)
    return refuted[0] if refuted else NOT_TRIED if skipped else None


def derived(options):
    """What the proofs derive of the right sources, for those of the comments."""
    if not options.derived:
        options.derived = options.folder / "derived"
        prove(options, HERE, "--root", str(options.root), "--keep", str(options.derived), *DERIVING)
    return options.derived


def examine(options, mistake, tests):
    """Whether the mistake is what its head says; prints it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        mistake.plant(options.root, copy)
        reason = refutation(options, mistake, copy)
        outcome = tests.outcome(mistake.program(), copy) if mistake.program() else "none"
    print(f"{mistake.name}: {mistake.text}")
    verb = "NOT REFUTED" if reason is None else NOT_TRIED if reason == NOT_TRIED else "refuted"
    print(f"    {verb} by {mistake.part}: {reason if verb == 'refuted' else 'see its head'}")
    print(f"    random inputs: {outcome}", flush=True)
    is_as_said = bool(reason) and mistake.is_one_line() and outcome in (mistake.expected, NOT_TRIED)
    if not is_as_said:
        print(f"FAILED: {mistake.name} is not what its head says")
    return is_as_said, outcome, reason


def main():
    """Examines all mistakes, or those with the given numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", default="clang")
    parser.add_argument("--swiftc", default="swiftc")
    parser.add_argument("--root", type=pathlib.Path, default=HERE.parents[2])
    parser.add_argument("--derived", type=pathlib.Path, help="what the proofs derived: prove.py --keep")
    parser.add_argument("numbers", nargs="*")
    options = parser.parse_args()
    paths = sorted((HERE / "mistakes").glob("*.patch"))
    mistakes = [Mistake(path) for path in paths if not options.numbers or path.name[:2] in options.numbers]
    with tempfile.TemporaryDirectory() as folder:
        options.folder = pathlib.Path(folder)
        tests = RandomTests(options, options.folder)
        results = [examine(options, mistake, tests) for mistake in mistakes]
    passed = sum(outcome == "let pass" for _, outcome, _ in results)
    skipped = sum(NOT_TRIED in (outcome, reason) for _, outcome, reason in results)
    print(f"{len(results)} planted mistakes, {sum(held for held, _, _ in results)} as their heads say, {skipped} not tried on "
          f"this processor; random inputs would have let {passed} of them pass")
    sys.exit(0 if results and all(held for held, _, _ in results) else 1)


if __name__ == "__main__":
    main()
