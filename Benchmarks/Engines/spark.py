"""How much of Spark's speed verifying leaves: `RDD.pipe` with the command ÷ with `cat`, `mapInArrow` ÷ the identity.

    PYTHON Benchmarks/Engines/spark.py COMMAND [--tokens N] [--rounds N]

PYTHON has pyspark, pyarrow, pandas and storekit_verify. PRIVATE_TEST_DATA names a folder with Apple's payloads in
`genuine`; they are repeated until there are enough. Prints a table for Markdown.
"""

from __future__ import annotations

import argparse
import os
import shlex
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pyarrow as pa
import storekit_verify
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, length, monotonically_increasing_id
from pyspark.sql.functions import sum as total

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/Proofs/Engines"))
import kit  # noqa: E402

TOKENS, ROUNDS, PARTITIONS = 80_000, 7, 8


def session(folder: Path) -> SparkSession:
    paths = [str(folder), str(Path(storekit_verify.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.ui.showConsoleProgress", "false").config("spark.driver.memory", "4g").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def write(folder: Path, tokens: list[str], count: int) -> None:
    """Files of equal size, in each of which the payloads take turns."""
    lines = (tokens * (count // len(tokens) + 1))[:count]
    for number in range(PARTITIONS):
        (folder / f"{number}.jws").write_text("".join(line + "\n" for line in lines[number::PARTITIONS]))


def timed(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def identity(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches


def consume(frame: DataFrame) -> None:
    """Reads every row and column, without a disk."""
    frame.write.format("noop").mode("overwrite").save()


def pairs(base: Callable[[], object], measured: Callable[[], object], rounds: int) -> list[tuple[float, float]]:
    """Seconds of both kinds in alternation. The first round warms Java up, and does not count."""
    return [(timed(base), timed(measured)) for _ in range(rounds + 1)][1:]


def row(name: str, seconds: list[tuple[float, float]], count: int) -> str:
    ratios = [base / measured for base, measured in seconds]
    base, measured = (statistics.median(times) for times in zip(*seconds))
    return (
        f"| {name} | {count / base:,.0f} | {count / measured:,.0f} | {statistics.median(ratios):.2f} "
        f"| {min(ratios):.2f}–{max(ratios):.2f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", type=Path)
    parser.add_argument("--tokens", type=int, default=TOKENS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    genuine = kit.genuine() or sys.exit("PRIVATE_TEST_DATA names no folder with Apple's payloads")
    tokens = list(kit.tokens_of(sorted(genuine.glob("jws/*.jws"))))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "tokens"
        source.mkdir()
        write(source, tokens, options.tokens)
        kit.samples("Spark", folder, {"spark_pipe.py", "storekit_spark.py", "spark_arrow.py"})
        sys.path.insert(0, str(folder))
        spark = session(folder)
        print("| | tokens/s without | tokens/s with | ratio | min–max |\n|---|---:|---:|---:|---:|")
        print(pipe_row(spark, source, options.command.resolve(), options.tokens, options.rounds), flush=True)
        print(arrow_row(spark, source, options.tokens, options.rounds), flush=True)
        spark.stop()


def pipe_row(spark: SparkSession, source: Path, command: Path, count: int, rounds: int) -> str:
    tokens = spark.sparkContext.textFile(f"file://{source}")

    def pipe(text: str) -> None:
        lines = tokens.pipe(text, checkCode=True).count()
        assert lines == count, lines

    # The command of the page.
    verifying = shlex.join(["sh", "-c", f"{command} --jobs 1; [ $? -le 1 ]"])
    return row("`RDD.pipe` with the command ÷ with `cat`", pairs(partial(pipe, "cat"), partial(pipe, verifying), rounds), count)


def arrow_row(spark: SparkSession, source: Path, count: int, rounds: int) -> str:
    import storekit_spark

    lines = spark.read.text(f"file://{source}").where("value != ''")
    tokens = lines.select(monotonically_increasing_id().alias("id"), col("value").alias("token"))
    mapped = tokens.mapInArrow(storekit_spark.verdicts, storekit_spark.SCHEMA)
    counted = mapped.agg(total(col("verified").cast("int")), total(length("payload"))).first()
    assert counted is not None and counted[0] > 0.9 * count, counted
    base = partial(consume, tokens.mapInArrow(identity, "id bigint, token string"))
    return row("`mapInArrow` with the verifier ÷ with the identity", pairs(base, partial(consume, mapped), rounds), count)


if __name__ == "__main__":
    main()
