"""An archive of webhooks alone: two apps in two environments, with upgrades, refunds and spoilt signatures."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from recount import Payloads, app_of, decoded

# Every time zone in which the pages' queries must find the same numbers: before UTC, UTC, and after it.
ZONES = ("America/Los_Angeles", "UTC", "Pacific/Kiritimati")
POPULATION = "population 20 for 7mo churn=20% failures=10% recovery=50% refunds=10%\n"
# Events that a population does not have: upgrades, other currencies, quantities, products bought twice, refunds of a part
# or reversed, families.
LIVES = """
set storefront DEU
+0 anna: buy $consumable quantity=3
+1d anna: refund latest percent=35
+2d berta: buy $shareable
+3d berta: share latest with=carl
+40d berta: refund latest percent=12.5
+50d dora: buy $subscription
+60d dora: refund latest
+62d dora: reverse-refund latest
+70d emil: buy $non-consumable
+71d emil: refund latest reason=app-issue
+3d gerd: buy $with-higher intro=no
+13d gerd: buy $higher
+4d hans: buy $with-higher intro=no
+9d hans: buy $higher
+12d hans: refund latest
+5d irma: buy $with-higher intro=no
+7d irma: refund latest
+10d irma: buy $higher
+6d jens: buy $with-higher intro=no
+9d jens: buy $higher
+15d jens: refund previous
+6d kurt: buy $non-renewing
+20d kurt: buy $non-renewing
"""
# Seats that are added, taken back and assigned, an upgrade of added seats, and items of the Advanced Commerce API.
SEATS = """
set seats apple tiers=3:9.99,7.99
+0 anna: buy $subscription intro=no seats=5
+10d anna: add-seats 3
+12d anna: refund-seats 2
+0 berta: buy $with-higher intro=no seats=5
+10d berta: add-seats 3
+20d berta: buy $higher seats=8
+0 carl: buy-items $subscription light:10 water:5
+1p3d carl: refund latest
+0 dora: buy $subscription intro=no seats=4
+5d dora: assign latest with=emil
+1p5d dora: refund latest percent=50
+0 fritz: buy $subscription intro=no
+3d fritz: migrate
+3p berta: end
"""
# The same seed gives the same identifiers in each app and environment. Purchases are at either side of the month's end
# in UTC. One sandbox has its purchases with those of production, the other half a year after them.
APPS = (
    ("com.example.garden", "Production", "2025-10-31T20:00:00Z"),
    ("com.example.pond", "Production", "2025-11-01T03:00:00Z"),
    ("com.example.garden", "Sandbox", "2025-10-31T20:00:00Z"),
    ("com.example.pond", "Sandbox", "2026-05-01T03:00:00Z"),
)
SPOILT = 40


@dataclass(frozen=True)
class Archive:
    """Lines, each an object around a token; the roots to trust; and the payloads whose signature is good."""

    lines: list[str]
    roots: list[Path]
    payloads: Payloads

    @property
    def tokens(self) -> list[str]:
        return [json.loads(line)["signedPayload"] for line in self.lines]

    def write(self, path: Path) -> Path:
        path.write_text("".join(line + "\n" for line in self.lines))
        return path


def make(commands: Path, folder: Path) -> Archive:
    """Webhooks of each app's customers; one signature of forty is spoilt here, so that Python knows which."""
    lines, roots, payloads = [], [], Payloads()
    for number, (app, environment, start) in enumerate(APPS):
        scenario, root = folder / f"app-{number}.txt", folder / f"app-{number}.pem"
        scenario.write_text(POPULATION + LIVES)
        options = ["--scenario", scenario, "--seed", "5", "--bundle-id", app]
        options += ["--environment", environment, "--start", start, "--write-root", root, "--notifications-only"]
        arguments = [commands / "storekit-test", "run", *options, "--duplicates", "20", "--disorder", "20"]
        done = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=True)
        lines += done.stdout.splitlines()
        roots.append(root)
    for number, line in enumerate(lines):
        token = json.loads(line)["signedPayload"]
        if number % SPOILT == SPOILT - 1:
            # A bit in the middle of the signature.
            middle = len(token) - 40
            token = token[:middle] + ("A" if token[middle] != "A" else "B") + token[middle + 1 :]
            lines[number] = json.dumps({"signedPayload": token})
        else:
            payloads.add(decoded(token))
    must_tell_apart(payloads)
    return Archive(lines, roots, payloads)


def must_tell_apart(payloads: Payloads) -> None:
    """A query that forgets the app, the environment, upgrades or refunds must find other numbers in this archive."""
    apps, kinds = defaultdict(set), Counter()
    for transaction in payloads.last():
        apps[transaction["originalTransactionId"]].add(app_of(transaction))
    for line in payloads.lines("Production"):
        share = line.t.get("revocationPercentage", 100_000)
        kinds["upgrades"] += line.kind == "upgraded"
        kinds["refunds of the whole price"] += line.kind == "refund" and share == 100_000
        kinds["refunds of a part"] += line.kind == "refund" and share < 100_000
    kinds["identifiers that every app has"] = sum(len(found) == len(APPS) for found in apps.values())
    if lacking := [kind for kind, count in kinds.items() if count < 1]:
        sys.exit(f"FAILED: the archive has no {' and no '.join(lacking)}")


def command_for(commands: Path, archive: Archive, folder: Path) -> Path:
    """A folder for PATH whose storekit-verify trusts the archive's roots too, so that a page's line runs as written."""
    folder.mkdir()
    roots = " ".join(f"--root '{root}'" for root in archive.roots)
    place = folder / "storekit-verify"
    # Options follow the name of a subcommand.
    place.write_text(
        f"#!/bin/sh\ncase $1 in [a-z]*) name=$1; shift ;; *) name=verify ;; esac\n"
        f"exec '{commands / 'storekit-verify'}' $name {roots} \"$@\"\n"
    )
    place.chmod(0o755)
    return folder
