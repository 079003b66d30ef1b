"""Shared by the checks of the pages: the samples on a page, tokens, the command, a PostgreSQL server."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
VECTORS = ROOT / "TestVectors"
TEST_ROOT = VECTORS / "pki/root.pem"
PAGES = ROOT / "Bindings/Engines"
LONGEST_TOKEN = 100_000


def arguments() -> tuple[Path, Path]:
    """The command, and a folder for the check."""
    command, folder = sys.argv[1:]
    return Path(command).resolve(), Path(folder).resolve()


def expect(holds: bool, what: str) -> None:
    if not holds:
        sys.exit(f"FAILED: {what}")


def samples(page: str, folder: Path, names: set[str]) -> None:
    """Writes the page's samples into a folder. The first line of each is a comment with its name."""
    found = set()
    for text in re.findall(r"^```\w+\n(.*?)^```$", (PAGES / f"{page}.md").read_text(), re.DOTALL | re.MULTILINE):
        first = re.match(r"(?:#|--) (\w+\.\w+)\n", text)
        expect(first is not None, f"{page} has a sample without a name")
        assert first
        (folder / first[1]).write_text(text)
        found.add(first[1])
    expect(found == names, f"the samples of {page} are {sorted(found)}")


def sql_of(page: str, language: str = "sql") -> list[str]:
    """The samples in SQL of a page, in their order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (PAGES / f"{page}.md").read_text(), re.DOTALL | re.MULTILINE)


def tables_of_analysts() -> dict[str, str]:
    """The statements that make the tables of charges and periods, which all engines share."""
    texts = [text.split("COPY")[0] for text in sql_of("ForAnalysts")]
    return {
        name: next(text for text in texts if text.startswith(f"CREATE TABLE {name} (")) for name in ("charges", "periods")
    }


def shell_of(page: str) -> list[str]:
    """The samples of a page for the shell, in their order."""
    return sql_of(page, "sh")


@dataclass(frozen=True)
class Corpus:
    """Lines to verify, and the roots to trust: none means Apple's."""

    name: str
    tokens: list[str]
    roots: list[Path]

    @property
    def options(self) -> list[str]:
        return [text for root in self.roots for text in ("--root", str(root))]

    def write(self, path: Path, tokens: list[str] | None = None) -> Path:
        path.write_text("".join(token + "\n" for token in self.tokens if tokens is None or token in tokens))
        return path


def corpora() -> list[Corpus]:
    """The test vectors, good and bad; and genuine payloads, if there are any."""
    files = sorted(VECTORS.glob("valid/*.jws")) + sorted(VECTORS.glob("invalid/*.jws"))
    found = [Corpus("vectors", list(tokens_of(files)), [TEST_ROOT])]
    if folder := genuine():
        found.append(Corpus("genuine", list(tokens_of(sorted(folder.glob("jws/*.jws")))), []))
    return found


def genuine() -> Path | None:
    """The folder of payloads that Apple signed, if PRIVATE_TEST_DATA names a folder that has it."""
    folder = Path(os.environ.get("PRIVATE_TEST_DATA", "/nowhere")) / "genuine"
    return folder if folder.is_dir() else None


def tokens_of(files: list[Path]) -> Iterator[str]:
    for file in files:
        for line in file.read_bytes().split(b"\n"):
            line = line.removesuffix(b"\r")
            # Engines read text, and each has its own opinion of other bytes and of other ends of lines.
            if line and len(line) <= LONGEST_TOKEN and line.isascii() and b"\r" not in line and line.strip() == line:
                yield line.decode()


def verify(command: Path, corpus: Corpus, *options: str) -> list[str]:
    """The command's lines for a corpus."""
    text = "".join(token + "\n" for token in corpus.tokens).encode()
    done = subprocess.run([command, *corpus.options, *options], input=text, stdout=subprocess.PIPE)
    expect(done.returncode in (0, 1), f"the command ended with {done.returncode}")
    return done.stdout.decode().splitlines()


def verdicts(command: Path, corpus: Corpus) -> list[dict[str, Any]]:
    return [json.loads(line) for line in verify(command, corpus)]


def spread(tokens: list[str]) -> list[list[str]]:
    """The tokens in four parts, in their order."""
    size = -(-len(tokens) // 4)
    return [tokens[start : start + size] for start in range(0, len(tokens), size)]


@contextlib.contextmanager
def postgresql(folder: Path) -> Iterator[dict[str, str]]:
    """A server of its own, without TCP; gives the environment for its clients."""
    tools = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    home = tools[-1] if tools else Path(shutil.which("initdb") or sys.exit("FAILED: no PostgreSQL")).parent
    # The server refuses to run as root, and other users cannot look into root's temporary folder.
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    made = subprocess.run([*user, "mktemp", "-d", "/tmp/engines.XXXXXX"], capture_output=True, text=True, check=True)
    server = made.stdout.strip()
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "check": True, "cwd": "/"}
    try:
        subprocess.run([*user, home / "initdb", "-D", f"{server}/data", "-A", "trust", "-U", "postgres"], **quiet)
        options = f"-k {server} -c listen_addresses= -c fsync=off"
        control = [*user, home / "pg_ctl", "-D", f"{server}/data", "-w"]
        subprocess.run([*control, "-o", options, "-l", f"{server}/log", "start"], **quiet)
        try:
            yield {**os.environ, "PGHOST": server, "PGUSER": "postgres", "PGOPTIONS": "-c client_min_messages=warning"}
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], **quiet)
    finally:
        shutil.rmtree(server, ignore_errors=True)
