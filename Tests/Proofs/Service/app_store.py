"""A served App Store, and the options of the commands that ask it."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

KEY, ISSUER = "TESTKEY123", "99b16628-15e4-4668-972b-eeff55eeff55"
BUNDLE = "com.example.garden"


@dataclass
class Store:
    """A served App Store, and how the command asks it."""

    address: str
    folder: Path
    environment: str

    def asking(self, **changed: str) -> list[str]:
        options = {
            "key": str(self.folder / "key.p8"), "key-id": KEY, "issuer-id": ISSUER, "bundle-id": BUNDLE,
            "environment": self.environment, "server": self.address, "root": str(self.folder / "root.pem"),
        } | {name.replace("_", "-"): value for name, value in changed.items()}
        return [part for name, value in options.items() for part in (f"--{name}", value)]


@contextlib.contextmanager
def app_store(work: Path, scenario: str, environment: str, *more: str) -> Iterator[Store]:
    """A store after a scenario, served by the command that is the second argument."""
    (work / "lives").write_text(scenario)
    process = subprocess.Popen(
        [sys.argv[2], "serve", "--port", "0", "--scenario", work / "lives", "--seed", "7", "--environment", environment,
         "--write-api-key", work / "key.p8", "--write-root", work / "root.pem", *more],
        stderr=subprocess.PIPE, text=True)
    assert process.stderr
    try:
        for line in process.stderr:
            if found := re.search(r"http://\S+$", line.strip()):
                yield Store(found[0], work, environment)
                break
        else:
            sys.exit("FAILED: the App Store is not served")
    finally:
        process.terminate()
        process.wait()
