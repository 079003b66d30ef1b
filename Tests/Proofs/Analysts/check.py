"""Run the page's SQL on rows, and compare the results with what Python finds in the payloads. Exit status 1 if they differ."""

from __future__ import annotations

import argparse
import base64
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import duckdb

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "Bindings/Engines/ForAnalysts.md"
VECTORS = ROOT / "TestVectors"
# More lines than DuckDB reads before it settles on types.
LINES_BEFORE = 30_000
POPULATION = "population 120 for 11mo churn=10% failures=8% recovery=60% refunds=6%\n"
# What a population does not do: other currencies, quantities, refunds of a part, families, refunds that are reversed.
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
"""


# --- What Python finds in the payloads ----------------------------------------------------------


@dataclass
class Archive:
    """The transactions of payloads as they were signed, and the latest date of a payload."""

    transactions: list[tuple[int, int, dict]] = field(default_factory=list)
    latest: int = 0

    def add(self, payload: dict) -> None:
        signed = payload.get("signedDate", payload.get("receiptCreationDate"))
        # The columns' dates are whole milliseconds.
        if isinstance(signed, (int, float)):
            self.latest = max(self.latest, round(signed))
        transaction = payload if is_transaction(payload) else inside(payload)
        if transaction is not None and identifier(transaction.get("transactionId")) is not None:
            self.transactions.append((number(transaction.get("signedDate")), number(signed), transaction))

    def last(self) -> list[dict]:
        """The last version of every transaction."""
        versions: dict[tuple, tuple] = {}
        for signed, outer, transaction in self.transactions:
            key = tuple(transaction.get(name) for name in ("environment", "bundleId", "transactionId"))
            if key not in versions or (signed, outer) > versions[key][0]:
                versions[key] = ((signed, outer), transaction)
        return [transaction for _, transaction in versions.values()]


def is_notification(payload: dict) -> bool:
    return "notificationType" in payload or "notificationUUID" in payload


def is_transaction(payload: dict) -> bool:
    members = ("transactionId", "purchaseDate", "inAppOwnershipType", "transactionReason")
    return not is_notification(payload) and any(name in payload for name in members)


def inside(payload: dict) -> dict | None:
    """The transaction inside a notification, which was verified with it."""
    data = payload.get("data")
    token = data.get("signedTransactionInfo") if isinstance(data, dict) else None
    if not isinstance(token, str) or not is_notification(payload):
        return None
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def number(value: object) -> int:
    return value if isinstance(value, int) else -1


def identifier(value: object) -> int | None:
    text = str(value)
    return int(text) if re.fullmatch(r"[0-9]+", text) and int(text) < 1 << 64 else None


def instant(milliseconds: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=milliseconds)


def month(milliseconds: int) -> str:
    return instant(milliseconds).strftime("%Y-%m")


def refund(transaction: dict) -> Decimal | None:
    if transaction.get("revocationDate") is None or transaction.get("price") is None:
        return None
    percent = Decimal(transaction.get("revocationPercentage", 100_000)) / 1000
    amount = Decimal(transaction["price"]) / 1000 * percent / 100
    return amount.quantize(Decimal("0.001"), ROUND_HALF_UP)


def sales(archive: Archive, environment: str) -> list[dict]:
    return [
        t for t in archive.last()
        if t.get("environment") == environment and t.get("inAppOwnershipType") == "PURCHASED"
    ]


def expected_revenue(sold: list[dict]) -> list[tuple]:
    charged: dict[tuple, Decimal] = defaultdict(Decimal)
    refunded: dict[tuple, Decimal] = defaultdict(Decimal)
    for t in sold:
        if t.get("price") is None:
            continue
        charged[month(t["purchaseDate"]), t["productId"], t.get("currency")] += Decimal(t["price"]) / 1000
        if (amount := refund(t)) is not None:
            refunded[month(t["revocationDate"]), t["productId"], t.get("currency")] += amount
    keys = charged.keys() | refunded.keys()
    return [(*key, charged[key], refunded[key], charged[key] - refunded[key]) for key in keys]


def expected_refunds(sold: list[dict]) -> list[tuple]:
    reasons = {0: "other", 1: "developerIssue"}
    groups: dict[tuple, list] = defaultdict(list)
    for t in sold:
        if t.get("revocationDate") is not None:
            reason = reasons.get(t.get("revocationReason"))
            groups[month(t["revocationDate"]), t["productId"], reason, t.get("currency")].append(refund(t))
    results = []
    for key, amounts in groups.items():
        known = [amount for amount in amounts if amount is not None]
        # A sum of nothing is null.
        results.append((*key, len(amounts), sum(known, Decimal()) if known else None))
    return results


def expected_churn(sold: list[dict], latest: int) -> list[tuple]:
    periods = defaultdict(list)
    for t in sold:
        if t.get("type") == "Auto-Renewable Subscription" and t.get("expiresDate") is not None:
            ends = min(t["expiresDate"], t.get("revocationDate") or t["expiresDate"])
            periods[t["originalTransactionId"]].append((t["purchaseDate"], ends))
    if not periods:
        return []
    first = instant(min(begins for life in periods.values() for begins, _ in life))
    starts = []
    start = datetime(first.year, first.month, 1, tzinfo=timezone.utc)
    while start <= instant(latest):
        starts.append(int(start.timestamp()) * 1000)
        # Some day of the next month, and its first.
        start = (start + timedelta(days=32)).replace(day=1)

    def is_active(life: list, at: int) -> bool:
        return any(begins <= at < ends for begins, ends in life)

    results = []
    for start, after in zip(starts, starts[1:]):
        present = [life for life in periods.values() if is_active(life, start)]
        lost = sum(1 for life in present if not is_active(life, after))
        if present:
            percent = (Decimal(1000 * lost) / len(present)).quantize(Decimal(1), ROUND_HALF_UP) / 10
            results.append((month(start), len(present), lost, percent))
    return results


def expected_repetitions(archive: Archive) -> list[tuple]:
    different = len(archive.last())
    return [(len(archive.transactions), different, different)]


# --- What DuckDB finds in the rows --------------------------------------------------------------


def blocks() -> list[str]:
    """The page's SQL, in its order."""
    return re.findall(r"^```sql\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def columns() -> list[str]:
    """The columns that the page's tables list."""
    return re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE)


