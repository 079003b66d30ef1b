"""The page about Kafka: consumers of a group that are killed at the worst moments, and the tables they leave."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import archive
import psycopg
import recount
from kafka_broker import PARTITIONS
from kit import Corpus, arguments, corpora, expect, postgresql, samples, verdicts

TOPIC = "signed-payloads"
SECONDS = 60
# A row when no other connection to the database is left.
ALONE = "SELECT FROM pg_stat_activity WHERE datname = current_database() HAVING count(*) = 1"


@contextlib.contextmanager
def broker(tokens: list[str]) -> Iterator[str]:
    """A broker that has the tokens in its topic."""
    process = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("kafka_broker.py"), TOPIC],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin and process.stdout
    try:
        process.stdin.writelines(f"{number}\t{token}\n" for number, token in enumerate(tokens))
        process.stdin.write("end\t\n")
        process.stdin.flush()
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.wait(timeout=SECONDS)


class Check:
    """A topic, a database, and consumers between them."""

    def __init__(self, folder: Path, corpus: Corpus, brokers: str, environment: dict[str, str]) -> None:
        self.folder, self.corpus, self.brokers, self.environment = folder, corpus, brokers, environment
        address = f"host={environment['PGHOST']} user={environment['PGUSER']} dbname={corpus.name}"
        self.address = address
        with psycopg.connect(address.replace(f"dbname={corpus.name}", "dbname=postgres"), autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {corpus.name}")
        self.database = psycopg.connect(address, autocommit=True)
        self.database.execute((folder / "inbox.sql").read_text())

    def consumer(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, self.folder / "kafka_consumer.py", self.brokers, TOPIC, self.address]
        return subprocess.Popen([*command, *self.corpus.roots], env=self.environment)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        return self.database.execute(query).fetchall()

    def handled(self) -> int:
        return sum(row[0] for row in self.rows("SELECT next FROM positions"))

    def wait(self, query: str, what: str) -> None:
        """Waits until a query has a row."""
        end = time.monotonic() + SECONDS
        while not self.rows(query):
            expect(time.monotonic() < end, f"kafka: {what} has not happened")
            time.sleep(0.02)

    def kill_before_the_commit(self) -> None:
        """The consumer has written a payload, and waits for a lock of ours: then it dies."""
        self.database.execute(
            """CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql
               AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END';
               CREATE TRIGGER halt AFTER INSERT ON payloads FOR EACH ROW EXECUTE FUNCTION halt()"""
        )
        with psycopg.connect(self.address) as blocker:
            blocker.execute("SELECT pg_advisory_xact_lock(1)")
            consumer = self.consumer()
            self.wait("SELECT FROM pg_stat_activity WHERE wait_event = 'advisory'", "a write")
            consumer.kill()
            consumer.wait()
        self.wait(ALONE, "the end of a connection")
        self.database.execute("DROP TRIGGER halt ON payloads; DROP FUNCTION halt()")
        expect(self.handled() == 0 and not self.rows("SELECT FROM payloads"), "a consumer that died has left rows")

    def kill_after_the_commit(self) -> None:
        """The consumer dies while the database commits: it never hears that its batch is in, and nor does Kafka."""
        self.database.execute(
            """CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NULL; END';
               CREATE CONSTRAINT TRIGGER linger AFTER UPDATE ON positions DEFERRABLE INITIALLY DEFERRED
               FOR EACH ROW EXECUTE FUNCTION linger()"""
        )
        consumer = self.consumer()
        self.wait("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query = 'COMMIT'", "a commit")
        consumer.kill()
        consumer.wait()
        self.wait(ALONE, "the end of a connection")
        self.database.execute("DROP TRIGGER linger ON positions; DROP FUNCTION linger()")
        expect(0 < self.handled() < len(self.corpus.tokens), f"the commit is lost: {self.handled()} are handled")

    def run_to_the_end(self, consumers: int) -> None:
        """Consumers that live, until all messages are handled."""
        running = [self.consumer() for _ in range(consumers)]
        done = f"SELECT FROM positions HAVING sum(next) = {len(self.corpus.tokens)}"
        try:
            self.wait(done, "the end of the topic")
            expect(all(consumer.poll() is None for consumer in running), "a consumer has ended by itself")
        finally:
            for consumer in running:
                consumer.terminate()
                consumer.wait()

    def tables(self) -> list[tuple[Any, ...]]:
        return self.rows("SELECT kind, name, signed_date, payload::text FROM payloads ORDER BY 1, 2") + self.rows(
            "SELECT * FROM rejected ORDER BY 1, 2, 3"
        )


def check_tables(check: Check, command: Path, names: dict[str, tuple[str, ...]]) -> None:
    """Each payload is there once, in its latest form, and each unverified message once at its place."""
    latest: dict[tuple[str, str], int] = {}
    rejected = []
    found = verdicts(command, check.corpus)
    inside = Corpus("", tokens_inside(found), check.corpus.roots)
    expect(len(inside.tokens) > 0, "no notification has a token inside")
    for number, verdict in enumerate([*found, *verdicts(command, inside)]):
        if not verdict["verified"]:
            text = verdict["message"].replace("\0", "\N{REPLACEMENT CHARACTER}")
            rejected.append((TOPIC, number % PARTITIONS, number // PARTITIONS, verdict["error"], text))
        elif verdict["type"] in names:
            payload = verdict["payload"]
            key = verdict["type"], json.dumps([payload.get(member) for member in names[verdict["type"]]])
            date = payload.get("signedDate", payload.get("receiptCreationDate"))
            latest[key] = max(latest.get(key, 0), date if isinstance(date, (int, float)) else 0)
    expect({"transaction", "notification"} <= {kind for kind, _ in latest}, "a kind is missing")
    query = "SELECT kind, name, round(extract(epoch FROM signed_date) * 1000)::bigint FROM payloads"
    expect({row[:2]: row[2] for row in check.rows(query)} == latest, f"{check.corpus.name}: the payloads")
    rows = check.rows("SELECT topic, part, position, error, message FROM rejected ORDER BY 1, 2, 3")
    expect(rows == sorted(rejected), f"{check.corpus.name}: the messages that are not verified")
    print(f"kafka: {check.corpus.name}: {len(latest)} payloads and {len(rejected)} rejected, each once, after two deaths")


def tokens_inside(found: list[dict[str, Any]]) -> list[str]:
    """The tokens that the verified notifications have as members of their members."""
    payloads = [verdict["payload"] for verdict in found if verdict.get("type") == "notification"]
    parts = [part for payload in payloads for part in payload.values() if isinstance(part, dict)]
    names = ("signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo")
    return [part[name] for part in parts for name in names if isinstance(part.get(name), str)]


def check_one_instant(check: Check, keep: str) -> None:
    """Of two payloads that were signed at one instant, the one with a refund stays, whichever comes first."""
    for number, versions in enumerate(((False, True), (True, False))):
        for revoked in versions:
            check.database.execute(keep, ("transaction", f"instant {number}", 1, revoked, "{}"))
    found = check.rows("SELECT revoked FROM payloads WHERE name LIKE 'instant %'")
    expect(found == [(True,), (True,)], f"of two payloads of one instant {found} stay")


def check_webhooks(command: Path, folder: Path, environment: dict[str, str], keep: str) -> None:
    """The page's question on webhooks alone, in three time zones, against a recount."""
    webhooks = archive.make(command.parent, folder)
    corpus = Corpus("webhooks", webhooks.lines, webhooks.roots)
    with broker(corpus.tokens) as brokers:
        check = Check(folder, corpus, brokers, environment)
        check.run_to_the_end(1)
    kinds = {kind for (kind,) in check.rows("SELECT DISTINCT kind FROM payloads")}
    expect(kinds == {"transaction", "renewalInfo", "notification"}, f"webhooks alone gave only {kinds}")
    expected = recount.charges(webhooks.payloads.sales("Production"))
    for zone in archive.ZONES:
        check.database.execute(f"SET TIME ZONE '{zone}'")
        found = check.rows((folder / "by_month.sql").read_text())
        text = recount.difference(found, expected)
        expect(text is None and len(found) > 0, f"by_month.sql in {zone}: {text}")
    check_one_instant(check, keep)
    print(f"kafka: {len(webhooks.lines)} webhooks in {len(archive.ZONES)} time zones: the numbers of a recount")


def main() -> None:
    command, folder = arguments()
    samples("Kafka", folder, {"inbox.sql", "kafka_consumer.py", "by_month.sql"})
    sys.path.insert(0, str(folder))
    from kafka_consumer import KEEP, NAMES

    with postgresql(folder) as environment:
        for corpus in corpora():
            with broker(corpus.tokens) as brokers:
                check = Check(folder, corpus, brokers, environment)
                check.kill_before_the_commit()
                check.kill_after_the_commit()
                check.run_to_the_end(2)
                check_tables(check, command, NAMES)
                # The whole topic once more, as after a loss of the positions: the payloads are the same.
                before = check.tables()
                check.database.execute("TRUNCATE positions, rejected")
                check.run_to_the_end(1)
                expect(check.tables() == before, f"{corpus.name}: the second reading of the topic has changed rows")
        check_webhooks(command, folder, environment, KEEP)


if __name__ == "__main__":
    main()
