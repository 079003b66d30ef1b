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
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
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
POPULATION = "set grace 16d\npopulation 120 for 11mo churn=10% failures=8% recovery=60% refunds=6%\n"
SAMPLES = {"load_postgresql.sh", "load_pandas.py", "load_polars.py"}
# The table of each file, and the heading of its columns.
TABLES = {
    "payloads": ("rows", "Columns"), "charges": ("charges", "Columns of charges"),
    "periods": ("periods", "Columns of periods"),
}  # fmt: skip
SQL_TYPES = {
    "text": "VARCHAR", "identifier": "VARCHAR", "json": "VARCHAR", "integer": "BIGINT", "boolean": "BOOLEAN",
    "timestamp": "TIMESTAMPTZ", "decimal": "DECIMAL(19, 3)",
}  # fmt: skip
DAY = "2025-12-10 00:00:00Z"
# The fewest rows of each query on an archive of customers.
LEAST = {"verdicts": 8, "revenue": 20, "refunds": 12, "churn": 8, "ended": 25, "customers": 1}
Rows = list[tuple[Any, ...]]


# --- The page's samples -------------------------------------------------------------------------


def blocks(language: str) -> list[str]:
    """The page's samples in a language, in their order."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def columns(table: str) -> dict[str, str]:
    """The columns that the page lists of a table, and their types."""
    section = PAGE.read_text().split(f"\n## {TABLES[table][1]}\n")[1].split("\n## ")[0]
    return dict(re.findall(r"^\| `(\w+)` \| (\w+) \| [^|]+\.(?= \|)", section, re.MULTILINE))


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
        for line in self.run("--no-progress", "--output", "payload").split(b"\n")[:-1]:
            found.add(json.loads(line))
        return found

    def run(self, *how: str) -> bytes:
        """What the command writes about the files."""
        options = [text for root in self.roots for text in ("--root", str(root))]
        command = [self.commands / "storekit-verify", *how, *options, *self.files]
        result = subprocess.run(command, capture_output=True, check=False)
        if result.returncode not in (0, 1):
            sys.exit(f"{command} ended with {result.returncode}: {result.stderr.decode()}")
        return result.stdout

    def table(self, name: str, *options: str) -> bytes:
        if name == "payloads":
            return self.run("--no-progress", "--output", "rows", *options)
        return self.run(name, "--environment", self.environment, "--quiet", *options)

    def write_tables(self, folder: Path) -> None:
        """Writes the files in the present folder, as CSV by the page's own lines if there is one archive."""
        if len(self.files) == 1:
            (folder / "archive.ndjson").symlink_to(self.files[0])
            self.files = [Path("archive.ndjson")]
        for table, (file, _) in TABLES.items():
            (folder / f"{file}.ndjson").write_bytes(self.table(table))
            (folder / f"{file}.csv").write_bytes(self.table(table, "--format", "csv"))
        if len(self.files) > 1:
            return
        written = {file: (folder / f"{file}.csv").read_bytes() for file, _ in TABLES.values()}
        found = archive.Archive([], self.roots, Payloads())
        path = f"{archive.command_for(self.commands, found, folder / 'bin')}:{os.environ['PATH']}"
        lines = blocks("sh")[0].replace("Production", self.environment)
        done = subprocess.run(
            ["sh", "-c", lines], cwd=folder, env={**os.environ, "PATH": path}, stderr=subprocess.DEVNULL, check=False
        )
        if done.returncode not in (0, 1):
            sys.exit(f"the page's line ended with {done.returncode}")
        for file, text in written.items():
            if (folder / f"{file}.csv").read_bytes() != text:
                sys.exit(f"FAILED: {self.name}: the page's lines write another {file}.csv")

    def check(self, payloads: Payloads, least: dict[str, int], failures: list[str]) -> dict[str, Rows]:
        """Run all samples, and return Python's answers.

        `least` has the fewest rows that each query must give, so that none of them is compared on nothing.
        """
        here = os.getcwd()
        expected = self.expected(payloads)
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            os.chdir(folder)
            self.write_tables(folder)
            for table, (file, _) in TABLES.items():
                texts = (folder / f"{file}.csv").read_bytes(), (folder / f"{file}.ndjson").read_bytes()
                check_forms(f"{self.name}: {table}", columns(table), *texts, failures)
            for zone in archive.ZONES:
                self.check_queries(zone, payloads, expected, least, failures)
            self.check_readers(payloads, failures)
            os.chdir(here)
        return expected

    def expected(self, payloads: Payloads) -> dict[str, Rows]:
        """Python's answers to the page's questions."""
        now = round(time.time() * 1000)
        lines, purchases = payloads.lines(self.environment), payloads.purchases(self.environment)
        day = round(datetime.fromisoformat(DAY).timestamp() * 1000)
        return {
            "verdicts": self.verdicts(),
            "revenue": recount.revenue(lines),
            "refunds": recount.refunds(lines),
            "churn": recount.churn(purchases, now),
            "ended": recount.ended(purchases, now),
            "customers": [row[1:] for row in recount.owners(purchases, [day])],
        }

    def verdicts(self) -> Rows:
        """By month, kind and error: the number of lines."""
        counts: Counter[tuple[Any, ...]] = Counter()
        for line in self.run("--no-progress", "--output", "ndjson").split(b"\n")[:-1]:
            verdict = json.loads(line)
            payload = verdict.get("payload") or {}
            date = payload.get("receiptCreationDate" if verdict.get("type") == "appTransaction" else "signedDate")
            signed = month(date) if isinstance(date, (int, float)) else None
            counts[signed, verdict.get("type"), verdict.get("error")] += 1
        return [(*key, count) for key, count in counts.items()]

    def check_queries(
        self, zone: str, payloads: Payloads, expected: dict[str, Rows], least: dict[str, int], failures: list[str]
    ) -> None:
        """The page's SQL in a session of a time zone."""
        sql, where = blocks("sql"), f"{self.name} in {zone}"
        database = duckdb.connect()
        database.execute(f"SET TimeZone = '{zone}'")
        met = set()
        for block in sql:
            title = re.match(r"-- (\w+)\n", block)
            found = database.execute(block).fetchall()
            if (made := re.match(r"CREATE TABLE (\w+)", block)) is not None:
                lines = len(Path(f"{TABLES[made[1]][0]}.ndjson").read_bytes().splitlines())
                counted = database.execute(f"SELECT count(*) FROM {made[1]}").fetchall()
                compare(f"{where}: {made[1]}", counted, [(lines,)], failures)
                if zone == "UTC":
                    check_load(where, made[1], database, block, failures)
                met.add(made[1])
            if title is None:
                continue
            compare(f"{where}: {title[1]}", found, expected[title[1]], failures)
            if len(found) < least.get(title[1], 0):
                failures.append(f"{where}: {title[1]} has only {len(found)} rows")
            met.add(title[1])
            print(f"{where}: {title[1]}: {len(found)} rows")
        if met != expected.keys() | TABLES.keys():
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


