"""The page about Spark: a pipe and Arrow in `local[2, 4]`, with a process that dies in each."""

from __future__ import annotations

import json
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timezone
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import archive
import pyarrow as pa
import recount
import storekit_verify
from kit import Corpus, arguments, corpora, expect, samples, spread, verdicts, verify
from pyspark.sql import SparkSession

SAMPLES = {
    "spark_pipe.py", "storekit_spark.py", "spark_arrow.py", "spark_rows.py", "charges.sh", "charges.sql", "by_month.sql",
    "customers.sql",
}  # fmt: skip
NAMES = ("verified", "type", "error", "at", "detail", "message")
# In the place of the command: once in a folder's life, it kills the command after 5 lines. By then the command has
# written their verdicts, and waits for more.
DYING = """#!/bin/sh
mkdir {died} 2>/dev/null || exec {command} "$@"
mkfifo {died}/lines
{command} "$@" <{died}/lines & verifier=$!
exec 3>{died}/lines
head -n 5 >&3
sleep 0.3
kill -9 $verifier
wait $verifier
"""


def session(folder: Path) -> SparkSession:
    # The workers import the package from where this process has it.
    paths = [str(folder), str(Path(storekit_verify.__file__).parents[1])]
    os.environ["PYTHONPATH"] = os.pathsep.join([*paths, os.environ.get("PYTHONPATH", "")])
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2, 4]").config("spark.ui.enabled", "false")
    # Three batches a partition, so that a worker can die between them; and a partition for each file.
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "100")
    builder = builder.config("spark.hadoop.mapreduce.input.fileinputformat.split.minsize", str(1 << 30))
    builder = builder.config("spark.sql.files.maxPartitionBytes", str(1 << 30))
    builder = builder.config("spark.sql.files.openCostInBytes", str(1 << 30))
    found = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    found.sparkContext.setLogLevel("OFF")
    return found


def run(folder: Path, sample: str, *options: str | Path) -> None:
    """Runs a sample as the main program, in this process's session."""
    sys.argv = [sample, *map(str, options)]
    runpy.run_path(str(folder / sample), run_name="__main__")


def dying_command(command: Path, folder: Path, name: str) -> tuple[Path, Path]:
    """The command that dies once, and the folder that says that it did."""
    script, died = folder / f"{name}-command", folder / f"{name}-died"
    script.write_text(DYING.format(command=command, died=died))
    script.chmod(0o755)
    return script, died


def expected(command: Path, corpus: Corpus) -> list[list[dict[str, Any]]]:
    """The command's verdicts on each part."""
    return [verdicts(command, Corpus(corpus.name, tokens, corpus.roots)) for tokens in spread(corpus.tokens)]


def check_pipe(spark: SparkSession, command: Path, corpus: Corpus, folder: Path) -> None:
    source, target = folder / corpus.name, folder / f"{corpus.name}-pipe"
    script, died = dying_command(command, folder, corpus.name)
    run(folder, "spark_pipe.py", " ".join([str(script), *corpus.options]), f"file://{source}", f"file://{target}")
    expect(died.exists(), "no command has died")
    parts = [path.read_text().splitlines() for path in sorted(target.glob("part-*"))]
    found = [[json.loads(line) for line in part] for part in parts]
    # Spark may order files as it likes.
    wanted = expected(command, corpus)
    expect(sorted(found, key=str) == sorted(wanted, key=str), f"{corpus.name}: the pipe's verdicts")
    print(f"spark: {corpus.name}: {sum(map(len, found))} verdicts by RDD.pipe, after a command that died")

    # The page's warning: without checkCode, the death goes unnoticed.
    script, died = dying_command(command, folder, f"{corpus.name}-unchecked")
    tokens = spark.sparkContext.textFile(f"file://{source}")
    lost = tokens.pipe(" ".join([str(script), *corpus.options]), checkCode=False).count()
    expect(died.exists() and lost < sum(map(len, found)), "the page's warning about checkCode is out of date")


def dying_worker(
    batches: Iterator[pa.RecordBatch], roots: tuple[bytes, ...] = (), *, died: str
) -> Iterator[pa.RecordBatch]:
    """The page's function, in a worker that is killed once, after its first batch has gone to Spark."""
    import storekit_spark

    for batch in storekit_spark.verdicts(batches, roots):
        yield batch
        try:
            os.mkdir(died)
        except FileExistsError:
            continue
        os.kill(os.getpid(), signal.SIGKILL)


def check_arrow(spark: SparkSession, command: Path, corpus: Corpus, folder: Path) -> None:
    import storekit_spark

    target, died = folder / f"{corpus.name}-arrow", folder / f"{corpus.name}-worker-died"
    undisturbed = storekit_spark.verdicts
    storekit_spark.verdicts = partial(dying_worker, died=str(died))
    try:
        run(folder, "spark_arrow.py", f"file://{folder / corpus.name}", f"file://{target}", *corpus.roots)
    finally:
        storekit_spark.verdicts = undisturbed
    expect(died.exists(), "no worker has died")

    rows = spark.read.parquet(f"file://{target}").collect()
    # An identifier has its partition's number above 33 bits of the row's number.
    found: dict[int, list[tuple[Any, ...]]] = {}
    for row in rows:
        part = found.setdefault(row["id"] >> 33, [])
        expect(row["id"] & ((1 << 33) - 1) == len(part), "the order within a partition")
        payload = row["payload"] and json.loads(row["payload"])
        part.append((*(row[name] for name in NAMES), bool(row["retryable"]), payload))
    wanted = [
        [(*map(verdict.get, NAMES), verdict.get("retryable", False), verdict.get("payload")) for verdict in part]
        for part in expected(command, corpus)
    ]
    expect(sorted(found.values(), key=str) == sorted(wanted, key=str), f"{corpus.name}: the verdicts of mapInArrow")
    print(f"spark: {corpus.name}: {len(rows)} verdicts by mapInArrow, after a worker that died")


