"""Compares the meaning of each instruction in meaning.py and moves.py with what this processor does."""
import subprocess

from contracts import Contracts
from integers import Integers
from machine_contracts import FITS, TARGETS
from meaning import CHOICES, SHIFTS, WORDS
from moves import MOVES, ORDERED_MOVES
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
    """Runs the programs of processor/."""

    def masks(self, compiler, folder, sources, instructions):
        """Masks of lanes, for every set of lanes, with the kernel's own words."""
        program = folder / f"masks-{instructions}"
        subprocess.run([compiler, "-std=gnu11", "-O1", "-w", f"-I{sources}", f'-DWORDS="words_{instructions}.h"',
                        f'-DTARGET="{TARGETS[instructions][0]}"', f"-DFITS={FITS[instructions]}",
                        str(HERE / "processor" / "masks.c"), "-o", str(program)], check=True)
        run = subprocess.run([str(program)], capture_output=True, text=True)
        if run.returncode != LACKING:
            tried, wrong = map(int, run.stdout.split() or (0, 1))
            self.report.holds("masks", f"the processor's are right for every set of lanes, {tried} in all", not wrong and tried)

    def compare(self, compiler, folder, instructions, recorded):
        """Compares all lines of one instruction set, and asks that all intrinsics that were recorded are among them."""
        program = folder / f"processor-{instructions}"
        subprocess.run([compiler, "-std=gnu11", "-O1", "-w", "-frounding-math", str(HERE / "processor" / f"{instructions}.c"),
                        "-o", str(program)], check=True)
        run = subprocess.run([str(program)], capture_output=True, text=True)
        if run.returncode == LACKING:
            print(f"skipped: this processor lacks {instructions}; its instructions were not compared with their meanings")
            return
        counts = {}
        for line in run.stdout.splitlines():
            head, *vectors = line.split(" | ")
            name, immediate = head.split()
            *operands, result = [[int(word, 16) for word in vector.split()] for vector in vectors]
            counts.setdefault(name, [0, 0])
            counts[name][0] += 1
            counts[name][1] += meaning_of(name, int(immediate), operands) != result
        for name, (lines, wrong) in counts.items():
            self.report.holds(name, f"the processor agrees in {lines} vectors", wrong == 0)
        used = {line[1] for traces in recorded for trace in traces.values() for line in trace.lines if line[0] != ">"}
        used = {name for name in used if name.startswith("_mm512_" if instructions == "avx512" else "_mm256_")}
        missing = used - set(counts) - WITHOUT_WORK - {"_mm256_movemask_pd"}
        self.report.holds("co-simulation", f"all {len(used)} intrinsics of the kernel are compared", not missing)