def check_forms(
    name: str, listed: dict[str, str], csv_text: bytes, json_text: bytes, failures: list[str]
) -> None:
    """Compare both forms of a table, as Python reads them, and their columns with those that the page lists."""
    records = list(csv.reader(csv_text.decode().splitlines(keepends=True), strict=True))
    rows = [json.loads(line) for line in json_text.decode().split("\n")[:-1]]
    if records[0] != list(listed) or any(list(row) != records[0] for row in rows):
        failures.append(f"{name}: the columns are not those of the page")

    def text(value: object) -> str:
        return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)

    if [[text(value) for value in row.values()] for row in rows] != records[1:]:
        failures.append(f"{name}: CSV and JSON differ")
    for row in rows:
        for column, kind in listed.items():
            if row[column] is not None and not IS_OF_TYPE[kind](row[column]):
                failures.append(f"{name}: {column} is no {kind}: {row[column]!r}")
                return


# What JSON has in a column of each type.
IS_OF_TYPE: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "json": lambda value: isinstance(value, str),
    "identifier": lambda value: isinstance(value, str) and re.fullmatch("[0-9]+", value) is not None,
    "integer": lambda value: type(value) is int,
    "boolean": lambda value: isinstance(value, bool),
    "timestamp": lambda value: re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", value) is not None,
    "decimal": lambda value: re.fullmatch(r"-?\d+(\.\d{1,3})?", value) is not None,
}  # fmt: skip


