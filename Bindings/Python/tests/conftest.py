"""What all tests share: test vectors and genuine payloads as lines, and the command as the judge of verdicts."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from storekit_verify import Verifier

REPOSITORY = Path(__file__).parents[3]
VECTORS = REPOSITORY / "TestVectors"
ROOTS = [VECTORS / "pki" / name for name in ("root.pem", "p256-root.pem", "receipt-root.pem")]


def lines_of(path: Path) -> list[bytes]:
    """The lines of a file that are not empty, without their ends, as the command splits them. Those with two returns are
    left out: a token with one is another input to the command."""
    lines = [line.removesuffix(b"\r") for line in path.read_bytes().split(b"\n")]
    return [line for line in lines if line and not line.endswith(b"\r")]


def vector_lines() -> list[bytes]:
    files = sorted(VECTORS.glob("*valid/*.jws")) + sorted(VECTORS.glob("*valid/*.b64"))
    return [line for file in files for line in lines_of(file)]


def genuine_lines() -> list[bytes]:
    folder = Path(os.environ.get("PRIVATE_TEST_DATA", "/nowhere"), "genuine", "jws")
    return [line for file in sorted(folder.glob("*.jws")) for line in lines_of(file)]


CORPORA = {"vectors": vector_lines(), "genuine": genuine_lines()}


@pytest.fixture(params=CORPORA)
def corpus(request: pytest.FixtureRequest) -> tuple[list[bytes], list[Path]]:
    """Lines, and the roots under which they are judged."""
    lines = CORPORA[request.param]
    if not lines:
        pytest.skip("PRIVATE_TEST_DATA names no folder with Apple's payloads")
    return lines, ROOTS if request.param == "vectors" else []


@pytest.fixture(scope="session")
def verifier() -> Verifier:
    return Verifier(roots=[root.read_bytes() for root in ROOTS])


@pytest.fixture(scope="session")
def tokens() -> list[str]:
    """Verified tokens of all kinds."""
    return [line.decode() for name in ("transactions", "notifications") for line in lines_of(VECTORS / f"valid/{name}.jws")]


def command(lines: list[bytes], roots: list[Path], *options: str) -> bytes:
    """What the command writes about lines."""
    path = os.environ.get("STOREKIT_VERIFY_COMMAND")
    if path is None:
        pytest.skip("STOREKIT_VERIFY_COMMAND names no command")
    arguments = [path, *(option for root in roots for option in ("--root", str(root))), *options]
    finished = subprocess.run(arguments, input=b"\n".join(lines), capture_output=True, check=False)
    assert finished.returncode in (0, 1), finished.stderr
    return finished.stdout
