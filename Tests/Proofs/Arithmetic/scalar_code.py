"""Compiles the scalar functions of inversion.h to intermediate code, and reads the kernel's constants."""
import subprocess

from ir import Module
from traces import HERE


def compile_scalar(compiler, sources, folder):
    """The module of scalar/functions.c; `constants` of it has the kernel's constants by name."""
    path, program = folder / "scalar.ll", folder / "constants"
    common = [compiler, "-std=gnu11", "-O2", "-w", f"-I{HERE / 'scalar'}", f"-I{sources}"]
    subprocess.run([*common, "-fno-vectorize", "-fno-slp-vectorize", "-S", "-emit-llvm",
                    str(HERE / "scalar" / "functions.c"), "-o", str(path)], check=True)
    subprocess.run([*common, str(HERE / "scalar" / "constants.c"), "-o", str(program)], check=True)
    module = Module(path.read_text())
    module.constants = {}
    for line in subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines():
        name, bits, *limbs = line.split()
        module.constants[name] = sum(int(limb) << int(bits) * i for i, limb in enumerate(limbs))
    return module
