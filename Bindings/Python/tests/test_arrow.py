"""Every layout of Arrow's strings, from every library, and what does not fit."""

from __future__ import annotations

import gc
import resource
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from conftest import ROOTS
from storekit_verify import Verifier, _arrow

TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]


def verdicts(array: Any) -> list[Any]:
    return [None if row is None else row["verified"] for row in array.to_pylist()]


@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("form", ["verdicts", "typed", "rows"])
@pytest.mark.parametrize("jobs", [1, 3])
def test_slices_and_nulls(verifier: Verifier, tokens: list[str], type: pa.DataType, form: str, jobs: int) -> None:
    values = [None, tokens[0], "short", None, *tokens, "", tokens[1][:-1] + "_", None] * 40
    array = pa.array(values, pa.string()).cast(type)
    many = Verifier(roots=[root.read_bytes() for root in ROOTS], jobs=jobs)
    # A payload may lack what StoreKit's type requires; then it is verified, and has no typed form.
    alone = many.verify_many([value or "" for value in values], typed=form == "typed")
    expected = [None if value is None else verdict.verified for value, verdict in zip(values, alone)]
    assert expected.count(True) > 100
    for start, length in [(0, len(values)), (1, 7), (3, 0), (5, 100), (len(values), 0), (9, len(values) - 9)]:
        part = array.slice(start, length)
        found = many.verify_arrow(part, form=form)
        found.validate(full=True)
        assert verdicts(found) == expected[start : start + length]


def test_chunks(verifier: Verifier, tokens: list[str]) -> None:
    chunks = pa.chunked_array([pa.array(tokens[:3]), pa.array([], pa.string()), pa.array([None, "x"])])
    found = verifier.verify_arrow(chunks)
    assert isinstance(found, pa.ChunkedArray) and found.num_chunks == 3
    assert verdicts(found) == [True] * 3 + [None, False]
    empty = verifier.verify_arrow(pa.chunked_array([], pa.string()), form="rows")
    assert len(empty) == 0 and empty.type == verifier.verify_arrow(pa.array(["x"]), form="rows").type


def test_libraries(verifier: Verifier, tokens: list[str]) -> None:
    values = [*tokens[:4], None, "x"]
    expected = [True] * 4 + [None, False]
    assert verdicts(verifier.verify_arrow(pl.Series(values))) == expected
    assert verdicts(verifier.verify_arrow(pd.Series(values))) == expected
    assert verdicts(verifier.verify_arrow(pd.Series(values, dtype="string[pyarrow]"))) == expected


def test_results_enter_other_libraries(verifier: Verifier, tokens: list[str]) -> None:
    rows = verifier.verify_arrow(pa.array(tokens), form="rows")
    table = pa.Table.from_struct_array(rows)
    frame: Any = pl.from_arrow(table)
    assert frame["verified"].all() and frame["signedDate"].dtype == pl.Datetime("ms", "UTC")
    assert table.to_pandas()["productID"].notna().any()


def test_without_pyarrow(verifier: Verifier, tokens: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_arrow, "_pyarrow", lambda: None)
    exported = verifier.verify_arrow(pa.array(tokens))
    assert len(pa.array(exported)) == len(tokens)
    with pytest.raises(ValueError):
        pa.array(exported)
    assert [len(pa.array(chunk)) for chunk in verifier.verify_arrow(pl.Series(tokens))] == [len(tokens)]
    with pytest.raises(TypeError):
        verifier.verify_arrow([1, 2])


@pytest.mark.parametrize(
    "wrong", [pa.array([1, 2]), pa.array([["a"]]), pa.array(["a", "a"]).dictionary_encode(), pa.nulls(2)], ids=str
)
def test_other_types(verifier: Verifier, wrong: pa.Array) -> None:
    with pytest.raises(TypeError, match="format u, U, z, Z, vu or vz"):
        verifier.verify_arrow(wrong)


def test_forms(verifier: Verifier) -> None:
    with pytest.raises(ValueError, match="verdicts, typed, rows"):
        verifier.verify_arrow(pa.array(["a"]), form="row")


def test_memory_is_released(verifier: Verifier, tokens: list[str]) -> None:
    array = pa.array(tokens * 200)

    def peak(rounds: int) -> int:
        for _ in range(rounds):
            verifier.verify_arrow(array)
            verifier.verify_arrow(array, form="rows")
            _arrow.verify(verifier._pointer, pl.Series(tokens), "verdicts")
            list(verifier.verify_many(tokens))[0].payload
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = peak(10)
    # One result has more than two megabytes: sixty that stay would be seen.
    assert peak(60) < before + 20_000
