"""The page about PostgreSQL: loads that die and are repeated, and SQL against `entitlements`."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path

import archive as archives
import recount
from kit import (
    TEST_ROOT, VECTORS, Corpus, arguments, corpora, expect, postgresql, samples, shell_of, sql_of, tokens_of, verify,
)  # fmt: skip

SAMPLES = {
    "schema.sql", "load_typed.sh", "load_typed.sql", "merge.sql", "load_rows.sh", "load_rows.sql", "owned.sql",
    "questions.sql",
}  # fmt: skip
POPULATION = """set grace 16d
population 20 for 1y churn=10% failures=20% recovery=50% refunds=10%
"""
SCENARIOS = ("upgrade", "grace-period", "refund-reversed", "family", "family-product", "non-renewing", "win-back")
TABLES = ("transactions", "renewals")
OWNED = """SELECT environment, bundle_id, product_id, coalesce(state, ''), transaction_id, original_transaction_id,
                  ownership_type FROM owned(:'at'::timestamptz)"""

# A copy of a non-consumable whose first transaction is 1: number, day, refund and ownership.
PURCHASE = """('Production', 'com.example.garden', {0}, 1, 'lamp', 'Non-Consumable', '{3}', 'anna', NULL,
               '2026-01-0{1}', NULL, {2}, false, 1, 'EUR', '2026-01-09')"""
CHARGES = """SELECT to_char(purchaseDate AT TIME ZONE 'UTC', 'YYYY-MM'), count(*), sum(coalesce(price, 0))
             FROM payloads WHERE transactionID IS NOT NULL GROUP BY 1 ORDER BY 1"""


class Databases:
    """Databases of a server, by psql."""

    def __init__(self, folder: Path, command: Path, environment: dict[str, str]) -> None:
        self.folder, self.environment = folder, {**environment, "PATH": f"{command.parent}:{os.environ['PATH']}"}

    def create(self, name: str) -> None:
        subprocess.run(["createdb", name], env=self.environment, check=True)
        self.query(name, "", "-f", "schema.sql", "-f", "owned.sql")

    def query(self, name: str, sql: str, *options: str) -> list[str]:
        command = ["psql", "-qAt", "-v", "ON_ERROR_STOP=1", "-d", name, *options]
        done = subprocess.run(
            command, input=sql, env=self.environment, cwd=self.folder, capture_output=True, text=True
        )
        expect(done.returncode == 0, f"psql: {done.stderr}")
        return done.stdout.splitlines()

    def contents(self, name: str) -> list[str]:
        return [row for table in TABLES for row in self.query(name, f"SELECT t FROM {table} AS t ORDER BY t::text")]

    def load(self, name: str, script: str, archive: Path, options: list[str]) -> int:
        command = ["sh", script, *options, str(archive)]
        environment = {**self.environment, "PGDATABASE": name}
        return subprocess.run(
            command, env=environment, cwd=self.folder, stderr=subprocess.DEVNULL
        ).returncode


def simulated(command: Path, folder: Path, scenario: str) -> Corpus:
    """Purchases, renewals and refunds of a simulated App Store's customers; with repetitions and spoilt lines."""
    name, root = Path(scenario).name.replace("-", "_"), folder / f"{Path(scenario).name}.pem"
    options = ["--scenario", scenario, "--seed", "1", "--write-root", root, "--format", "tokens"]
    arguments = [command.with_name("storekit-test"), "run", *options]
    spoilt = ["--duplicates", "20", "--disorder", "20", "--broken", "3"]
    done = subprocess.run([*arguments, *spoilt], stdout=subprocess.PIPE, text=True, check=True)
    return Corpus(name, done.stdout.split(), [root])


