"""The examples of the README run, and print what they should."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest

from conftest import ROOTS
from storekit_verify import Verifier


def test_examples(tokens: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOTS[0].parents[2] / "Bindings/Python/README.md").read_text()
    examples = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len(examples) == 3
    # The test vectors are of a root of their own.
    made = 'Verifier(bundle_ids=["com.example.garden"])'
    assert made in examples[0]
    examples[0] = examples[0].replace(made, "made")
    made_here = Verifier(roots=[root.read_bytes() for root in ROOTS], bundle_ids=["com.example.garden"])
    names = {"made": made_here, "token": tokens[0], "tokens": [*tokens, "x"], "pa_tokens": pa.array(tokens)}
    printed = []
    for example in examples:
        exec(example, names)
        printed.append(capsys.readouterr().out)
    assert printed[0].startswith("com.example.garden.")
    assert f"of {len(tokens) + 1}\n" in printed[1] and "invalidEncoding" in printed[1]
    assert "transaction 1" in printed[1]
    assert float(printed[2]) > 0
