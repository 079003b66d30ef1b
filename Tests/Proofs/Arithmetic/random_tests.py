"""Runs the programs of random_inputs/: their checksums of two texts are the same if a million random inputs of each function do
not tell these apart."""
import subprocess

from machine_contracts import TARGETS
from traces import HERE

LACKING = 77
ENGINE_FILES = ("FieldElement", "Scalar", "Words256", "Inversion", "WindowRecoding", "Points", "AffineSums")


class RandomTests:
    """The compilers, a folder for programs, and the results of the right sources."""

    def __init__(self, options, folder):
        self.options, self.folder, self.right = options, folder, {}

    def outcome(self, program, copy):
        """Whether random inputs tell the copy from the right sources: "found", "let pass" or "not tried"."""
        right = self.of_right(program)
        if right is None:
            return "not tried"
        return "let pass" if right == self.checksums(program, copy) else "found"

    def of_right(self, program):
        """The checksums of the right sources."""
        if program not in self.right:
            self.right[program] = self.checksums(program, self.options.root)
        return self.right[program]

    def checksums(self, program, root):
        """What a program prints, or None where the processor lacks its instructions. A program that ends early differs."""
        binary = self.folder / program
        command = self.swift(root) if program == "swift" else self.kernel(program, root)
        subprocess.run([*command, "-o", str(binary)], check=True)
        run = subprocess.run([str(binary)], capture_output=True, text=True)
        return None if run.returncode == LACKING else f"{run.returncode}\n{run.stdout}"

    def kernel(self, instructions, root):
        """How the kernel's program is compiled."""
        sources = root / "Sources/Verdict/CP256Vector"
        return [self.options.clang, "-std=gnu11", "-O2", "-w", f"-I{sources}", f"-I{sources / 'include'}",
                f'-DWORDS="words_{instructions}.h"', f'-DTARGET="{TARGETS[instructions][0]}"',
                f'-DINSTRUCTIONS="{instructions}"', str(HERE / "random_inputs/kernel.c")]

    def swift(self, root):
        """How the Swift engine's program is compiled: for size, which takes half the time and runs as fast."""
        sources = root / "Sources/Verdict/P256Verification"
        files = [sources / f"{name}.swift" for name in ENGINE_FILES] + [HERE / "random_inputs/main.swift"]
        return [self.options.swiftc, "-Osize", "-wmo", "-package-name", "random", "-module-name", "Random", *map(str, files)]
