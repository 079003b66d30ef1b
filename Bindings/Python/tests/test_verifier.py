"""Options, errors and views."""

from __future__ import annotations

import datetime
import gc
import gzip
import json
import pickle
import uuid
from typing import Any

import pytest

from conftest import ROOTS, VECTORS, lines_of
from storekit_verify import Payload, VerificationError, Verdict, Verifier, __version__, device_hash


def test_version() -> None:
    assert __version__.count(".") == 2


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"bundle_ids": [1]}, "bundleIds"),
        ({"app_apple_id": "1"}, "appAppleId"),
        ({"environments": ["production"]}, "Production"),
        ({"device_id": "x"}, "UUID"),
        ({"effective_date": "yesterday"}, "ISO 8601"),
        ({"effective_date": datetime.datetime(2025, 1, 1)}, "time zone"),
        ({"max_token_bytes": 0}, "maxTokenBytes"),
        ({"revocation": "on"}, "soft"),
        ({"engine": "fast"}, "portable"),
        ({"jobs": 0}, "jobs"),
        ({"roots": [b"x"]}, "certificate"),
        ({"roots": []}, "empty"),
        # Empty lists come from variables that are not set, and must not accept every app.
        ({"bundle_ids": []}, "bundleIds"),
        ({"bundle_ids": [""]}, "bundleIds"),
        ({"environments": []}, "environments"),
    ],
)
def test_options_are_strict(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Verifier(**options)


def test_types_are_strict() -> None:
    with pytest.raises(TypeError):
        Verifier(bundle_ids="com.example.garden")
    with pytest.raises(TypeError):
        Verifier(roots=["text"])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        Verifier(bundleIds=["com.example.garden"])  # type: ignore[call-arg]


def test_policy(tokens: list[str]) -> None:
    roots = [root.read_bytes() for root in ROOTS]
    payload = Verifier(roots=roots).verify(tokens[0]).payload
    right = Verifier(roots=roots, bundle_ids=[payload["bundleId"]], environments=[payload["environment"]])
    assert right.verify(tokens[0]).payload == payload
    for wrong, error in [
        ({"bundle_ids": ["com.example.other"]}, "wrongBundleIdentifier"),
        ({"environments": ["Xcode"]}, "wrongEnvironment"),
        ({"device_id": uuid.UUID(int=1)}, "invalidDeviceVerification"),
        ({"max_token_bytes": 100}, "tooLarge"),
        (
            {"effective_date": datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)},
            "invalidCertificateChain",
        ),
    ]:
        with pytest.raises(VerificationError) as caught:
            Verifier(roots=roots, **wrong).verify(tokens[0])  # type: ignore[arg-type]
        assert caught.value.error == error and not caught.value.retryable
    with pytest.raises(VerificationError) as caught:
        Verifier().verify(tokens[0])
    assert caught.value.error == "invalidCertificateChain"


def test_forms_of_input(verifier: Verifier, tokens: list[str]) -> None:
    token = tokens[0]
    for form in [token, token.encode(), '{"signedPayload":"%s"}' % token]:
        assert verifier.verify(form).kind == "transaction"
    for form in ["", "\ud800", "a\0b", "é", b"\xff\xfe", token + "\n", "x" * 2_000_000]:
        with pytest.raises(VerificationError):
            verifier.verify(form)
    assert verifier.verify_many(["\ud800", b"\xff", "é.é.é", token])[3].verified


def test_receipts(verifier: Verifier) -> None:
    receipt = lines_of(VECTORS / "valid/receipts.b64")[0]
    found = verifier.verify_receipt(receipt)
    assert found.kind == "receipt" and found.payload == verifier.verify(receipt).payload
    assert verifier.verify_receipt(receipt, typed=True).payload["bundleID"]
    with pytest.raises(VerificationError):
        verifier.verify_receipt(receipt[:-8])


