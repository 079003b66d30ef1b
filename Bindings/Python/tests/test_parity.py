"""Verdicts, payloads and messages are those of the command, to the byte, by each way in and each engine."""

from __future__ import annotations

import datetime
import decimal
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from conftest import command
from storekit_verify import VerificationError, Verifier, __version__

ENGINES = ["portable", "vector", "libcrypto"]
Corpus = tuple[list[bytes], list[Path]]


def verifier_for(corpus: Corpus, **options: Any) -> Verifier:
    roots = corpus[1]
    return Verifier(roots=[root.read_bytes() for root in roots] or None, **options)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("format", ["ndjson", "typed", "rows", "csv"])
def test_lines(corpus: Corpus, engine: str, jobs: int, format: str) -> None:
    options = {"ndjson": ["ndjson"], "typed": ["typed"], "rows": ["rows"], "csv": ["rows", "--format", "csv"]}
    expected = command(*corpus, "--engine", engine, "--output", *options[format])
    # Enough of each line that keys earn their tables, and that there are several shares.
    verifier = verifier_for(corpus, engine=engine, jobs=jobs)
    for _ in range(2):
        assert verifier.verify_lines(b"\n".join(corpus[0]), format=format) == expected


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize("jobs", [1, 3])
def test_many(corpus: Corpus, jobs: int, typed: bool) -> None:
    lines = corpus[0]
    objects = [json.loads(line) for line in command(*corpus, "--output", "typed" if typed else "ndjson").splitlines()]
    verdicts = verifier_for(corpus, jobs=jobs).verify_many(lines * 7, typed=typed)
    assert len(verdicts) == 7 * len(lines)
    assert verdicts.verified_count == 7 * sum(found["verified"] for found in objects)
    for verdict, expected in zip(verdicts, objects * 7):
        assert verdict.verified == bool(verdict) == expected["verified"]
        assert verdict.kind == expected.get("type")
        if not verdict.verified or not typed or "payload" in expected:
            assert verdict.payload == expected.get("payload")
        else:
            assert verdict.payload == expected["value"]
        assert verdict.error == expected.get("error")
        assert verdict.detail == expected.get("detail")
        assert verdict.at == expected.get("at")
        assert verdict.message == expected.get("message")
        assert verdict.retryable == expected.get("retryable", False)


def test_payload_bytes(corpus: Corpus) -> None:
    """The payload's text is as signed: its numbers keep their digits, its members their order."""
    verdicts = verifier_for(corpus).verify_many(corpus[0])
    expected = command(*corpus, "--output", "payload").decode().split("\n")[:-1]
    assert [verdict.json for verdict in verdicts if verdict] == expected


def test_one_by_one(corpus: Corpus) -> None:
    verifier = verifier_for(corpus)
    for line, verdict in zip(corpus[0], verifier.verify_many(corpus[0])):
        try:
            payload = verifier.verify(line)
        except VerificationError as error:
            assert (error.error, error.detail, error.at, error.message) == (
                verdict.error,
                verdict.detail,
                verdict.at,
                verdict.message,
            )
        else:
            assert (payload.json, payload.kind) == (verdict.json, verdict.kind)


@pytest.mark.parametrize("jobs", [1, 3])
def test_arrow_verdicts(corpus: Corpus, jobs: int) -> None:
    objects = [json.loads(line) for line in command(*corpus).splitlines()]
    verifier = verifier_for(corpus, jobs=jobs)
    verdicts = verifier.verify_arrow(pa.array(corpus[0] * 5, pa.binary()))
    verdicts.validate(full=True)
    for found, expected in zip(verdicts.to_pylist(), objects * 5):
        payload = found.pop("payload")
        assert (None if payload is None else json.loads(payload)) == expected.get("payload")
        retryable = found.pop("retryable")
        assert retryable == (None if expected["verified"] else expected.get("retryable", False))
        assert found == {name: expected.get(name) for name in found}


@pytest.mark.parametrize("jobs", [1, 3])
def test_arrow_rows(corpus: Corpus, jobs: int) -> None:
    """Each typed column has the values of the command's rows."""
    expected = [json.loads(line) for line in command(*corpus, "--output", "rows").splitlines()]
    rows = verifier_for(corpus, jobs=jobs).verify_arrow(pa.array(corpus[0] * 3, pa.binary()), form="rows")
    rows.validate(full=True)
    names = [field.name for field in rows.type]
    assert names == list(expected[0])
    for found, written in zip(rows.to_pylist(), expected * 3):
        # An array has no lines.
        written = written | {"line": None}
        assert {name: plain(value) for name, value in found.items()} == {
            name: plain(value) for name, value in written.items()
        }


def test_version() -> None:
    path = os.environ.get("STOREKIT_VERIFY_COMMAND")
    if path is None:
        pytest.skip("STOREKIT_VERIFY_COMMAND names no command")
    printed = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == __version__


def plain(value: Any) -> Any:
    """The same value of an Arrow column and of JSON."""
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, decimal.Decimal):
        return format(value, "f").rstrip("0").rstrip(".") if "." in format(value, "f") else format(value, "f")
    if isinstance(value, (dict, list)):
        return value
    return value