def load_and_compare(databases: Databases, corpus: Corpus, archive: Path) -> None:
    """Both formats give the same tables, and a second load changes nothing."""
    for form in ("typed", "rows"):
        databases.create(f"{corpus.name}_{form}")
        for _ in range(2):
            status = databases.load(f"{corpus.name}_{form}", f"load_{form}.sh", archive, corpus.options)
            expect(status == 0, f"load_{form}.sh ended with {status}")
            if form == "typed" and _ == 0:
                first = databases.contents(f"{corpus.name}_{form}")
        expect(databases.contents(f"{corpus.name}_{form}") == first, f"{corpus.name}: {form} loads differ")
    expect(len(first) > 0, f"{corpus.name}: there are only {len(first)} rows")

    backwards = Corpus(corpus.name, corpus.tokens[::-1], corpus.roots)
    databases.create(f"{corpus.name}_backwards")
    for half in (backwards.tokens[::2], backwards.tokens[1::2]):
        Corpus(corpus.name, half, corpus.roots).write(archive.with_suffix(".half"))
        databases.load(f"{corpus.name}_backwards", "load_typed.sh", archive.with_suffix(".half"), corpus.options)
    expect(databases.contents(f"{corpus.name}_backwards") == first, f"{corpus.name}: the order of arrival matters")


