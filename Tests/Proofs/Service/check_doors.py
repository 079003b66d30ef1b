"""The table of cases that every door is tried with, Tests/Support/DoorCases/cases.json, at the service."""

from __future__ import annotations

import json
import runpy
import subprocess
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kit import ROOT, VECTORS, Service, command, expect, folder, lines, new_key, read, service

ROOTS = [VECTORS / "pki" / name for name in ("root.pem", "receipt-root.pem")]
DOORS = ROOT / "Tests/Support/DoorCases"
TABLE: dict[str, Any] = json.loads((DOORS / "cases.json").read_text())
RANDOM_TEXTS = 40


def cases(group: str, name: str | None = None) -> list[dict[str, Any]]:
    """The cases of a group, which must concern the service."""
    how = TABLE["groups"][group]["doors"]["service"]
    expect(not how.startswith("not concerned"), f"{group}: {how}")
    found: list[dict[str, Any]] = TABLE[name or group]
    return found


def quoted(token: bytes) -> bytes:
    """The token as mails have it: in lines of 76 characters, each with "> " before it."""
    return b"\n".join(b"> " + token[start : start + 76] for start in range(0, len(token), 76))


def parts(case: dict[str, Any]) -> list[bytes]:
    token, receipt = (lines(VECTORS / "valid" / name)[0] for name in ("transactions.jws", "receipts.b64"))
    given = [part.encode() for part in case["parts"]]
    for name, payload in (
        (b"OBJECT", b'{"signedPayload":"' + token + b'"}'), (b"TOKEN", token), (b"RECEIPT", receipt),
        (b"QUOTED-MAIL", quoted(token)),
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
            detail.startswith(f'Unknown view "{decoded}";') if decoded is not None else "percent-encoded" in detail,
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
        for query, expected in (
            ("?view=inspect", case["inspection"]), ("?view=inspections", case["inspection"]), ("", case["body"]),
        ):
            given = running.request("POST", f"/v1/verify{query}", body)
            if expected == "nothing":
                given.problem(400, f"{body[:200]!r}")
            else:
                expect(given.status == 200, f"{body[:200]!r}: {given.status}")
                answer = json.loads(given.body)
                found = outcome(answer["inspections"][0] if query == "?view=inspections" else answer)
                expect(found == expected, f"{query} {body[:200]!r}: {found}, not {expected}")


def check_signatures(work: Path) -> None:
    key, token = work / "key.p8", work / "token"
    new_key(key)
    token.write_text("correct-horse-battery")
    options = ["--signing-key", str(key), "--signing-key-id", "K1", "--signing-issuer-id", "I1", "--token-file", str(token)]
    headers = {"Authorization": "Bearer correct-horse-battery", "Content-Type": "application/json"}
    with service("--bundle-id", "com.example.garden", *options) as running:
        for case in cases("signatures"):
            if case["kind"] == "token":
                continue
            values = {name: {"true": True, "false": False}.get(value, value) for name, value in case["values"].items()}
            body = values["request"] if case["kind"] == "advanced-commerce" else json.dumps(values)
            given = running.request("POST", f"/v1/sign/{case['kind']}", body.encode(), headers)
            if case["refused"] is None:
                expect(given.status == 200, f"{case}: {given.status} {given.body!r}")
            else:
                detail = str(given.problem(400, str(case))["detail"])
                expect(detail.startswith(f"Nothing was signed: {case['refused']}"), f"{case}: {detail}")


def batch(running: Service, given: list[bytes], pause: float) -> list[dict[str, Any]]:
    """The verdicts on lines that come in these parts."""
    with running.connect() as connection:
        connection.sendall(b"POST /v1/verify/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        for part in filter(None, given):
            connection.sendall(b"%x\r\n%s\r\n" % (len(part), part))
            # The parts must not arrive together.
            time.sleep(pause)
        connection.sendall(b"0\r\n\r\n")
        answer = read(connection)
    expect(answer.status == 200, f"{shown(given)}: {answer.status}")
    return found(answer.body)


def found(output: bytes) -> list[dict[str, Any]]:
    verdicts = map(json.loads, output.splitlines())
    return [{"line": verdict["line"], "outcome": outcome(verdict)} for verdict in verdicts]


def shown(given: list[bytes]) -> list[bytes]:
    """Parts without the middles of their tokens."""
    return [part if len(part) < 40 else b"%s[%d]%s" % (part[:10], len(part) - 20, part[-10:]) for part in given]


def check_lines(running: Service) -> None:
    for case in cases("lines", "inputs"):
        given = batch(running, parts(case), 0.02)
        expect(given == case["lines"], f"{case['parts']}: {given}, not {case['lines']}")


def check_random_lines(running: Service, options: list[str]) -> None:
    """The same bytes in random parts have the same verdicts and numbers, here and at the command."""
    token, receipt = (lines(VECTORS / "valid" / name)[0] for name in ("transactions.jws", "receipts.b64"))
    for text, given, expected in runpy.run_path(str(DOORS / "random_lines.py"))["texts"](token, receipt, RANDOM_TEXTS):
        answer = batch(running, given, 0.003)
        expect(answer == expected, f"the service, {shown(given)}: {answer}, not {expected}")
        with subprocess.Popen(
            [command(), *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
        ) as process:
            assert process.stdin and process.stdout
            for part in given:
                process.stdin.write(part)
                time.sleep(0.003)
            process.stdin.close()
            answer = found(process.stdout.read())
        expect(answer == expected, f"the command, {shown(given)}: {answer}, not {expected}")


def main() -> None:
    with folder() as work:
        options = [option for root in ROOTS for option in ("--root", str(root))]
        with service(*options, "--bundle-id", "com.example.garden", "--database", str(work / "doors.db")) as running:
            check_percent_encoding(running)
            check_uuids(running, work)
            check_bodies(running)
            check_lines(running)
            check_random_lines(running, options)
        check_signatures(work)
    counts = [len(TABLE[name]) for name in ("inputs", "uuids", "percentEncoding", "signatures")]
    print("doors: %d inputs, %d UUIDs, %d texts of targets, %d signatures, and %d texts of lines by chance, as at the other doors" % (*counts, RANDOM_TEXTS))


if __name__ == "__main__":
    main()