def check_webhooks(spark: SparkSession, command: Path, folder: Path) -> None:
    """All samples on webhooks alone, with a command that PATH finds; the numbers in three time zones, and a recount."""
    webhooks = archive.make(command.parent, folder)
    source, target = webhooks.write(folder / "archive.ndjson"), folder / "webhooks-pipe"
    path = os.environ["PATH"]
    os.environ["PATH"] = f"{archive.command_for(command.parent, webhooks, folder / 'bin')}:{path}"
    run(folder, "spark_pipe.py", "storekit-verify", f"file://{source}", f"file://{target}")
    os.environ["PATH"] = path
    verdicts = [json.loads(line) for part in target.glob("part-*") for line in part.read_text().splitlines()]
    expect(len(verdicts) == len(webhooks.lines), f"the pipe gave {len(verdicts)} verdicts")
    found = sorted(json.dumps(verdict["payload"]) for verdict in verdicts if verdict["verified"])
    good = [token for number, token in enumerate(webhooks.tokens) if (number + 1) % archive.SPOILT]
    expect(found == sorted(json.dumps(recount.decoded(token)) for token in good), "the payloads of the pipe's verdicts")

    rows = f"file://{folder / 'webhooks-rows'}"
    spark.conf.set("spark.sql.session.timeZone", archive.ZONES[0])
    run(folder, "spark_rows.py", f"file://{source}", rows, *webhooks.roots)
    written = spark.read.parquet(rows).collect()
    check_rows(command, webhooks, [row.asDict() for row in written])
    os.environ["PATH"] = f"{folder / 'bin'}:{path}"
    done = subprocess.run(["sh", "-e", "charges.sh", "archive.ndjson"], cwd=folder, stderr=subprocess.DEVNULL)
    os.environ["PATH"] = path
    expect(done.returncode == 0, f"charges.sh ended with {done.returncode}")
    purchases, day = webhooks.payloads.purchases("Production"), datetime(2025, 12, 10, tzinfo=timezone.utc)
    expected = {
        "by_month.sql": recount.charges(webhooks.payloads.lines("Production")),
        "customers.sql": [row[1:] for row in recount.owners(purchases, [int(day.timestamp()) * 1000])],
    }
    # Paths without a folder are the driver's.
    views = (folder / "charges.sql").read_text().replace("path '", f"path 'file://{folder}/")
    for zone in archive.ZONES:
        spark.conf.set("spark.sql.session.timeZone", zone)
        for statement in views.split(";")[:2]:
            spark.sql(statement)
        for name, wanted in expected.items():
            found = [tuple(row) for row in spark.sql((folder / name).read_text()).collect()]
            text = recount.difference(found, wanted)
            expect(text is None and len(found) > 3, f"{name} in {zone}: {text}")
    print(f"spark: {len(webhooks.lines)} webhooks in {len(archive.ZONES)} time zones: the numbers of a recount")


def check_rows(command: Path, webhooks: archive.Archive, found: list[dict[str, Any]]) -> None:
    """The rows are the command's, but for the numbers of lines."""
    lines = verify(command, Corpus("", webhooks.lines, webhooks.roots), "--output", "rows")

    def plain(row: dict[str, Any]) -> str:
        texts = []
        for name, value in row.items():
            if isinstance(value, datetime):
                # Spark gives dates in the time zone of the process.
                value = value.astimezone(timezone.utc).isoformat(timespec="milliseconds")[:23] + "Z"
            if name not in ("file", "line", "envelope"):
                texts.append(f"{name}={Decimal(value).normalize()}" if isinstance(value, Decimal) else f"{name}={value}")
        return " ".join(texts)

    decimals = {name for row in found for name, value in row.items() if isinstance(value, Decimal)}
    wanted = [json.loads(line) for line in lines]
    for row in wanted:
        row |= {name: Decimal(row[name]) for name in decimals if row[name] is not None}
    expect(sorted(map(plain, found)) == sorted(map(plain, wanted)), "the rows of spark_rows.py")


def main() -> None:
    command, folder = arguments()
    samples("Spark", folder, SAMPLES)
    sys.path.insert(0, str(folder))
    spark = session(folder)
    for corpus in corpora():
        (folder / corpus.name).mkdir()
        for number, tokens in enumerate(spread(corpus.tokens)):
            Corpus("", tokens, []).write(folder / corpus.name / f"part-{number}.jws")
        check_pipe(spark, command, corpus, folder)
        check_arrow(spark, command, corpus, folder)
    check_webhooks(spark, command, folder)
    spark.stop()


if __name__ == "__main__":
    main()