def compare_entitlements(databases: Databases, command: Path, corpus: Corpus, archive: Path) -> int:
    """The owners, at every instant at which something changes and a little before and after."""
    name = f"{corpus.name}_typed"
    dates = "SELECT unnest(ARRAY[purchase_date, expiration_date, revocation_date, signed_date]) FROM transactions"
    dates += " UNION SELECT unnest(ARRAY[renewal_date, grace_period_end, signed_date]) FROM renewals"
    instants = f"SELECT DISTINCT d + s FROM ({dates}) AS t (d), (VALUES (interval '-1 s'), ('0'), ('1 h')) AS u (s)"
    spelt = f"SELECT to_char(i AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') FROM ({instants}) AS t (i)"
    found = 0
    wanted = databases.query(name, f"{spelt} WHERE i IS NOT NULL ORDER BY i")
    for at in wanted[:: max(1, len(wanted) // 60)]:
        expected = sorted(entitlements(command, corpus, archive, at))
        got = sorted(databases.query(name, OWNED, "-v", f"at={at}"))
        # The table has the latest renewal information alone, which does not tell of a grace period that is over.
        expected = [one for one in expected if "|inGracePeriod|" not in one or one in got]
        expect(got == expected, f"{corpus.name} at {at}:\n{got}\ninstead of\n{expected}")
        found += len(got)
    return found


def entitlements(command: Path, corpus: Corpus, archive: Path, at: str) -> list[str]:
    arguments = [command, "entitlements", "--quiet", "--at", at, *corpus.options, archive]
    done = subprocess.run(arguments, capture_output=True, text=True)
    expect(done.returncode in (0, 1), f"entitlements: {done.stderr}")
    names = ("environment", "appBundleID", "productID", "state", "id", "originalID", "ownershipType")
    return ["|".join(json.loads(line).get(name, "") for name in names) for line in done.stdout.splitlines()]


def die_and_repeat(databases: Databases, command: Path, corpus: Corpus, archive: Path) -> None:
    """The loader dies, then the verifier dies; the next load leaves the same rows as an undisturbed one."""
    databases.create("dying")
    whole = [line + "\n" for line in verify(command, corpus, "--output", "typed")]
    environment = {**databases.environment, "PGDATABASE": "dying"}
    loader = subprocess.Popen(
        ["psql", "-q", "-v", "ON_ERROR_STOP=1", "-f", "load_typed.sql"],
        env=environment, cwd=databases.folder, stdin=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert loader.stdin
    loader.stdin.writelines(whole[: len(whole) // 2])
    loader.stdin.flush()
    wait_until(lambda: bool(databases.query("dying", "SELECT 1 FROM pg_stat_progress_copy WHERE tuples_processed > 0")))
    loader.send_signal(signal.SIGKILL)
    loader.wait()
    loader.stdin.close()
    expect(databases.contents("dying") == [], "a loader that was killed has left rows")

    # A verifier that dies in the place of the command: after half of its lines, or in the middle of one.
    place = databases.folder / "dying"
    place.mkdir()
    path = databases.environment["PATH"]
    for script in ("load_typed.sh", "load_rows.sh"):
        for cut in (f"-n {len(corpus.tokens) // 2}", f"-c $(($(wc -c <{place}/all) / 2))"):
            (place / "storekit-verify").write_text(
                # Four arguments ask for the columns' names.
                f'#!/bin/sh\n{command} "$@" >{place}/all\n[ $# -gt 4 ] || exec cat {place}/all\n'
                f"head {cut} {place}/all\nkill -9 $$\n"
            )
            (place / "storekit-verify").chmod(0o755)
            databases.environment["PATH"] = f"{place}:{path}"
            status = databases.load("dying", script, archive, corpus.options)
            databases.environment["PATH"] = path
            expect(status != 0, f"{script} is content with a verifier that was killed")
            expect(databases.contents("dying") == [], f"{script}: a verifier that was killed has left rows")
        expect(databases.load("dying", script, archive, corpus.options) == 0, f"{script}: the load that follows")
        expect(databases.contents("dying") == databases.contents(f"{corpus.name}_typed"), "a repeated load differs")
        databases.query("dying", "TRUNCATE transactions, renewals")


def check_refunds(databases: Databases) -> None:
    """Of two versions of one instant the refund counts, and a refund of a restored copy covers later ones."""
    temporary = "CREATE TEMP TABLE new_{0} (LIKE {0});"
    begin = "BEGIN;" + "".join(temporary.format(table) for table in TABLES)
    sold, refunded = (PURCHASE.format(1, 5, date, "PURCHASED") for date in ("NULL", "'2026-01-08'"))
    for number, versions in enumerate(((sold, refunded), (refunded, sold))):
        databases.create(f"instant_{number}")
        # In one load, and in two.
        together = begin + "".join(f"INSERT INTO new_transactions VALUES {version};" for version in versions)
        apart = [f"{begin} INSERT INTO new_transactions VALUES {version};" for version in versions]
        for load in ([together], apart):
            databases.query(f"instant_{number}", "TRUNCATE transactions")
            for sql in load:
                databases.query(f"instant_{number}", f"{sql}\n\\ir merge.sql\nCOMMIT;\n")
            found = databases.query(f"instant_{number}", "SELECT revocation_date IS NOT NULL FROM transactions")
            expect(found == ["t"], f"of two versions of one instant {found} counts")

    databases.create("copies")
    for ownership, owned in (("PURCHASED", []), ("FAMILY_SHARED", ["3"])):
        copies = [sold, PURCHASE.format(2, 7, "'2026-01-08'", ownership), PURCHASE.format(3, 9, "NULL", "PURCHASED")]
        databases.query("copies", f"TRUNCATE transactions; INSERT INTO transactions VALUES {', '.join(copies)}")
        found = databases.query("copies", "SELECT transaction_id FROM owned('2026-01-10')")
        expect(found == owned, f"after the refund of a copy ({ownership}) {found} are owned")
    print("postgresql: a refund counts against a version of the same instant, and for later copies")


def check_webhooks(databases: Databases, command: Path, folder: Path) -> None:
    """All samples as they are written, on webhooks alone, in three time zones, against a recount."""
    webhooks = archives.make(command.parent, folder)
    path = webhooks.write(folder / "archive.ndjson")
    roots = [text for root in webhooks.roots for text in ("--root", str(root))]
    at = datetime(2025, 12, 10, tzinfo=timezone.utc)
    days = [int(datetime(2025, 12, day, tzinfo=timezone.utc).timestamp()) * 1000 for day in range(1, 32)]
    owned = recount.owned(webhooks.payloads, "Production", int(at.timestamp()) * 1000)
    expected = [spelt(row) for row in owned + recount.owners(webhooks.payloads, "Production", days)]
    expect(len(owned) > 20, f"only {len(owned)} owned anything")
    load_analysts = [text for text in shell_of("ForAnalysts") if text.startswith("# load_postgresql.sh\n")]
    analysts = folder / "analysts"
    analysts.mkdir()
    for zone in archives.ZONES:
        databases.environment |= {"TZ": zone, "PGTZ": zone}
        for form in ("typed", "rows"):
            name = f"webhooks_{form}_{zone.split('/')[-1].lower()}"
            databases.create(name)
            expect(databases.load(name, f"load_{form}.sh", path, roots) == 0, f"load_{form}.sh")
            found = databases.query(name, "", "-f", "questions.sql")
            expect(sorted(found) == sorted(expected), f"questions.sql, {form} in {zone}:\n{found}\nnot\n{expected}")
        # The table of the page For analysts, which says that PostgreSQL takes it.
        databases.query(name, sql_of("ForAnalysts")[0].split("COPY")[0])
        rows = verify(command, Corpus("", webhooks.lines, webhooks.roots), "--output", "rows", "--format", "csv")
        (analysts / "rows.csv").write_text("\n".join([*rows, ""]))
        environment = {**databases.environment, "PGDATABASE": name}
        done = subprocess.run(["sh", "-e", "-c", load_analysts[0]], cwd=analysts, env=environment, capture_output=True)
        expect(done.returncode == 0, f"load_postgresql.sh: {done.stderr.decode()}")
        expect(databases.query(name, CHARGES) == sorted(map(spelt, charges(webhooks.payloads))), f"charges in {zone}")
    print(f"postgresql: {len(webhooks.lines)} webhooks in {len(archives.ZONES)} time zones: the numbers of a recount")


def charges(payloads: recount.Payloads) -> list[tuple[object, ...]]:
    """Of all rows with a transaction: how many there are in each month, and the sum of their prices."""
    prices: dict[str, list[Decimal]] = defaultdict(list)
    for *_, transaction in payloads.transactions:
        prices[recount.month(transaction["purchaseDate"])].append(recount.price(transaction) or Decimal())
    return [(month, len(found), sum(found).quantize(recount.THOUSANDTH)) for month, found in prices.items()]


def spelt(row: tuple[object, ...]) -> str:
    """A row as psql writes it."""
    texts = ["" if value is None else str(value) for value in row]
    # A date without a fraction of a second, or with its digits alone.
    return "|".join(re.sub(r"(\.\d*?)0+$", r"\1", text) if re.match(r"\d{4}-.*\.", text) else text for text in texts)


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(300):
        if holds():
            return
        time.sleep(0.1)
    expect(False, "nothing has happened for 30 seconds")


def main() -> None:
    command, folder = arguments()
    samples("PostgreSQL", folder, SAMPLES)
    purchases = [VECTORS / f"valid/{name}.jws" for name in ("transactions", "renewal-info", "notifications")]
    (folder / "population").write_text(POPULATION)
    population = simulated(command, folder, str(folder / "population"))
    chosen = [population, Corpus("vectors", list(tokens_of(purchases)), [TEST_ROOT])]
    chosen += [simulated(command, folder, scenario) for scenario in SCENARIOS]
    chosen += [corpus for corpus in corpora() if corpus.name == "genuine"]
    with postgresql(folder) as environment:
        databases = Databases(folder, command, environment)
        for corpus in chosen:
            archive = corpus.write(folder / f"{corpus.name}.jws")
            load_and_compare(databases, corpus, archive)
            found = compare_entitlements(databases, command, corpus, archive)
            expect(found > 0, f"{corpus.name}: no customer ever owned anything")
            databases.query(f"{corpus.name}_typed", "", "-f", "questions.sql")
            print(f"postgresql: {corpus.name}: {len(corpus.tokens)} payloads, {found} entitlements as by the command")
        die_and_repeat(databases, command, population, folder / "population.jws")
        check_refunds(databases)
        check_webhooks(databases, command, folder)
    print("postgresql: loads that died and were repeated left the same rows")


if __name__ == "__main__":
    main()
