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

from random_tests import RandomTests
from traces import HERE

KERNEL, ENGINE = "Sources/Verdict/CP256Vector", "Sources/Verdict/P256Verification"


class Mistake:
    """A patch and what its head says."""

    def __init__(self, path):
        self.path, self.name = path, path.stem
        head, self.lines = path.read_text().split("--- a/", 1)
        self.text, self.part, self.expected = re.fullmatch(r"(.*)\nProof: (\w+)\nRandom inputs: (.*)\n", head).groups()

    def is_one_line(self):
        """Whether one line is changed."""
        changed = [line[0] for line in self.lines.splitlines()[2:] if line[:1] in ("-", "+")]
        return changed == ["-", "+"]

    def program(self):
        """The random tests that execute the changed line: the Swift engine's, or the kernel's with a set of words."""
        if ENGINE in self.lines:
            return "swift"
        return "avx512" if "words_avx512.h" in self.lines else "avx2"

    def plant(self, root, copy):
        """Makes a copy of the arithmetic's sources with the mistake."""
        for folder in (KERNEL, ENGINE):
            shutil.copytree(root / folder, copy / folder)
        subprocess.run(["git", "apply", "--whitespace=nowarn", str(self.path)], cwd=copy, check=True)


def refutation(options, part, copy):
    """The first statement that does not hold for the copy, or None."""
    command = [sys.executable, "-B", str(HERE / "prove.py"), "--clang", options.clang, "--swiftc", options.swiftc, "--root",
               str(copy), "--quiet", "--first", part]
    run = subprocess.run(command, capture_output=True, text=True)
    return next((line.removeprefix("REFUTED: ") for line in run.stdout.splitlines() if line.startswith("REFUTED: ")), None)


def examine(options, mistake, tests):
    """Whether the mistake is what its head says; prints it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        mistake.plant(options.root, copy)
        reason = refutation(options, mistake.part, copy)
        outcome = tests.outcome(mistake.program(), copy)
    print(f"{mistake.name}: {mistake.text}")
    print(f"    {'refuted by ' + mistake.part if reason else 'NOT REFUTED by ' + mistake.part}: {reason or ''}")
    print(f"    random inputs: {outcome}", flush=True)
    is_as_said = bool(reason) and mistake.is_one_line() and outcome in (mistake.expected, "not tried")
    if not is_as_said:
        print(f"FAILED: {mistake.name} is not what its head says")
    return is_as_said, outcome


def main():
    """Examines all mistakes, or those with the given numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", default="clang")
    parser.add_argument("--swiftc", default="swiftc")
    parser.add_argument("--root", type=pathlib.Path, default=HERE.parents[2])
    parser.add_argument("numbers", nargs="*")
    options = parser.parse_args()
    paths = sorted((HERE / "mistakes").glob("*.patch"))
    mistakes = [Mistake(path) for path in paths if not options.numbers or path.name[:2] in options.numbers]
    with tempfile.TemporaryDirectory() as folder:
        tests = RandomTests(options, pathlib.Path(folder))
        results = [examine(options, mistake, tests) for mistake in mistakes]
    passed = sum(outcome == "let pass" for _, outcome in results)
    print(f"{len(results)} planted mistakes, {sum(held for held, _ in results)} refuted as expected; random inputs would have "
          f"let {passed} of them pass")
    sys.exit(0 if results and all(held for held, _ in results) else 1)


if __name__ == "__main__":
    main()
