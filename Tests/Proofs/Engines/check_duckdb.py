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
from kit import Corpus, arguments, corpora, expect, samples, spread, sql_of, tables_of_analysts, verdicts, verify

SAMPLES = {
    "duckdb_load.py", "load.sh", "by_error.sql", "charges.sh", "charges.sql", "duckdb_function.py", "verify.sql",
    "duckdb_rows.py",
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


def check_webhooks(command: Path, folder: Path) -> None:
    """All samples as they are written, on webhooks alone, in three time zones, against a recount."""
    webhooks = archive.make(command.parent, folder)
    webhooks.write(folder / "archive.ndjson")
    paths = [archive.command_for(command.parent, webhooks, folder / "bin"), Path(sys.executable).parent]
    environment = {**os.environ, "PATH": os.pathsep.join([*map(str, paths), os.environ["PATH"]])}
    for script in ("load.sh", "charges.sh"):
        done = subprocess.run(["sh", "-e", script], cwd=folder, env=environment, stderr=subprocess.DEVNULL)
        expect(done.returncode == 0, f"{script} ended with {done.returncode}")
    lines, now = webhooks.payloads.lines("Production"), round(time.time() * 1000)
    expected = {
        "revenue": recount.revenue(lines), "refunds": recount.refunds(lines),
        "churn": recount.churn(webhooks.payloads.purchases("Production"), now),
    }  # fmt: skip
    os.chdir(folder)
    with duckdb.connect("verdicts.db") as connection:
        counted = connection.execute("SELECT verified, count(*) FROM verdicts GROUP BY ALL").fetchall()
    bad = len(webhooks.lines) // archive.SPOILT
    expect(sorted(counted) == [(False, bad), (True, len(webhooks.lines) - bad)], f"load.sh has loaded {counted}")
    for zone in archive.ZONES:
        with duckdb.connect() as connection:
            connection.execute(f"SET TimeZone = '{zone}'")
            check_charges(connection, zone, folder, expected)
            check_rows(connection, zone, webhooks, command)
    print(f"duckdb: {len(webhooks.lines)} webhooks in {len(archive.ZONES)} time zones: the numbers of a recount")


def check_charges(
    connection: duckdb.DuckDBPyConnection, zone: str, folder: Path, expected: dict[str, recount.Rows]
) -> None:
    """A load replaces the tables, one that fails changes nothing, and the queries of the page For analysts agree."""
    load = (folder / "charges.sql").read_text()
    for statement in tables_of_analysts().values():
        connection.execute(statement)
    # A file that is not the command's.
    good = (folder / "periods.csv").read_bytes()
    for _ in range(2):
        connection.execute(load)
        (folder / "periods.csv").write_bytes(good + b"half of a line")
        try:
            connection.execute(load)
            expect(False, "charges.sql has loaded a file that was cut off")
        except duckdb.Error:
            connection.rollback()
        (folder / "periods.csv").write_bytes(good)
        counts = connection.execute("SELECT (SELECT count(*) FROM charges), (SELECT count(*) FROM periods)").fetchall()
        files = tuple(len((folder / f"{name}.csv").read_bytes().splitlines()) - 1 for name in ("charges", "periods"))
        expect(counts == [files], f"charges.sql has loaded {counts} lines of {files}")
    met = set()
    for query in sql_of("ForAnalysts"):
        if query.startswith("CREATE MACRO") or "CREATE MACRO" in query:
            connection.execute(query)
        title = query.split("\n")[0].removeprefix("-- ")
        if title in expected:
            expect_same(f"{title} in {zone}", connection.execute(query).fetchall(), expected[title])
            met.add(title)
    expect(met == expected.keys(), f"the page For analysts has only {met}")


def check_rows(
    connection: duckdb.DuckDBPyConnection, zone: str, webhooks: archive.Archive, command: Path
) -> None:
    """Rows from Arrow are the command's."""
    from duckdb_rows import add_rows
    from storekit_verify import Verifier

    create, load = sql_of("ForAnalysts")[0].split("COPY")
    connection.execute(create)
    add_rows(connection, Verifier(roots=[root.read_bytes() for root in webhooks.roots]), webhooks.tokens)
    lines = verify(command, Corpus("", webhooks.tokens, webhooks.roots), "--output", "rows", "--format", "csv")
    Path("rows.csv").write_text("\n".join([*lines, ""]))
    connection.execute(create.replace("payloads", "of_command") + "COPY" + load.replace("payloads", "of_command"))
    texts = "SELECT COLUMNS(* EXCLUDE (file, line))::VARCHAR FROM"
    for one, other in (("payloads", "of_command"), ("of_command", "payloads")):
        rest = connection.execute(f"{texts} {one} EXCEPT ALL {texts} {other}").fetchall()
        expect(rest == [], f"rows of {one} in {zone} that are not in {other}: {rest[:1]}")
    counted = connection.execute("SELECT count(*) FROM payloads").fetchall()
    expect(counted == [(len(webhooks.tokens),)], f"the rows from Arrow are {counted}")


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
    check_webhooks(command, folder)


if __name__ == "__main__":
    main()
