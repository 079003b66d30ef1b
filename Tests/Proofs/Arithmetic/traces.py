"""Records the kernel and runs the records on a lane."""
import pathlib
import subprocess

from formulas import Formula
from lane import Lane
from meaning import CHOICES, SHIFTS, WORDS
from moves import MOVES, ORDERED_MOVES
from words import Refuted

HERE = pathlib.Path(__file__).resolve().parent
SETS = {"avx512": [], "avx2": ["-DMASKS_ARE_WORDS"]}


# Data that addresses are computed of. Addresses of programs have 47 bits (Intel, "Software Developer's Manual", 3.3.7.1).
ADDRESS_BITS = {"load512": 47, "load256": 47, "_mm512_cvtepu32_epi64": 32, "_mm256_cvtepu32_epi64": 32}
# What moves data between lanes or out of them: vector.py has its meaning.
DATA = {*MOVES, *ORDERED_MOVES, "constant", "_mm_cvtsi128_si64", "_mm256_movemask_pd"}


class Trace:
    """The lines of one function."""

    def __init__(self, name, instructions):
        self.name, self.instructions, self.lines = name, instructions, []


def record(compiler, sources, folder, program, instructions):
    """Compiles a program of trace/ with the kernel's sources and runs it: the traces by name."""
    binary = folder / f"{program}-{instructions}"
    command = [compiler, "-std=gnu11", "-O0", "-w", f"-I{HERE / 'trace'}", f"-I{sources}", f"-I{sources / 'include'}",
               f'-DWORDS="words_{instructions}.h"', *SETS[instructions], str(HERE / "trace" / f"{program}.c"), "-o",
               str(binary)]
    subprocess.run(command, check=True)
    text = subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout
    traces, current = {}, None
    for line in text.splitlines():
        if line.startswith("function "):
            current = traces[line.split()[1]] = Trace(line.split()[1], instructions)
        else:
            current.lines.append(line.split())
    return traces


class Run:
    """One case of a trace on a lane."""

    def __init__(self, trace, ranges, modulus, case=0):
        self.trace = trace
        self.lane = Lane(modulus, case, wraps=trace.instructions == "avx2")
        self.ranges, self.inputs, self.words = ranges, {}, {}
        self.outputs, self.notes, self.masks, self.operations = {}, [], {}, 0
        for line in trace.lines:
            if line[0] == ">":
                self.mark(*line[1:])
            else:
                self.operations += 1
                self.words[int(line[0])] = self.execute(line[1], line[2:])

    def mark(self, kind, name, *rest):
        """A line that is no operation."""
        if kind == "mask":
            self.masks[name] = Formula(int(rest[0], 16)) if self.trace.instructions == "avx512" else self.words[int(rest[0])]
            return
        limbs = [self.words[int(i)] for i in rest]
        if kind == "output":
            self.outputs[name] = limbs
        else:
            self.notes.append((name, limbs))

    def mask(self, table):
        """Whether a formula over the comparisons holds in this case."""
        return bool(int(table, 16) >> self.lane.case & 1)

    def input(self, name, limb):
        """A limb of an input number."""
        if name not in self.inputs:
            self.inputs[name] = self.lane.input(name, self.ranges[name])
        return self.inputs[name][limb]

    def execute(self, operation, operands):
        """The word that an operation gives."""
        lane = self.lane
        if operation in WORDS:
            function = WORDS[operation]
            count = function.__code__.co_argcount - 1
            return function(lane, *(self.words[int(i)] for i in operands[:count]))
        if operation in SHIFTS:
            return SHIFTS[operation](lane, self.words[int(operands[0])], int(operands[1]))
        if operation == "_mm512_mask_mov_epi64":
            a, b = (self.words[int(i)] for i in operands[1:])
            return CHOICES[operation](lane, self.mask(operands[0]), a, b)
        if operation == "_mm256_blendv_epi8":
            return CHOICES[operation](lane, *(self.words[int(i)] for i in operands))
        if operation == "splat":
            return lane.number(int(operands[0]))
        if operation == "splat_double":
            return lane.double(int(operands[0]))
        if operation == "input":
            return self.input(operands[0], int(operands[1]))
        if operation == "any_mask":
            return lane.word_of_mask(lane.any_mask(operands[0]))
        if operation in ADDRESS_BITS:
            return lane.unknown(ADDRESS_BITS[operation])
        if operation not in DATA and not operation.startswith(("load", "store")):
            raise Refuted(f"{self.trace.name}: no meaning for {operation}")
        return None  # No contract of a single lane is about it; a use of it fails.
