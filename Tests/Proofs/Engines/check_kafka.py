"""The page about Kafka: consumers of a group that are killed at the worst moments, and the tables they leave."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import archive
import psycopg
import recount
from kafka_broker import PARTITIONS
from kit import Corpus, arguments, corpora, expect, postgresql, samples, tables_of_analysts, verdicts

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
        process.stdin.writelines(f"{number}\t{json.dumps(token)}\n" for number, token in enumerate(tokens))
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
        return self.rows("SELECT * FROM payloads ORDER BY hash") + self.rows(
            "SELECT * FROM rejected ORDER BY 1, 2, 3"
        )


def check_tables(check: Check, command: Path) -> None:
    """Each verified message is there once, and each other one once at its place."""
    kept, rejected = {}, []
    for number, (token, verdict) in enumerate(zip(check.corpus.tokens, verdicts(command, check.corpus), strict=True)):
        if verdict["verified"]:
            kept[sha256(token.encode()).digest()] = verdict["type"], token
        else:
            text = verdict["message"].replace("\0", "\N{REPLACEMENT CHARACTER}")
            rejected.append((TOPIC, number % PARTITIONS, number // PARTITIONS, verdict["error"], text))
    expect({"transaction", "notification"} <= {kind for kind, _ in kept.values()}, "a kind is missing")
    found = {row[0]: row[1:] for row in check.rows("SELECT * FROM payloads")}
    expect(found == kept, f"{check.corpus.name}: the payloads")
    rows = check.rows("SELECT topic, part, position, error, message FROM rejected ORDER BY 1, 2, 3")
    expect(rows == sorted(rejected), f"{check.corpus.name}: the messages that are not verified")
    counted = Counter(kind for kind, _ in kept.values())
    expect(dict(check.rows((check.folder / "by_kind.sql").read_text())) == counted, f"{check.corpus.name}: by_kind.sql")
    print(f"kafka: {check.corpus.name}: {len(kept)} payloads and {len(rejected)} rejected, each once, after two deaths")


def check_webhooks(command: Path, folder: Path, environment: dict[str, str]) -> None:
    """The charges of webhooks alone, by the page's script, in three time zones, against a recount."""
    webhooks = archive.make(command.parent, folder)
    # Every third message is spread over several lines, as a webhook may log it.
    lines = [json.dumps(json.loads(line), indent=1) if n % 3 == 0 else line for n, line in enumerate(webhooks.lines)]
    corpus = Corpus("webhooks", lines, webhooks.roots)
    with broker(corpus.tokens) as brokers:
        check = Check(folder, corpus, brokers, environment)
        check.run_to_the_end(1)
    expect(check.rows("SELECT DISTINCT kind FROM payloads") == [("notification",)], "webhooks alone gave other kinds")
    check.database.execute("".join(tables_of_analysts().values()))
    path = f"{archive.command_for(command.parent, webhooks, folder / 'bin')}:{os.environ['PATH']}"
    shell = {**environment, "PATH": path, "PGDATABASE": corpus.name}
    done = subprocess.run(["sh", "charges.sh"], cwd=folder, env=shell)
    expect(done.returncode == 0, f"charges.sh ended with {done.returncode}")
    written = len((folder / "archive.ndjson").read_text().splitlines())
    expect(check.rows("SELECT count(*) FROM payloads") == [(written,)], f"charges.sh has written {written} lines")
    query = next(text for text in (folder / "questions.sql").read_text().split(";") if "FROM charges" in text)
    expected = recount.charges(webhooks.payloads.lines("Production"))
    for zone in archive.ZONES:
        check.database.execute(f"SET TIME ZONE '{zone}'")
        found = check.rows(query)
        text = recount.difference(found, expected)
        expect(text is None and len(found) > 20, f"the charges in {zone}: {text}")
    print(f"kafka: {len(webhooks.lines)} webhooks in {len(archive.ZONES)} time zones: the numbers of a recount")


def main() -> None:
    command, folder = arguments()
    samples("Kafka", folder, {"inbox.sql", "kafka_consumer.py", "charges.sh", "by_kind.sql"})
    samples("PostgreSQL", folder, {"indexes.sql", "load.sh", "load.sql", "questions.sql"})

    with postgresql(folder) as environment:
        for corpus in corpora():
            with broker(corpus.tokens) as brokers:
                check = Check(folder, corpus, brokers, environment)
                check.kill_before_the_commit()
                check.kill_after_the_commit()
                check.run_to_the_end(2)
                check_tables(check, command)
                # The whole topic once more, as after a loss of the positions: the payloads are the same.
                before = check.tables()
                check.database.execute("TRUNCATE positions, rejected")
                check.run_to_the_end(1)
                expect(check.tables() == before, f"{corpus.name}: the second reading of the topic has changed rows")
        check_webhooks(command, folder, environment)


if __name__ == "__main__":
    main()
