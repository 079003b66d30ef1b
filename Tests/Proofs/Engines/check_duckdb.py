"""The page about DuckDB: files of verdicts, a loader that dies, and verdicts within a query."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import archive
import duckdb
import recount
from kit import Corpus, arguments, corpora, expect, samples, sql_of, spread, verdicts, verify

SAMPLES = {
    "duckdb_load.py", "load.sh", "by_error.sql", "transactions.sql", "by_product.sql", "duckdb_function.py",
    "verify.sql", "duckdb_rows.py",
}  # fmt: skip


def write_parts(command: Path, corpus: Corpus, folder: Path) -> list[Path]:
    """The command's verdicts on each part of the tokens, in files."""
    paths = []
    for number, tokens in enumerate(spread(corpus.tokens)):
        lines = verify(command, Corpus(corpus.name, tokens, corpus.roots))
        paths.append(folder / f"{corpus.name}-{number}.ndjson")
        paths[-1].write_text("".join(line + "\n" for line in lines))
    return paths


def load(folder: Path, database: Path, files: list[Path]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, folder / "duckdb_load.py", database, *files])


def die_in_the_middle(folder: Path, database: Path, files: list[Path]) -> None:
    """Kills a loader that has read one file, and half of the second."""
    lines = files[1].read_bytes().splitlines(keepends=True)
    files[1].unlink()
    os.mkfifo(files[1])
    loader = load(folder, database, files)
    with files[1].open("wb") as pipe:
        pipe.writelines(lines[: len(lines) // 2])
        pipe.flush()
        time.sleep(0.2)
        expect(loader.poll() is None, "the loader has not waited for the rest of a file")
        loader.send_signal(signal.SIGKILL)
        loader.wait()
    files[1].unlink()
    files[1].write_bytes(b"".join(lines))
    with duckdb.connect(str(database)) as connection:
        left = connection.execute("SELECT DISTINCT source FROM verdicts").fetchall()
    expect(left == [(str(files[0]),)], f"a loader that was killed in its second file has left {left}")


def check_files(command: Path, corpus: Corpus, folder: Path) -> None:
    files, database = write_parts(command, corpus, folder), folder / f"{corpus.name}.db"
    die_in_the_middle(folder, database, files)
    for _ in range(2):
        expect(load(folder, database, files).wait() == 0, "duckdb_load.py")
    wanted = [verdict for part in spread(corpus.tokens) for verdict in verdicts(command, Corpus("", part, corpus.roots))]
    with duckdb.connect(str(database)) as connection:
        rows = connection.execute(
            "SELECT line, verified, type, error, message FROM verdicts ORDER BY source, line"
        ).fetchall()
        names = ("line", "verified", "type", "error", "message")
        expect(rows == [tuple(verdict.get(name) for name in names) for verdict in wanted], "the rows of the files")
        errors = connection.execute((folder / "by_error.sql").read_text()).fetchall()
        counted = Counter((verdict.get("error", "verified"), verdict.get("type")) for verdict in wanted)
        expect({row[:2]: row[2] for row in errors} == counted, "the number of each verdict")
        products = by_product(connection, folder)
        payloads = recount.Payloads()
        for verdict in wanted:
            if verdict["verified"]:
                payloads.add(verdict["payload"])
        expect(0 < sum(row[3] for row in products) == len(payloads.last()), "the products")
    print(f"duckdb: {corpus.name}: {len(rows)} verdicts from files, after a loader that died: each once, in order")


def check_function(command: Path, corpus: Corpus, folder: Path) -> None:
    from duckdb_function import add_verdict
    from storekit_verify import Verifier

    wanted = verdicts(command, corpus)
    with duckdb.connect() as connection:
        add_verdict(connection, Verifier(roots=[root.read_bytes() for root in corpus.roots] or None))
        connection.execute("CREATE TABLE tokens (id BIGINT, token VARCHAR)")
        connection.executemany("INSERT INTO tokens VALUES (?, ?)", list(enumerate(corpus.tokens)))
        rows = connection.execute((folder / "verify.sql").read_text()).fetchall()
    expect([row[:3] for row in rows] == [(n, v["verified"], v.get("error")) for n, v in enumerate(wanted)], "verify.sql")
    expect(all((row[3] is not None) == row[1] for row in rows), "the payloads of verify.sql")
    print(f"duckdb: {corpus.name}: {len(rows)} tokens verified within a query, as by the command")


def by_product(connection: duckdb.DuckDBPyConnection, folder: Path) -> list[tuple[object, ...]]:
    connection.execute((folder / "transactions.sql").read_text())
    return connection.execute((folder / "by_product.sql").read_text()).fetchall()


def check_one_instant(folder: Path) -> None:
    """Of two versions that were signed at one instant, the one with a refund counts, whichever comes first."""
    payload = '{"environment": "Production", "bundleId": "a", "transactionId": "1", "signedDate": 1772400000000'
    for endings in (("}", ', "revocationDate": 1772400000000}'), (', "revocationDate": 1772400000000}', "}")):
        with duckdb.connect() as connection:
            connection.execute("CREATE TABLE verdicts (source VARCHAR, line BIGINT, type VARCHAR, payload JSON)")
            rows = [("archive", line, "transaction", payload + ending) for line, ending in enumerate(endings)]
            connection.executemany("INSERT INTO verdicts VALUES (?, ?, ?, ?)", rows)
            connection.execute((folder / "transactions.sql").read_text())
            found = connection.execute("SELECT payload->>'revocationDate' FROM transactions").fetchall()
            expect(found == [("1772400000000",)], f"of two versions of one instant {found} counts")


def check_webhooks(command: Path, folder: Path) -> None:
    """All samples as they are written, on webhooks alone, in three time zones, against a recount."""
    from duckdb_rows import add_rows
    from storekit_verify import Verifier

    webhooks = archive.make(command.parent, folder)
    webhooks.write(folder / "archive.ndjson")
    paths = [archive.command_for(command.parent, webhooks, folder / "bin"), Path(sys.executable).parent]
    environment = {**os.environ, "PATH": os.pathsep.join([*map(str, paths), os.environ["PATH"]])}
    done = subprocess.run(["sh", "-e", "load.sh"], cwd=folder, env=environment)
    expect(done.returncode == 0, f"load.sh ended with {done.returncode}")
    verifier = Verifier(roots=[root.read_bytes() for root in webhooks.roots])
    sold = webhooks.payloads.sales("Production")
    expected = {
        "-- revenue": recount.revenue(sold), "-- refunds": recount.refunds(sold),
        "-- churn": recount.churn(sold, webhooks.payloads.latest),
    }  # fmt: skip
    for zone in archive.ZONES:
        with duckdb.connect(str(folder / "verdicts.db")) as connection:
            connection.execute(f"SET TimeZone = '{zone}'")
            found = by_product(connection, folder)
            expect_same(f"by_product.sql in {zone}", found, recount.products(webhooks.payloads))
        with duckdb.connect() as connection:
            connection.execute(f"SET TimeZone = '{zone}'")
            create, *queries = sql_of("ForAnalysts")
            connection.execute(create.split("COPY")[0])
            add_rows(connection, verifier, webhooks.tokens)
            for query in queries:
                # That view reads a file.
                if "read_csv" in query:
                    continue
                found, title = connection.execute(query).fetchall(), query.split("\n")[0]
                if title in expected:
                    expect_same(f"{title[3:]} of rows from Arrow in {zone}", found, expected[title])
    print(f"duckdb: {len(webhooks.lines)} webhooks in {len(archive.ZONES)} time zones: the numbers of a recount")


def expect_same(what: str, found: list[tuple[object, ...]], expected: list[tuple[object, ...]]) -> None:
    text = recount.difference(found, expected)
    expect(text is None and len(found) > 0, f"{what}: {text}")


def main() -> None:
    command, folder = arguments()
    samples("DuckDB", folder, SAMPLES)
    sys.path.insert(0, str(folder))
    for corpus in corpora():
        check_files(command, corpus, folder)
        check_function(command, corpus, folder)
    check_one_instant(folder)
    check_webhooks(command, folder)


if __name__ == "__main__":
    main()