def check_load(name: str, table: str, database: duckdb.DuckDBPyConnection, schema: str, failures: list[str]) -> None:
    """Compare the table with the one that is loaded from JSON, and name all columns as the page does."""
    create, _ = schema.split("COPY")
    written = dict(re.findall(r"(\w+) ((?:[A-Z]+)(?:\(19, 3\))?)[,\n]", create))
    listed = columns(table)
    if written != {column: SQL_TYPES[kind] for column, kind in listed.items()}:
        failures.append(f"{table}: the page's CREATE TABLE has other columns or types than its list")
    tables, file = (table, "from_json", "guessed"), TABLES[table][0]
    for other in tables[1:]:
        database.execute(create.replace(f"TABLE {table}", f"OR REPLACE TABLE {other}"))
    database.execute(f"COPY from_json FROM '{file}.ndjson' (FORMAT json)")
    # All that DuckDB guesses of CSV, it must guess right.
    database.execute(f"INSERT INTO guessed SELECT * FROM read_csv('{file}.csv')")
    # DuckDB takes an empty text in CSV for null.
    for one, other in [(one, other) for one in tables for other in tables if one != other]:
        def texts(table: str) -> str:
            selected = ", ".join(f"nullif(CAST({n} AS VARCHAR), '') AS {n}" for n in listed)
            return f"SELECT {selected} FROM {table}"

        rest = database.execute(f"{texts(one)} EXCEPT ALL {texts(other)}").fetchall()
        if rest:
            failures.append(f"{name}: {one} has other rows than {other}")
            print(rest[:2])


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
    for seed, text in ((7, archive.SEATS), (5, POPULATION), (6, archive.LIVES)):
        scenario, root = folder / f"{seed}.txt", folder / f"{seed}.pem"
        scenario.write_text(text)
        lines += subprocess.run(
            [commands / "storekit-test", "run", "--scenario", scenario, "--seed", str(seed), "--environment",
             "Production", "--start", "2025-03-01T00:00:00Z", "--bundle-id", f"com.example.app{seed}",
             "--duplicates", "20", "--disorder", "20", "--broken", "2", "--write-root", root],
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


# Small inputs about what a purchase is: the sums of charges, refunds and estimates, and churn as month, subscriptions, lost.
CASES: dict[str, tuple[Rows, Rows]] = {
    "copies": ([("9.99", "0", "0")], [("2025-01", 1, 1)]),
    "restored": ([("350", "0", "0")], []),
    "acitem": ([("15", "5", "0")], [("2025-01", 1, 1)]),
    "seatupgrade": ([("100", "0", "31.667")], [("2025-01", 1, 0), ("2025-02", 1, 1)]),
    "c10-upgrade-with-prorated-refund": ([("29.98", "6.66", "0")], [("2026-01", 1, 0), ("2026-02", 1, 1)]),
    # It went on under another original: there is no churn, and no new subscription.
    "migrate": ([("29.97", "0", "0")], [("2025-01", 1, 0), ("2025-02", 1, 0), ("2025-03", 1, 1)]),
}


def check_cases(commands: Path, folder: Path, failures: list[str]) -> None:
    """The page's samples on small inputs whose sums are known."""
    for name, (sums, churn) in CASES.items():
        [file] = folder.glob(f"{name}.*")
        root = "root.pem" if file.suffix == ".jws" else "analysts-root.pem"
        check = Check(name, commands, [folder / root], [file])
        expected = check.check(check.payloads(), {"revenue": 1}, failures)
        found = [tuple(sum(row[place] for row in expected["revenue"]) for place in (4, 5, 6))]
        compare(f"{name}: sums", found, [tuple(map(Decimal, row)) for row in sums], failures)
        compare(f"{name}: churn", [(row[0], *row[2:4]) for row in expected["churn"]], churn, failures)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", type=Path, required=True, help="the folder of storekit-verify and storekit-test")
    commands = parser.parse_args().commands.resolve()
    failures: list[str] = []
    named = {match[1] for text in blocks("sh")[1:] + blocks("python") if (match := re.match(r"# (\w+\.\w+)\n", text))}
    if named != SAMPLES:
        failures.append(f"the page's samples are {named}")

    vectors = Check("vectors", commands, [VECTORS / "pki/root.pem"], sorted(VECTORS.glob("*/*.jws")), "Sandbox")
    vectors.check(vectors.payloads(), {"revenue": 1, "verdicts": 1}, failures)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        year = customers(commands, folder)
        year.check(year.payloads(), LEAST, failures)
        webhooks = archive.make(commands, folder)
        path = webhooks.write(folder / "webhooks.ndjson")
        check = Check("webhooks alone", commands, webhooks.roots, [path])
        # These payloads are known without the command.
        check.check(webhooks.payloads, {**LEAST, "customers": 4}, failures)

    private = Path(os.environ.get("PRIVATE_TEST_DATA", "/nowhere"))
    if (private / "genuine").is_dir():
        check = Check("genuine", commands, [], sorted((private / "genuine").glob("jws/*.jws")), "Sandbox")
        check.check(check.payloads(), {"verdicts": 1}, failures)
    else:
        print("skipped: PRIVATE_TEST_DATA names no folder with Apple's payloads")
    if (private / "cases/ledger").is_dir():
        check_cases(commands, private / "cases/ledger", failures)
    else:
        print("skipped: PRIVATE_TEST_DATA names no folder with small inputs")
    if failures:
        sys.exit("FAILED: " + "; ".join(failures))


if __name__ == "__main__":
    main()
