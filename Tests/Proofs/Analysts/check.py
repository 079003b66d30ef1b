"""Run the page's samples, and compare their results with Python's counts in the payloads.

The exit status is 1 if they differ.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests/Proofs/Engines"))

import archive  # noqa: E402
import recount  # noqa: E402
from recount import Payloads, difference, month  # noqa: E402

PAGE = ROOT / "Bindings/Engines/ForAnalysts.md"
VECTORS = ROOT / "TestVectors"
# More lines than DuckDB reads before it settles on types.
LINES_BEFORE = 30_000
POPULATION = "population 120 for 11mo churn=10% failures=8% recovery=60% refunds=6%\n"
SAMPLES = {"load_postgresql.sh", "load_pandas.py", "load_polars.py"}
Rows = list[tuple[Any, ...]]


# --- The page's samples -------------------------------------------------------------------------


def blocks(language: str) -> list[str]:
    """The page's samples in a language, in their order."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def columns() -> list[str]:
    """The columns that the page's tables list."""
    return re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE)


# --- The results of the page's samples ----------------------------------------------------------


@dataclass
class Check:
    """The page's samples on the lines of files, which have the payloads."""

    name: str
    commands: Path
    roots: list[Path]
    files: list[Path]
    environment: str = "Production"

    def payloads(self) -> Payloads:
        """The payloads that the command verifies, as they were signed."""
        found = Payloads()
        for line in self.run("payload").split(b"\n")[:-1]:
            found.add(json.loads(line))
        return found

    def run(self, *how: str) -> bytes:
        options = [text for root in self.roots for text in ("--root", str(root))]
        command = [self.commands / "storekit-verify", *options, "--no-progress", "--output", *how, *self.files]
        result = subprocess.run(command, capture_output=True, check=False)
        if result.returncode not in (0, 1):
            sys.exit(f"{command[0]} ended with {result.returncode}: {result.stderr.decode()}")
        return result.stdout

    def write_rows(self, folder: Path) -> None:
        """Writes rows.csv and rows.ndjson in the present folder, by the page's own line if there is one archive."""
        if len(self.files) == 1:
            (folder / "archive.ndjson").symlink_to(self.files[0])
            self.files = [Path("archive.ndjson")]
        (folder / "rows.ndjson").write_bytes(self.run("rows"))
        if len(self.files) > 1:
            (folder / "rows.csv").write_bytes(self.run("rows", "--format", "csv"))
            return
        found = archive.Archive([], self.roots, Payloads())
        path = f"{archive.command_for(self.commands, found, folder / 'bin')}:{os.environ['PATH']}"
        done = subprocess.run(["sh", "-c", blocks("sh")[0]], cwd=folder, env={**os.environ, "PATH": path}, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"the page's line ended with {done.returncode}")

    def check(self, payloads: Payloads, least: dict[str, int], failures: list[str]) -> None:
        """Run all samples.

        `least` has the fewest rows that each query must give, so that none of them is compared on nothing.
        """
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            os.chdir(folder)
            self.write_rows(folder)
            check_forms(self.name, (folder / "rows.csv").read_bytes(), (folder / "rows.ndjson").read_bytes(), failures)
            for zone in archive.ZONES:
                self.check_queries(zone, payloads, least, failures)
            self.check_readers(payloads, failures)
            os.chdir(here)

    def check_queries(self, zone: str, payloads: Payloads, least: dict[str, int], failures: list[str]) -> None:
        """The page's SQL in a session of a time zone."""
        sql, where = blocks("sql"), f"{self.name} in {zone}"
        database = duckdb.connect()
        database.execute(f"SET TimeZone = '{zone}'")
        database.execute(sql[0])
        lines = len(Path("rows.ndjson").read_bytes().splitlines())
        compare(f"{where}: lines", database.execute("SELECT count(*) FROM payloads").fetchall(), [(lines,)], failures)
        if zone == "UTC":
            check_load(where, database, sql[0], failures)
        sold = payloads.sales(self.environment)
        different = len(payloads.last())
        expected = {
            "repetitions": [(len(payloads.transactions), different, different)],
            "revenue": recount.revenue(sold),
            "refunds": recount.refunds(sold),
            "churn": recount.churn(sold, payloads.latest),
        }
        met = set()
        for block in sql[1:]:
            # The vectors and Apple's own payloads are of the Sandbox alone.
            block = block.replace("'Production'", f"'{self.environment}'")
            title = re.match(r"-- (\w+)\n", block)
            found = database.execute(block).fetchall()
            if title is None:
                continue
            compare(f"{where}: {title[1]}", found, expected[title[1]], failures)
            if len(found) < least.get(title[1], 0):
                failures.append(f"{where}: {title[1]} has only {len(found)} rows")
            met.add(title[1])
            print(f"{where}: {title[1]}: {len(found)} rows")
        if met != expected.keys():
            failures.append(f"the page's queries are {met}")
        if "churn" in least and not sum(row[6] for row in expected["revenue"]):
            failures.append(f"{where}: there is no upgrade")
        compare(f"{where}: texts", database.execute(f"SELECT {', '.join(READ)} FROM texts").fetchall(),
            read(payloads), failures, only_transactions)

    def check_readers(self, payloads: Payloads, failures: list[str]) -> None:
        """The rows of pandas and polars, by the page's lines."""
        samples = {match[1]: text for text in blocks("python") if (match := re.match(r"# (\w+\.py)\n", text))}
        for name, rows_of in READERS.items():
            names: dict[str, Any] = {}
            exec(compile(samples[name], name, "exec"), names)
            compare(f"{self.name}: {name}", rows_of(names["rows"]), read(payloads), failures, only_transactions)
            print(f"{self.name}: {name}: {len(names['rows'])} rows")


