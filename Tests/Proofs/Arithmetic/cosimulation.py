"""Compares the meaning of each instruction in meaning.py and moves.py with what this processor does."""
import os
import subprocess

from contracts import Contracts
from integers import Integers
from machine_contracts import TARGETS
from meaning import CHOICES, SHIFTS, WORDS
from moves import MOVES, ORDERED_MOVES
from report import Report
from traces import HERE

LACKING = 77
# Reading bits as doubles or back moves nothing. Loads, stores and splats are the recorder's own.
WITHOUT_WORK = {"_mm256_castsi256_pd", "_mm256_castpd_si256"}


def meaning_of(name, immediate, vectors):
    """What a line's result should be, or None if there is no meaning for its name."""
    d = Integers()
    if name == "mask_negation":  # words_negate is recorded as a difference and a choice.
        mask, kept, subtracted = vectors
        return [d.choose(m, k, d.subtract(0, s)) for m, k, s in zip(mask, kept, subtracted)]
    if name in ("_mm256_fmadd_pd", "_mm256_sub_pd"):
        return [d.bits_of_double(WORDS[name](d, *(d.double_of_bits(word) for word in row))) for row in zip(*vectors)]
    if name in WORDS:
        return [int(WORDS[name](d, *row)) for row in zip(*vectors)]
    if name in SHIFTS:
        return [SHIFTS[name](d, word, immediate) for word in vectors[0]]
    if name in CHOICES:
        return [CHOICES[name](d, *row) for row in zip(*vectors)]
    if name in MOVES:
        return MOVES[name](d, *vectors)
    return ORDERED_MOVES[name](d, *vectors, immediate) if name in ORDERED_MOVES else None


class Cosimulation(Contracts):
    """Runs the programs of processor/, for one set of instructions."""

    def __init__(self, report, instructions, folder):
        super().__init__(None, report)
        self.instructions, self.folder, self.lacking = instructions, folder, os.environ.get("LACKING", "")

    def all(self, compiler, sources, recorded):
        """Every comparison, and that a processor without the instructions is named."""
        self.compile(compiler, sources)
        self.compare(recorded)
        self.masks()
        self.without(recorded)

    def compile(self, compiler, sources):
        """The two programs."""
        common = [compiler, "-std=gnu11", "-O1", "-w"]
        subprocess.run([*common, "-frounding-math", str(HERE / "processor" / f"{self.instructions}.c"), "-o",
                        str(self.folder / self.instructions)], check=True)
        subprocess.run([*common, f"-I{sources}", f'-DWORDS="words_{self.instructions}.h"',
                        f'-DTARGET="{TARGETS[self.instructions][0]}"', f'-DINSTRUCTIONS="{self.instructions}"',
                        str(HERE / "processor" / "masks.c"), "-o", str(self.folder / f"masks-{self.instructions}")], check=True)

    def lines(self, program, what):
        """What a program prints; None, and a note, if the processor lacks its instructions."""
        run = subprocess.run([str(self.folder / program)], capture_output=True, text=True,
                             env=os.environ | {"LACKING": self.lacking})
        if run.returncode == LACKING:
            self.report.skipped.append(f"{what}: this processor lacks {self.instructions}")
            return None
        return run.stdout.splitlines()

    def without(self, recorded):
        """The same on a processor that is said to lack the instructions: nothing is compared, and that is noted."""
        other = Report()
        twin = Cosimulation(other, self.instructions, self.folder)
        twin.lacking = self.instructions
        twin.compare(recorded)
        twin.masks()
        self.report.holds("co-simulation", f"a processor without {self.instructions} compares nothing, and is named",
                          len(other.skipped) == 2 and not other.statements and not other.refutations)

    def masks(self):
        """Masks of lanes, for every set of lanes, with the kernel's own words."""
        lines = self.lines(f"masks-{self.instructions}", "masks of lanes")
        if lines is not None:
            tried, wrong = map(int, " ".join(lines).split() or (0, 1))
            self.report.holds("masks", f"the processor's are right for every set of lanes, {tried} in all", not wrong and tried)

    def compare(self, recorded):
        """Compares all lines, and asks that all intrinsics that were recorded are among them."""
        lines = self.lines(self.instructions, "instructions and their meanings")
        if lines is None:
            return
        counts = {}
        for line in lines:
            head, *vectors = line.split(" | ")
            name, immediate = head.split()
            *operands, result = [[int(word, 16) for word in vector.split()] for vector in vectors]
            counts.setdefault(name, [0, 0])
            counts[name][0] += 1
            counts[name][1] += meaning_of(name, int(immediate), operands) != result
        for name, (compared, wrong) in counts.items():
            self.report.holds(name, f"the processor agrees in {compared} vectors", wrong == 0)
        used = {line[1] for traces in recorded for trace in traces.values() for line in trace.lines if line[0] != ">"}
        used = {name for name in used if name.startswith("_mm512_" if self.instructions == "avx512" else "_mm256_")}
        missing = used - set(counts) - WITHOUT_WORK - {"_mm256_movemask_pd"}
        self.report.holds("co-simulation", f"all {len(used)} intrinsics of the kernel are compared", not missing)
