"""The page about PostgreSQL: loads that die, are repeated and meet, and periods against `entitlements`."""

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
    TEST_ROOT, VECTORS, Corpus, arguments, corpora, expect, postgresql, samples, shell_of, sql_of, tables_of_analysts,
    tokens_of, verify,
)  # fmt: skip

POPULATION = """set grace 16d
population 20 for 1y churn=10% failures=20% recovery=50% refunds=10%
"""
SCENARIOS = (
    "upgrade", "grace-period", "refund-reversed", "family", "family-product", "non-renewing", "win-back",
    "advanced-commerce",
)  # fmt: skip
TABLES = ("charges", "periods")
# One line for each product of a customer, as `entitlements` writes it.
OWNED = """SELECT DISTINCT ON (customer, environment, bundleID, productID, ownershipType)
                  environment, bundleID, productID, coalesce(state, ''), transactionID, originalTransactionID,
                  ownershipType
           FROM periods WHERE begins <= :'at' AND (ends IS NULL OR :'at' < ends)
           ORDER BY customer, environment, bundleID, productID, ownershipType, purchaseDate DESC,
                    transactionID::numeric DESC"""
# All instants at which something changes, and a little before and after. A purchase of the next minute counts as an
# entitlement already, because clocks differ: no instant is so near before one.
INSTANTS = """SELECT DISTINCT to_char(i AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS spelt
              FROM (SELECT unnest(ARRAY[begins, ends, purchaseDate, expirationDate]) FROM periods
                    UNION SELECT date FROM charges) AS t (d),
                   (VALUES (interval '-1 s'), ('0'), ('1 h')) AS u (s), LATERAL (SELECT d + s) AS v (i)
              WHERE i IS NOT NULL AND NOT EXISTS (
                  SELECT FROM periods WHERE purchaseDate > i AND purchaseDate <= i + interval '1 min')
              ORDER BY spelt"""
CHARGES = """SELECT to_char(purchaseDate AT TIME ZONE 'UTC', 'YYYY-MM'), count(*), sum(coalesce(price, 0))
             FROM payloads WHERE transactionID IS NOT NULL GROUP BY 1 ORDER BY 1"""


