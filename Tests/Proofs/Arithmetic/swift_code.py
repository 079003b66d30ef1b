"""Compiles the Swift engine's files to intermediate code."""
import re
import subprocess

from ir import Module
from traces import HERE

FILES = ("FieldElement", "Scalar", "Words256", "Inversion", "WindowRecoding", "Points")
# Private functions of Inversion.swift that have contracts of their own.
SEPARATE = "steps|apply|applyModulo"


def with_separate_functions(text):
    """Inversion.swift with these functions compiled by themselves, and visible."""
    text = text.replace("private struct Matrix", "struct Matrix")
    return re.sub(rf"@inline\(__always\)\n    private ((?:static )?func (?:{SEPARATE})\()", r"@inline(never)\n    \1", text)


def compile_inversion(compiler, sources, folder):
    """The engine with the parts of its inversion as functions by themselves."""
    path = folder / "Inversion.swift"
    path.write_text(with_separate_functions((sources / "Inversion.swift").read_text()))
    return compiled(compiler, [*(sources / f"{name}.swift" for name in FILES if name != "Inversion"), path], folder)


def compile_swift(compiler, sources, folder):
    """The engine's arithmetic, and what swift/Functions.swift makes visible of it."""
    files = [*(sources / f"{name}.swift" for name in FILES), HERE / "swift" / "Functions.swift"]
    return compiled(compiler, files, folder)


def compiled(compiler, files, folder):
    """Files as one module, optimised as in a release. The compiler is asked not to make vectors of four words, because the
    instructions of a single word are what the proofs read."""
    path = folder / "arithmetic.ll"
    command = [compiler, "-O", "-wmo", "-parse-as-library", "-package-name", "arithmetic", "-module-name", "Arithmetic",
               "-Xllvm", "-vectorize-slp=false", "-emit-ir", *map(str, files), "-o", str(path)]
    subprocess.run(command, check=True)
    return Module(path.read_text())
