"""Compiles the Swift engine's files to intermediate code."""
import subprocess

from ir import Module
from traces import HERE

FILES = ("FieldElement", "Scalar", "Words256", "Inversion", "WindowRecoding", "Points")


def compile_swift(compiler, sources, folder):
    """The engine's arithmetic as one module, optimised as in a release. The compiler is asked not to make vectors of four
    words, because the instructions of a single word are what the proofs read."""
    path = folder / "arithmetic.ll"
    files = [str(sources / f"{name}.swift") for name in FILES] + [str(HERE / "swift" / "Functions.swift")]
    command = [compiler, "-O", "-wmo", "-parse-as-library", "-package-name", "arithmetic", "-module-name", "Arithmetic",
               "-Xllvm", "-vectorize-slp=false", "-emit-ir", *files, "-o", str(path)]
    subprocess.run(command, check=True)
    return Module(path.read_text())