# The columns that a reader would guess wrongly.
READ = ("transactionID", "originalTransactionID", "appTransactionID", "purchaseDate", "price")
READERS: dict[str, Callable[[Any], Rows]] = {
    "load_pandas.py": lambda rows: [
        tuple(None if is_null else value for value, is_null in zip(row, nulls))
        for row, nulls in zip(rows[list(READ)].itertuples(index=False), rows[list(READ)].isna().itertuples(index=False))
    ],
    "load_polars.py": lambda rows: rows.select(READ).rows(),
}


def read(payloads: Payloads) -> Rows:
    """The values of each row of a transaction, with the month of its date."""
    members = ("transactionId", "originalTransactionId", "appTransactionId")
    return [
        (*(str(t[name]) if name in t else None for name in members), month(t["purchaseDate"]), recount.row_price(t))
        for *_, t in payloads.transactions if isinstance(t.get("purchaseDate"), (int, float))
    ]


def only_transactions(found: Rows) -> Rows:
    """Texts, a month from a text, and a decimal: any other type fails here."""
    rows = []
    for *identifiers, date, price in found:
        if identifiers[0] is not None and date is not None:
            if any(text is not None and not isinstance(text, str) for text in (*identifiers, date)):
                sys.exit(f"FAILED: an identifier or date that is no text: {identifiers} {date}")
            if price is not None and not isinstance(price, Decimal):
                sys.exit(f"FAILED: a price that is no decimal: {price!r}")
            rows.append((*identifiers, date[:7], price))
    return rows


def compare(
    name: str, found: Rows, expected: Rows, failures: list[str], prepare: Callable[[Rows], Rows] = lambda rows: rows
) -> None:
    if (text := difference(prepare(found), expected)) is not None:
        failures.append(name)
        print(f"FAILED: {name}: {text}")


def check_forms(name: str, csv_text: bytes, json_text: bytes, failures: list[str]) -> None:
    """Compare both forms of the rows, as Python reads them."""
    records = list(csv.reader(csv_text.decode().splitlines(keepends=True), strict=True))
    rows = [json.loads(line) for line in json_text.decode().split("\n")[:-1]]
    if records[0] != columns() or any(list(row) != records[0] for row in rows):
        failures.append(f"{name}: the columns are not those of the page")

    def text(value: object) -> str:
        return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)

    if [[text(value) for value in row.values()] for row in rows] != records[1:]:
        failures.append(f"{name}: CSV and JSON differ")


def check_load(name: str, database: duckdb.DuckDBPyConnection, schema: str, failures: list[str]) -> None:
    """Compare the table with the one that is loaded from JSON, and name all columns as the page does."""
    create, _ = schema.split("COPY")
    database.execute(create.replace("payloads", "from_json"))
    database.execute("COPY from_json FROM 'rows.ndjson' (FORMAT json)")
    # All that DuckDB guesses of CSV, it must guess right.
    database.execute(create.replace("payloads", "guessed") + "INSERT INTO guessed SELECT * FROM read_csv('rows.csv')")
    names = columns()
    tables = ("payloads", "from_json", "guessed")
    # DuckDB takes an empty text in CSV for null.
    for one, other in [(one, other) for one in tables for other in tables if one != other]:
        def texts(table: str) -> str:
            selected = ", ".join(f"nullif(CAST({n} AS VARCHAR), '') AS {n}" for n in names)
            return f"SELECT {selected} FROM {table}"

        rest = database.execute(f"{texts(one)} EXCEPT ALL {texts(other)}").fetchall()
        if rest:
            failures.append(f"{name}: {one} has other rows than {other}")
            print(rest[:2])
    database.execute(f"SELECT {', '.join(names)} FROM payloads").fetchall()


