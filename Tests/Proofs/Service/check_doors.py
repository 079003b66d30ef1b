"""The table of cases that every door is tried with, Tests/Support/DoorCases/cases.json, at the service."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kit import ROOT, VECTORS, Service, command, expect, folder, lines, read, service

ROOTS = [VECTORS / "pki" / name for name in ("root.pem", "receipt-root.pem")]
TABLE: dict[str, Any] = json.loads((ROOT / "Tests/Support/DoorCases/cases.json").read_text())


def cases(group: str, name: str | None = None) -> list[dict[str, Any]]:
    """The cases of a group, which must concern the service."""
    how = TABLE["groups"][group]["doors"]["service"]
    expect(not how.startswith("not concerned"), f"{group}: {how}")
    found: list[dict[str, Any]] = TABLE[name or group]
    return found


def parts(case: dict[str, Any]) -> list[bytes]:
    token, receipt = (lines(VECTORS / "valid" / name)[0] for name in ("transactions.jws", "receipts.b64"))
    given = [part.encode() for part in case["parts"]]
    for name, payload in (
        (b"OBJECT", b'{"signedPayload":"' + token + b'"}'), (b"TOKEN", token), (b"RECEIPT", receipt),
    ):
        given = [part.replace(name, payload) for part in given]
    return given


def outcome(verdict: dict[str, Any]) -> str:
    return "verified" if verdict["verified"] else str(verdict["error"])


def check_percent_encoding(running: Service) -> None:
    for case in cases("percentEncoding"):
        text = case["text"]
        problem = running.request("POST", f"/v1/verify?view={text}", b"x").problem(400, text)
        decoded = case["query"]
        detail = str(problem["detail"])
        expect(
            detail.startswith(f'There is no view "{decoded}";') if decoded is not None else "percent-encoded" in detail,
            f"{text} in a query: {detail}",
        )
        # No route has a part that cannot be decoded.
        running.request("GET", f"/v1/notifications/{text}").problem(404 if case["path"] is None else 400, text)


def check_uuids(running: Service, work: Path) -> None:
    for case in cases("uuids"):
        text = case["text"]
        configuration = work / "uuids.json"
        app = {"deviceId": text, "roots": ["/no/such/file"]}
        configuration.write_text(json.dumps({"apps": {"a": app}}))
        done = subprocess.run(
            [command(), "serve", "--config", configuration], capture_output=True, timeout=60, check=False)
        expect(done.returncode == (66 if case["isUUID"] else 64), f"deviceId {text!r}: {done.stderr!r}")
        if text:
            status = 404 if case["isUUID"] else 400
            running.request("GET", f"/v1/notifications/{quote(text, safe='')}").problem(status, repr(text))


def check_bodies(running: Service) -> None:
    cases("inspection", "inputs")
    for case in cases("body", "inputs"):
        body = b"".join(parts(case))
        for query, expected in (("?view=inspect", case["inspection"]), ("", case["body"])):
            given = running.request("POST", f"/v1/verify{query}", body)
            if expected == "nothing":
                given.problem(400, f"{body[:200]!r}")
            else:
                expect(given.status == 200, f"{body[:200]!r}: {given.status}")
                found = outcome(json.loads(given.body))
                expect(found == expected, f"{query} {body[:200]!r}: {found}, not {expected}")


def check_lines(running: Service) -> None:
    for case in cases("lines", "inputs"):
        with running.connect() as connection:
            connection.sendall(b"POST /v1/verify/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
            for part in filter(None, parts(case)):
                connection.sendall(b"%x\r\n%s\r\n" % (len(part), part))
                # The parts must not arrive together.
                time.sleep(0.02)
            connection.sendall(b"0\r\n\r\n")
            given = read(connection)
        expect(given.status == 200, f"{case['parts']}: {given.status}")
        verdicts = map(json.loads, given.body.splitlines())
        found = [{"line": verdict["line"], "outcome": outcome(verdict)} for verdict in verdicts]
        expect(found == case["lines"], f"{case['parts']}: {found}, not {case['lines']}")


def main() -> None:
    with folder() as work:
        options = [option for root in ROOTS for option in ("--root", str(root))]
        with service(*options, "--bundle-id", "com.example.garden", "--database", str(work / "doors.db")) as running:
            check_percent_encoding(running)
            check_uuids(running, work)
            check_bodies(running)
            check_lines(running)
    counts = [len(TABLE[name]) for name in ("inputs", "uuids", "percentEncoding")]
    print("doors: %d inputs, %d UUIDs and %d texts of targets, as at the other doors" % tuple(counts))


if __name__ == "__main__":
    main()