def load(schema: str, folder: Path) -> duckdb.DuckDBPyConnection:
    os.chdir(folder)
    database = duckdb.connect()
    database.execute(schema)
    return database


def compare(name: str, found: list[tuple], expected: list[tuple], failures: list[str]) -> None:
    def plain(value: object) -> object:
        return Decimal(str(value)).normalize() if isinstance(value, (int, float, Decimal)) else value

    one = Counter(tuple(map(plain, row)) for row in found)
    other = Counter(tuple(map(plain, row)) for row in expected)
    if one != other:
        failures.append(name)
        print(f"FAILED: {name}")
        print(f"  DuckDB {sorted(map(str, (one - other).elements()))[:10]}")
        print(f"  Python {sorted(map(str, (other - one).elements()))[:10]}")


def run(command: Path, options: list[str], files: list[str], *how: str) -> bytes:
    result = subprocess.run(
        [command, *options, "--no-progress", "--output", *how, *files], capture_output=True, check=False)
    if result.returncode not in (0, 1):
        sys.exit(f"{command} ended with {result.returncode}: {result.stderr.decode()}")
    return result.stdout


def check(
    name: str, command: Path, options: list[str], files: list[str], environment: str, failures: list[str],
    least: dict[str, int],
) -> None:
    """Run all queries on one input.

    `least` has the fewest rows that each query must give, so that none of them is compared on nothing.
    """
    archive = Archive()
    for line in run(command, options, files, "payload").split(b"\n")[:-1]:
        archive.add(json.loads(line))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        csv_text = run(command, options, files, "rows", "--format", "csv")
        json_text = run(command, options, files, "rows")
        (folder / "rows.csv").write_bytes(csv_text)
        (folder / "rows.ndjson").write_bytes(json_text)
        check_forms(name, csv_text, json_text, failures)
        sql = blocks()
        database = load(sql[0], folder)
        lines = len(json_text.splitlines())
        compare(f"{name}: lines", database.execute("SELECT count(*) FROM payloads").fetchall(), [(lines,)], failures)
        check_load(name, database, sql[0], failures)
        sold = sales(archive, environment)
        expected = {
            "repetitions": expected_repetitions(archive),
            "revenue": expected_revenue(sold),
            "refunds": expected_refunds(sold),
            "churn": expected_churn(sold, archive.latest),
        }
        met = set()
        for block in sql[1:]:
            block = block.replace("'Production'", f"'{environment}'")
            title = re.match(r"-- (\w+)\n", block)
            found = database.execute(block).fetchall()
            if title is None:
                continue
            compare(f"{name}: {title[1]}", found, expected[title[1]], failures)
            if len(found) < least.get(title[1], 0):
                failures.append(f"{name}: {title[1]} has only {len(found)} rows")
            met.add(title[1])
            print(f"{name}: {title[1]}: {len(found)} rows, the same")
        if met != expected.keys():
            failures.append(f"the page's queries are {met}")
        os.chdir(ROOT)


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", type=Path, required=True, help="the folder of storekit-verify and storekit-test")
    commands = parser.parse_args().commands.resolve()
    command = commands / "storekit-verify"
    failures: list[str] = []

    vectors = [str(path) for path in sorted(VECTORS.glob("*/*.jws"))]
    check("vectors", command, ["--root", str(VECTORS / "pki/root.pem")], vectors, "Sandbox", failures,
        {"revenue": 1, "repetitions": 1})

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        payloads, roots, customers = folder / "year.ndjson", [], []
        for seed, text in ((5, POPULATION), (6, LIVES)):
            scenario, root = folder / f"{seed}.txt", folder / f"{seed}.pem"
            scenario.write_text(text)
            customers += subprocess.run(
                [commands / "storekit-test", "run", "--scenario", scenario, "--seed", str(seed), "--environment",
                 "Production", "--duplicates", "20", "--disorder", "20", "--broken", "2", "--write-root", root],
                capture_output=True, text=True, check=True).stdout.splitlines(keepends=True)
            roots += ["--root", str(root)]
        # Lines without a refund come first, so many that a reader has settled on its types.
        first = next(line for line in customers if "signedAppTransactionInfo" in line)
        payloads.write_text(first * LINES_BEFORE + "".join(customers))
        check("customers", command, roots, [str(payloads)], "Production", failures,
            {"revenue": 16, "refunds": 11, "churn": 8, "repetitions": 1})

    genuine = Path(os.environ.get("PRIVATE_TEST_DATA", "/nowhere")) / "genuine"
    if genuine.is_dir():
        files = [str(path) for path in sorted(genuine.glob("jws/*.jws"))]
        check("genuine", command, [], files, "Sandbox", failures, {"repetitions": 1})
    else:
        print("skipped: PRIVATE_TEST_DATA names no folder with Apple's payloads")
    if failures:
        sys.exit("FAILED: " + "; ".join(failures))


if __name__ == "__main__":
    main()