def check_one_instant(failures: list[str]) -> None:
    """Of two versions that were signed at one instant, the one with a refund counts, whichever comes first."""
    sql = blocks("sql")
    view, signed = next(block for block in sql if block.startswith("CREATE VIEW transactions")), "2026-03-02T00:00:00Z"
    for refunds in ((None, signed), (signed, None)):
        database = duckdb.connect()
        database.execute(sql[0].split("COPY")[0])
        for line, date in enumerate(refunds):
            database.execute(
                """INSERT INTO payloads (line, verified, environment, bundleID, transactionID, revocationDate,
                                         transactionSignedDate, signedDate)
                   VALUES (?, true, 'Production', 'com.example.garden', '1', ?, ?, ?)""",
                [line, date, signed, signed],
            )
        database.execute(view)
        found = database.execute("SELECT count(*), count(revocationDate) FROM transactions").fetchall()
        compare(f"two versions of one instant, {refunds}", found, [(1, 1)], failures)


# --- The inputs ---------------------------------------------------------------------------------


def is_upgrade(line: str) -> bool:
    token = json.loads(line).get("signedPayload")
    return token is not None and recount.decoded(token).get("subtype") == "UPGRADE"


def original_of(line: str) -> object:
    transaction = recount.inside(recount.decoded(json.loads(line)["signedPayload"]), "signedTransactionInfo")
    return transaction and transaction["originalTransactionId"]


def customers(commands: Path, folder: Path) -> Check:
    """A year of customers, with the payloads that their apps send besides the webhooks."""
    roots, lines = [], []
    for seed, text in ((5, POPULATION), (6, archive.LIVES)):
        scenario, root = folder / f"{seed}.txt", folder / f"{seed}.pem"
        scenario.write_text(text)
        lines += subprocess.run(
            [commands / "storekit-test", "run", "--scenario", scenario, "--seed", str(seed), "--environment",
             "Production", "--bundle-id", f"com.example.app{seed}", "--duplicates", "20", "--disorder", "20",
             "--broken", "2", "--write-root", root],
            capture_output=True, text=True, check=True).stdout.splitlines(keepends=True)
        roots.append(root)
    # One upgrade did not arrive: only the old transaction, which the app sent, has its mark.
    upgraded = [line for line in lines if is_upgrade(line)]
    original = original_of(upgraded[-1])
    lines = [line for line in lines if line not in upgraded or original_of(line) != original]
    # Lines without a refund come first, so many that a reader has settled on its types.
    first = next(line for line in lines if "signedAppTransactionInfo" in line)
    (folder / "year.ndjson").write_text(first * LINES_BEFORE + "".join(lines))
    return Check("customers", commands, roots, [folder / "year.ndjson"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", type=Path, required=True, help="the folder of storekit-verify and storekit-test")
    commands = parser.parse_args().commands.resolve()
    failures: list[str] = []
    named = {match[1] for text in blocks("sh")[1:] + blocks("python") if (match := re.match(r"# (\w+\.\w+)\n", text))}
    if named != SAMPLES:
        failures.append(f"the page's samples are {named}")

    check_one_instant(failures)
    vectors = Check("vectors", commands, [VECTORS / "pki/root.pem"], sorted(VECTORS.glob("*/*.jws")), "Sandbox")
    vectors.check(vectors.payloads(), {"revenue": 1, "repetitions": 1}, failures)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        year = customers(commands, folder)
        year.check(year.payloads(), {"revenue": 16, "refunds": 11, "churn": 8, "repetitions": 1}, failures)
        webhooks = archive.make(commands, folder)
        path = webhooks.write(folder / "webhooks.ndjson")
        check = Check("webhooks alone", commands, webhooks.roots, [path])
        # These payloads are known without the command.
        check.check(webhooks.payloads, {"revenue": 20, "refunds": 12, "churn": 8, "repetitions": 1}, failures)

    genuine = Path(os.environ.get("PRIVATE_TEST_DATA", "/nowhere")) / "genuine"
    if genuine.is_dir():
        check = Check("genuine", commands, [], sorted(genuine.glob("jws/*.jws")), "Sandbox")
        check.check(check.payloads(), {"repetitions": 1}, failures)
    else:
        print("skipped: PRIVATE_TEST_DATA names no folder with Apple's payloads")
    if failures:
        sys.exit("FAILED: " + "; ".join(failures))


if __name__ == "__main__":
    main()