def test_revocation(tokens: list[str]) -> None:
    """The test vectors' certificates name no responder: what is not known passes softly, and not hard."""
    roots = [root.read_bytes() for root in ROOTS]
    assert Verifier(roots=roots, revocation="soft").verify(tokens[0]).kind == "transaction"
    with pytest.raises(VerificationError) as caught:
        Verifier(roots=roots, revocation="hard").verify(tokens[0])
    assert caught.value.error == "revocationUnknown" and caught.value.retryable
    assert Verifier(roots=roots, revocation="hard").verify_many(tokens)[0].retryable


def test_typed(verifier: Verifier, tokens: list[str]) -> None:
    assert "id" in verifier.verify(tokens[0], typed=True).payload


def test_inspect(verifier: Verifier, tokens: list[str]) -> None:
    assert verifier.inspect(tokens[0]).startswith("✓ verified")
    assert '"verified":false' in verifier.inspect("nonsense", json=True)


def test_views_keep_their_results(verifier: Verifier, tokens: list[str]) -> None:
    def last() -> Verdict:
        return verifier.verify_many(tokens)[-1]

    verdict = last()
    gc.collect()
    # Other results would take the memory, had it been given back.
    others = [verifier.verify_many(["x"] * 50) for _ in range(20)]
    assert verdict.payload == verifier.verify(tokens[-1]).payload and len(others) == 20


def test_sequence(verifier: Verifier, tokens: list[str]) -> None:
    verdicts = verifier.verify_many([*tokens, "x"] * 300)
    size = len(tokens) + 1
    assert not verdicts[-1] and verdicts[-2] and verdicts[size * 299].verified
    assert [bool(verdict) for verdict in verdicts[size - 2 : size + 1]] == [True, False, True]
    assert [verdict.verified for verdict in verdicts] == ([True] * len(tokens) + [False]) * 300
    with pytest.raises(IndexError):
        verdicts[len(verdicts)]
    assert list(verifier.verify_many([])) == [] and verifier.verify_many(iter(())).verified_count == 0


def test_elements_are_tokens(verifier: Verifier) -> None:
    for wrong in (None, 1, ["x"]):
        with pytest.raises(TypeError, match="token"):
            verifier.verify_many(["x", wrong])  # type: ignore[list-item]


def test_one_token_is_no_list_of_tokens(verifier: Verifier, tokens: list[str]) -> None:
    token = tokens[0]
    for one in (token, token.encode(), bytearray(token, "ascii"), memoryview(token.encode()), ""):
        with pytest.raises(TypeError, match="one token"):
            verifier.verify_many(one)
    assert verifier.verify_many((token,))[0].verified and verifier.verify_many({token})[0].verified


def test_packed_lines_have_one_verdict(verifier: Verifier, tokens: list[str]) -> None:
    for beginning in (b"", b"PAR1\n", b"\x28\xb5\x2f\xfd\n"):
        text = beginning + gzip.compress("\n".join(tokens * 40).encode())
        verdicts = [json.loads(line) for line in verifier.verify_lines(text).splitlines()]
        assert [verdict["line"] for verdict in verdicts] == [1]
        assert " | " in verdicts[0]["message"]


def test_a_number_is_no_content(verifier: Verifier) -> None:
    for function in (verifier.verify_lines, verifier.verify_receipt):
        with pytest.raises(TypeError):
            function(3)  # type: ignore[operator]


def test_texts(verifier: Verifier, tokens: list[str]) -> None:
    verdict = verifier.verify_many(["x"])[0]
    assert "invalidEncoding" in repr(verdict)
    with pytest.raises(VerificationError) as caught:
        verdict.get()
    copied = pickle.loads(pickle.dumps(caught.value))
    assert str(copied) == str(caught.value) and copied.detail == caught.value.detail
    assert isinstance(verifier.verify_many(tokens)[0].get(), Payload)
    with pytest.raises(TypeError, match="each process"):
        pickle.dumps(verifier)


def test_device_hash() -> None:
    nonce, device = "11111111-2222-3333-4444-555555555555", uuid.UUID(int=5)
    assert len(device_hash(nonce, device)) == 64
    assert device_hash(nonce.upper(), device) == device_hash(nonce, device)
    with pytest.raises(ValueError):
        device_hash("x", device)
