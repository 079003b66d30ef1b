"""The table of cases that every door is tried with: Tests/Support/DoorCases/cases.json."""

from __future__ import annotations

import json
import runpy
from typing import Any

import pytest

from conftest import REPOSITORY, VECTORS, lines_of
from storekit_verify import Verifier, device_hash

DOORS = REPOSITORY / "Tests/Support/DoorCases"
TABLE: dict[str, Any] = json.loads((DOORS / "cases.json").read_text())


def concerned(group: str) -> bool:
    return not TABLE["groups"][group]["doors"]["bindings"].startswith("not concerned")


def quoted(token: bytes) -> bytes:
    """The token as mails have it: in lines of 76 characters, each with "> " before it."""
    return b"\n".join(b"> " + token[start : start + 76] for start in range(0, len(token), 76))


def parts(case: dict[str, Any]) -> bytes:
    token, receipt = (lines_of(VECTORS / "valid" / name)[0] for name in ("transactions.jws", "receipts.b64"))
    text = "".join(case["parts"]).encode()
    for name, payload in (
        (b"OBJECT", b'{"signedPayload":"' + token + b'"}'), (b"TOKEN", token), (b"RECEIPT", receipt),
        (b"QUOTED-MAIL", quoted(token)),
    ):
        text = text.replace(name, payload)
    return text


def outcome(verdict: dict[str, Any]) -> str:
    return "verified" if verdict["verified"] else str(verdict["error"])


def test_uuids() -> None:
    assert concerned("uuids")
    other = "00000000-0000-0000-0000-000000000000"
    for case in TABLE["uuids"]:
        text = case["text"]
        for ask in (
            lambda: Verifier(device_id=text), lambda: device_hash(text, other), lambda: device_hash(other, text)
        ):
            if case["isUUID"]:
                ask()
            else:
                with pytest.raises(ValueError, match="UUID"):
                    ask()


def test_inspection(verifier: Verifier) -> None:
    assert concerned("inspection")
    for case in TABLE["inputs"]:
        found = outcome(json.loads(verifier.inspect(parts(case), json=True)))
        # Nothing is an empty token here.
        assert found == case["inspection"].replace("nothing", "invalidEncoding"), case


def test_lines(verifier: Verifier) -> None:
    assert concerned("lines")
    for case in TABLE["inputs"]:
        verdicts = [json.loads(line) for line in verifier.verify_lines(parts(case)).splitlines()]
        found = [{"line": verdict["line"], "outcome": outcome(verdict)} for verdict in verdicts]
        assert found == case["lines"], case


def test_random_lines(verifier: Verifier) -> None:
    token, receipt = (lines_of(VECTORS / "valid" / name)[0] for name in ("transactions.jws", "receipts.b64"))
    for text, _, expected in runpy.run_path(str(DOORS / "random_lines.py"))["texts"](token, receipt, 400):
        verdicts = [json.loads(line) for line in verifier.verify_lines(text).splitlines()]
        assert [{"line": verdict["line"], "outcome": outcome(verdict)} for verdict in verdicts] == expected, text
