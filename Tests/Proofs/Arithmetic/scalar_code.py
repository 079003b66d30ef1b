"""Compiles the scalar functions of inversion.h to intermediate code, and reads the kernel's constants."""
import subprocess

from ir import Module
from traces import HERE


def common(compiler, sources):
    """The beginning of a compiler's command."""
    return [compiler, "-std=gnu11", "-w", f"-I{HERE / 'scalar'}", f"-I{sources}"]


def module_of(compiler, sources, folder, name, *options):
    """The module of a file of scalar/."""
    path = folder / f"{name}.ll"
    subprocess.run([*common(compiler, sources), *options, "-fno-vectorize", "-fno-slp-vectorize", "-S", "-emit-llvm",
                    str(HERE / "scalar" / f"{name}.c"), "-o", str(path)], check=True)
    return Module(path.read_text())


def compile_inverted(compiler, sources, folder):
    """The module of scalar/inverted.c: functions that are called stay functions."""
    return module_of(compiler, sources, folder, "inverted", "-O1", "-fno-inline")


def compile_scalar(compiler, sources, folder):
    """The module of scalar/functions.c; `constants` of it has the kernel's constants by name, and `limbs` their limbs."""
    program = folder / "constants"
    module = module_of(compiler, sources, folder, "functions", "-O2")
    subprocess.run([*common(compiler, sources), str(HERE / "scalar" / "constants.c"), "-o", str(program)], check=True)
    module.constants, module.limbs = {}, {}
    for line in subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines():
        name, bits, *limbs = line.split()
        module.limbs[name] = [int(limb) for limb in limbs]
        module.constants[name] = sum(limb << int(bits) * i for i, limb in enumerate(module.limbs[name]))
    return module