class Databases:
    """Databases of a server, by psql."""

    def __init__(self, folder: Path, command: Path, environment: dict[str, str]) -> None:
        self.folder, self.environment = folder, {**environment, "PATH": f"{command.parent}:{os.environ['PATH']}"}

    def create(self, name: str) -> None:
        subprocess.run(["createdb", name], env=self.environment, check=True)
        self.query(name, "\n".join(tables_of_analysts().values()))
        self.query(name, "", "-f", "indexes.sql")

    def query(self, name: str, sql: str, *options: str) -> list[str]:
        command = ["psql", "-qAt", "-v", "ON_ERROR_STOP=1", "-d", name, *options]
        done = subprocess.run(
            command, input=sql, env=self.environment, cwd=self.folder, capture_output=True, text=True
        )
        expect(done.returncode == 0, f"psql: {done.stderr}")
        return done.stdout.splitlines()

    def contents(self, name: str) -> list[str]:
        return [row for table in TABLES for row in self.query(name, f"SELECT t FROM {table} AS t ORDER BY t::text")]

    def start(self, name: str, archives: list[Path], corpus: Corpus, folder: Path) -> subprocess.Popen[bytes]:
        """Starts the page's script in a folder, for the environment of the payloads."""
        script = (self.folder / "load.sh").read_text().replace("Production", environment_of(corpus))
        return subprocess.Popen(
            ["sh", "-c", script, "load.sh", "--quiet", *corpus.options, *archives],
            env={**self.environment, "PGDATABASE": name}, cwd=folder, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def load(self, name: str, archives: list[Path], corpus: Corpus) -> int:
        return self.start(name, archives, corpus, self.folder).wait()


def environment_of(corpus: Corpus) -> str:
    return "Sandbox" if corpus.name in ("vectors", "genuine") else "Production"


def simulated(command: Path, folder: Path, scenario: str) -> Corpus:
    """Purchases, renewals and refunds of a simulated App Store's customers; with repetitions and spoilt lines."""
    name, root = Path(scenario).name.replace("-", "_"), folder / f"{Path(scenario).name}.pem"
    options = ["--scenario", scenario, "--seed", "1", "--write-root", root, "--format", "tokens"]
    arguments = [command.with_name("storekit-test"), "run", *options, "--environment", "Production"]
    spoilt = ["--duplicates", "20", "--disorder", "20", "--broken", "3"]
    done = subprocess.run([*arguments, *spoilt], stdout=subprocess.PIPE, text=True, check=True)
    return Corpus(name, done.stdout.split(), [root])


def load_and_compare(databases: Databases, command: Path, corpus: Corpus, archive: Path) -> int:
    """The tables have the command's lines, each once, also after a second load, and from archives in another order."""
    databases.create(corpus.name)
    for _ in range(2):
        status = databases.load(corpus.name, [archive], corpus)
        expect(status == 0, f"load.sh ended with {status}")
        for table in TABLES:
            options = ["--quiet", "--environment", environment_of(corpus), *corpus.options, archive]
            done = subprocess.run([command, table, *options], capture_output=True, text=True)
            lines = map(json.loads, done.stdout.splitlines())
            rows = list(map(json.loads, databases.query(corpus.name, f"SELECT row_to_json(t) FROM {table} AS t")))
            expect(sorted(map(plain, rows)) == sorted(map(plain, lines)), f"{corpus.name}: the rows of {table}")
            expect(len(rows) > 0, f"{corpus.name}: {table} has no rows")
    first = databases.contents(corpus.name)

    halves = []
    for number, half in enumerate((corpus.tokens[::-2], corpus.tokens[-2::-2])):
        halves.append(archive.with_suffix(f".half{number}"))
        halves[-1].write_text("".join(token + "\n" for token in half))
    databases.create(f"{corpus.name}_backwards")
    databases.load(f"{corpus.name}_backwards", halves, corpus)
    expect(databases.contents(f"{corpus.name}_backwards") == first, f"{corpus.name}: the order of arrival matters")
    return len(first)


def plain(row: dict[str, object]) -> str:
    """A row in one spelling of its dates and decimals."""
    texts = []
    for name, value in row.items():
        if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\dT", value):
            value = datetime.fromisoformat(value).astimezone(timezone.utc).isoformat()
        elif name in ("amount", "estimate") and value is not None:
            value = str(Decimal(str(value)).quantize(recount.THOUSANDTH))
        texts.append(f"{name.lower()}={value}")
    return " ".join(sorted(texts))


def compare_entitlements(databases: Databases, command: Path, corpus: Corpus, archive: Path) -> int:
    """The owners, at every instant at which something changes and a little before and after."""
    found = 0
    wanted = databases.query(corpus.name, INSTANTS)
    for at in wanted[:: max(1, len(wanted) // 60)]:
        expected = sorted(entitlements(command, corpus, archive, at))
        got = sorted(databases.query(corpus.name, OWNED, "-v", f"at={at}"))
        expect(got == expected, f"{corpus.name} at {at}:\n{got}\ninstead of\n{expected}")
        found += len(got)
    return found


def entitlements(command: Path, corpus: Corpus, archive: Path, at: str) -> list[str]:
    environment = ["--environment", environment_of(corpus)]
    arguments = [command, "entitlements", "--quiet", "--at", at, *environment, *corpus.options, archive]
    done = subprocess.run(arguments, capture_output=True, text=True)
    expect(done.returncode in (0, 1), f"entitlements: {done.stderr}")
    names = ("environment", "appBundleID", "productID", "state", "id", "originalID", "ownershipType")
    return ["|".join(json.loads(line).get(name, "") for name in names) for line in done.stdout.splitlines()]


def die_and_repeat(databases: Databases, command: Path, corpus: Corpus, archive: Path) -> None:
    """The loader dies, then the command dies: the rows stay. The next load leaves those of an undisturbed one."""
    databases.create("dying")
    # What was there before: the first payloads alone.
    few = corpus.write(archive.with_suffix(".few"), corpus.tokens[:20])
    expect(databases.load("dying", [few], corpus) == 0, "load.sh of a few payloads")
    before, whole = databases.contents("dying"), databases.contents(corpus.name)
    expect(0 < len(before) < len(whole), "a few payloads give as many rows as all")

    place = databases.folder / "dying"
    place.mkdir()
    for name in ("charges.csv", "periods.csv", "load.sql"):
        (place / name).write_bytes((databases.folder / name).read_bytes())
    header, rows = (place / "periods.csv").read_bytes().split(b"\r\n", 1)
    (place / "periods.csv").unlink()
    os.mkfifo(place / "periods.csv")
    environment = {**databases.environment, "PGDATABASE": "dying"}
    loader = subprocess.Popen(["psql", "-q", "-v", "ON_ERROR_STOP=1", "-f", "load.sql"], env=environment, cwd=place)
    with (place / "periods.csv").open("wb") as pipe:
        # The pages that psql sends at once, and no end.
        pipe.write(header + b"\r\n" + rows * (1 + 200_000 // len(rows)))
        pipe.flush()
        copying = "SELECT 1 FROM pg_stat_progress_copy WHERE tuples_processed > 0"
        wait_until(lambda: bool(databases.query("dying", copying)))
        expect(databases.contents("dying") == before, "a query sees the rows of a load that goes on")
        loader.send_signal(signal.SIGKILL)
        loader.wait()
    expect(databases.contents("dying") == before, "a loader that was killed has changed rows")

    # A command that dies after a half of its lines, or in the middle of one.
    path = databases.environment["PATH"]
    for table in TABLES:
        for cut in ("-n 5", f"-c $(($(wc -c <{place}/all) / 2))"):
            (place / "storekit-verify").write_text(
                f'#!/bin/sh\n{command} "$@" >{place}/all\n[ "$1" = {table} ] || exec cat {place}/all\n'
                f"head {cut} {place}/all\nkill -9 $$\n"
            )
            (place / "storekit-verify").chmod(0o755)
            databases.environment["PATH"] = f"{place}:{path}"
            status = databases.load("dying", [archive], corpus)
            databases.environment["PATH"] = path
            expect(status != 0, f"load.sh is content with {table} that were killed")
            expect(databases.contents("dying") == before, f"{table} that were killed have changed rows")
    expect(databases.load("dying", [archive], corpus) == 0, "the load that follows")
    expect(databases.contents("dying") == whole, "a repeated load differs")


def meet(databases: Databases, corpus: Corpus, archive: Path) -> None:
    """Two loads wait for each other, and leave the rows of one."""
    databases.create("meeting")
    blocker = subprocess.Popen(["psql", "-qAt", "-d", "meeting"], env=databases.environment, stdin=subprocess.PIPE)
    assert blocker.stdin
    blocker.stdin.write(b"BEGIN; LOCK TABLE charges IN SHARE ROW EXCLUSIVE MODE;\n")
    blocker.stdin.flush()
    loads = []
    for number in range(2):
        place = databases.folder / f"meeting-{number}"
        place.mkdir()
        (place / "load.sql").write_bytes((databases.folder / "load.sql").read_bytes())
        loads.append(databases.start("meeting", [archive], corpus, place))
    waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = 'meeting' AND wait_event_type = 'Lock' HAVING count(*) = 2"
    wait_until(lambda: bool(databases.query("meeting", waiting)))
    blocker.stdin.write(b"COMMIT;\n")
    blocker.stdin.close()
    expect([load.wait() for load in loads] == [0, 0] and blocker.wait() == 0, "two loads side by side")
    expect(databases.contents("meeting") == databases.contents(corpus.name), "two loads side by side leave other rows")


def check_webhooks(databases: Databases, command: Path, folder: Path) -> None:
    """All samples as they are written, on webhooks alone, in three time zones, against a recount."""
    webhooks = archives.make(command.parent, folder)
    path, corpus = webhooks.write(folder / "archive.ndjson"), Corpus("webhooks", webhooks.lines, webhooks.roots)
    at = datetime(2025, 12, 10, tzinfo=timezone.utc)
    days = [int(datetime(2025, 12, day, tzinfo=timezone.utc).timestamp()) * 1000 for day in range(1, 32)]
    purchases = webhooks.payloads.purchases("Production")
    owned = recount.owned(purchases, int(at.timestamp()) * 1000)
    months = recount.charges(webhooks.payloads.lines("Production"))
    expected = [spelt(row) for row in owned + recount.owners(purchases, days) + months]
    expect(len(owned) > 20 and len(months) > 20, f"only {len(owned)} owned anything")
    load_analysts = [text for text in shell_of("ForAnalysts") if text.startswith("# load_postgresql.sh\n")]
    for zone in archives.ZONES:
        databases.environment |= {"TZ": zone, "PGTZ": zone}
        name = f"webhooks_{zone.split('/')[-1].lower()}"
        databases.create(name)
        expect(databases.load(name, [path], corpus) == 0, "load.sh")
        found = databases.query(name, "", "-f", "questions.sql")
        expect(sorted(found) == sorted(expected), f"questions.sql in {zone}:\n{found}\nnot\n{expected}")
        # The tables of the page For analysts, which says that PostgreSQL takes them.
        loaded = databases.contents(name)
        databases.query(name, "TRUNCATE charges, periods")
        databases.query(name, sql_of("ForAnalysts")[0].split("COPY")[0])
        rows = verify(command, corpus, "--output", "rows", "--format", "csv")
        (folder / "rows.csv").write_text("\n".join([*rows, ""]))
        environment = {**databases.environment, "PGDATABASE": name}
        done = subprocess.run(["sh", "-e", "-c", load_analysts[0]], cwd=folder, env=environment, capture_output=True)
        expect(done.returncode == 0, f"load_postgresql.sh: {done.stderr.decode()}")
        expect(databases.query(name, CHARGES) == sorted(map(spelt, charges(webhooks.payloads))), f"charges in {zone}")
        expect(databases.contents(name) == loaded, f"load_postgresql.sh in {zone}: charges and periods")
    print(f"postgresql: {len(webhooks.lines)} webhooks in {len(archives.ZONES)} time zones: the numbers of a recount")


def charges(payloads: recount.Payloads) -> list[tuple[object, ...]]:
    """Of all rows with a transaction: how many there are in each month, and the sum of their prices."""
    prices: dict[str, list[Decimal]] = defaultdict(list)
    for *_, transaction in payloads.transactions:
        prices[recount.month(transaction["purchaseDate"])].append(recount.price(transaction) or Decimal())
    return [(month, len(found), sum(found).quantize(recount.THOUSANDTH)) for month, found in prices.items()]


def spelt(row: tuple[object, ...]) -> str:
    """A row as psql writes it."""
    texts = [
        "" if value is None else str(value.quantize(recount.THOUSANDTH) if isinstance(value, Decimal) else value)
        for value in row
    ]
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
    samples("PostgreSQL", folder, {"indexes.sql", "load.sh", "load.sql", "questions.sql"})
    purchases = [VECTORS / f"valid/{name}.jws" for name in ("transactions", "renewal-info", "notifications")]
    (folder / "population").write_text(POPULATION)
    population = simulated(command, folder, str(folder / "population"))
    chosen = [Corpus("vectors", list(tokens_of(purchases)), [TEST_ROOT])]
    chosen += [simulated(command, folder, scenario) for scenario in SCENARIOS]
    chosen += [corpus for corpus in corpora() if corpus.name == "genuine"]
    # The last one: its files are used again.
    chosen.append(population)
    with postgresql(folder) as environment:
        databases = Databases(folder, command, environment)
        for corpus in chosen:
            archive = corpus.write(folder / f"{corpus.name}.jws")
            rows = load_and_compare(databases, command, corpus, archive)
            found = compare_entitlements(databases, command, corpus, archive)
            expect(found > 0, f"{corpus.name}: no customer ever owned anything")
            databases.query(corpus.name, "", "-f", "questions.sql")
            print(f"postgresql: {corpus.name}: {rows} rows, {found} entitlements as by the command")
        die_and_repeat(databases, command, population, folder / "population.jws")
        meet(databases, population, folder / "population.jws")
        check_webhooks(databases, command, folder)
    print("postgresql: loads that died, were repeated or met left the same rows")


if __name__ == "__main__":
    main()
