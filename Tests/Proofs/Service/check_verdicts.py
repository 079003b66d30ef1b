"""The service's verdicts against the command's: all vectors, and genuine payloads where they are."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import time
from pathlib import Path

from kit import (
    TEST_ROOT, VECTORS, Service, command, expect, folder, genuine, lines, read, run_command, service, transaction,
)


def check_lines(running: Service, path: Path, app: str, options: list[str]) -> int:
    """A file of lines: as a batch, and each by itself."""
    content = path.read_bytes()
    expected = run_command(*options, given=content)
    name = f"{path.parent.name}/{path.name}"
    expect(running.batch(content, f"?app={app}") == expected, f"{name}: other verdicts in a batch")
    if path.suffix == ".b64":
        # A body is a file, where base64 may have line breaks: check_receipt.
        return 0
    verdicts = {}
    for verdict in expected.splitlines():
        number = json.loads(verdict)["line"]
        verdicts[number] = verdict.replace(b'"line":%d,' % number, b"", 1) + b"\n"
    checked = 0
    for number, line in enumerate(lines(path), 1):
        # A line's end belongs to the file. What is longer than the body's limit is refused before it is a line.
        line = line[:-1] if line.endswith(b"\r") else line
        if number not in verdicts or len(line) > 2 << 20 or line.endswith(b"\r"):
            continue
        # White space before an object is an editor's in a body, and the sender's in a line.
        if line != line.lstrip() and line.lstrip().startswith(b"{"):
            continue
        given = running.verify(line, f"?app={app}")
        expect(given == verdicts[number], f"{name}:{number}: {given[:300]!r}, not {verdicts[number][:300]!r}")
        checked += 1
    return checked


def check_outputs(running: Service, path: Path, options: list[str]) -> None:
    content = path.read_bytes()
    for output in ("typed", "rows"):
        expected = run_command(*options, "--output", output, given=content)
        expect(running.batch(content, f"?app=vectors&output={output}") == expected, f"{path.name}: --output {output}")
    line = next(line for line in lines(path) if line)
    given = run_command("inspect", "--json", *options, "-", given=line)
    expect(running.verify(line, "?app=vectors&view=inspect") == given, f"{path.name}: inspect")
    typed = run_command(*options, "--output", "typed", given=line).replace(b'"line":1,', b"", 1)
    expect(running.verify(line, "?app=vectors&view=typed") == typed, f"{path.name}: typed")


def check_receipt(running: Service, path: Path, app: str, options: list[str]) -> None:
    content = path.read_bytes()
    given = running.verify(content, f"?app={app}")
    expected = run_command("receipt", *options, str(path))
    if not content.startswith(b"MI"):
        # What does not look like a receipt is taken for a token, and the verdict says what it looks like.
        expected = run_command(*options, given=content).replace(b'"line":1,', b"", 1)
    expect(given == expected, f"{content[:60]!r}: {given[:200]!r}, not {expected[:200]!r}")
    inspected = run_command("inspect", "--json", *options, str(path))
    given = running.verify(content, f"?app={app}&view=inspect")
    # The command reads no file as long as this.
    if inspected:
        expect(given == inspected, f"{content[:60]!r}: inspect: {given[:300]!r}, not {inspected[:300]!r}")


def check_streaming(running: Service) -> None:
    """A verdict comes while the body is still being sent, and lines may be cut anywhere."""
    tokens = [line for line in lines(VECTORS / "valid/transactions.jws") if line]
    with running.connect() as connection:
        connection.sendall(
            b"POST /v1/verify/batch?app=vectors HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        incoming = connection.makefile("rb")
        for number, token in enumerate(tokens[:5], 1):
            for part in (token[:100], token[100:] + b"\r", b"\n"):
                connection.sendall(b"%x\r\n%s\r\n" % (len(part), part))
            if number == 1:
                while incoming.readline().strip():
                    pass
            size = int(incoming.readline(), 16)
            verdict = json.loads(incoming.read(size + 2))
            expect(verdict["line"] == number and verdict["verified"], f"streamed: {verdict}")
        connection.sendall(b"0\r\n\r\n")
        expect(incoming.readline() == b"0\r\n", "a batch has no end")


def check_bursts(running: Service) -> None:
    """Who sends lines and waits for their verdicts gets them all, however many: none waits for the next part."""
    with running.connect() as connection:
        connection.settimeout(10)
        connection.sendall(
            b"POST /v1/verify/batch?app=vectors HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        incoming = connection.makefile("rb")
        head = True
        # Lines of some lengths and numbers, and a long line of which the end comes late, with many short ones.
        bursts = [[(b"x" * length + b"\n") * count] for length in (9, 900, 4_000) for count in (1, 70, 200, 1_500)]
        for burst in (*bursts, [b"x" * 300_000, b"\n" + b"x\n" * 1_000], [b"x\n"]):
            for part in burst:
                connection.sendall(b"%x\r\n%s\r\n" % (len(part), part))
                time.sleep(0.05)
            while head and incoming.readline().strip():
                pass
            head = False
            expected = b"".join(burst).count(b"\n")
            while expected > 0:
                size = int(incoming.readline(), 16)
                expected -= incoming.read(size + 2).count(b"\n") - 1
            expect(expected == 0, "more verdicts than lines")
        connection.sendall(b"0\r\n\r\n")
        expect(incoming.readline() == b"0\r\n", "a batch has no end")


def check_large(running: Service) -> None:
    """Order is kept over many chunks, among them lines that are too long to be held, good and bad ones."""
    tokens = [line for path in ("valid/transactions.jws", "valid/notifications.jws", "invalid/04-signature.jws")
              for line in lines(VECTORS / path)]
    too_long = b"x" * (3 << 20)
    content = b"\n".join((tokens * 60)[:2_000] + [too_long, b"", b"{" + too_long] + tokens + [too_long + b"\r"])
    expected = run_command("--root", str(TEST_ROOT), given=content)
    expect(running.batch(content, "?app=vectors") == expected, "a large batch")
    curl = subprocess.run(
        ["curl", "-sS", "-X", "POST", "-T", "-", f"{running.url}/v1/verify/batch?app=vectors"],
        input=content, stdout=subprocess.PIPE, check=True,
    )
    expect(curl.stdout == expected, "a large batch from curl")


def check_any_json(running: Service, options: list[str]) -> None:
    """JSON that has its tokens inside, as answers of the App Store Server API do: the command's verdicts, and paths."""
    tokens = [line.decode() for line in lines(VECTORS / "valid/transactions.jws") if line][:3]
    notification = next(line for line in lines(VECTORS / "valid/notifications.jws") if line).decode()
    for answer, places in {
        "history": ({"signedTransactions": [*tokens, "damaged"], "hasMore": False}, 4),
        "statuses": ({"data": [{"lastTransactions": [{"signedTransactionInfo": tokens[0], "signedRenewalInfo": 5}]}]}, 2),
        "notifications": ({"notificationHistory": [{"signedPayload": notification}]}, 1),
        "both": ({"signedTransactionInfo": tokens[0], "signedRenewalInfo": tokens[1]}, 2),
        "an error": ({"errorCode": 4040010}, 1), "nothing": ({"signedTransactions": []}, 0),
    }.values():
        for body in (json.dumps(answer).encode(), json.dumps(answer, indent=2).encode()):
            for output in ("ndjson", "typed", "rows"):
                expected = run_command("--any-json", "--output", output, *options, given=body)
                expect(expected.count(b"\n") == places, f"{body[:80]!r}: {expected!r}")
                given = running.batch(body, f"?app=vectors&input=any-json&output={output}")
                expect(given == expected, f"{body[:80]!r}: {given!r}, not {expected!r}")
    path = "/v1/verify/batch?app=vectors&input=any-json"
    for body in (tokens[0].encode(), b'{"a":', b'["a" "b"]'):
        problem = running.request("POST", path, body).problem(400, "no JSON")
        expect("not JSON" in str(problem["detail"]), f"{body[:20]!r}: {problem}")
    running.request("POST", path, b'"' + b"x" * (3 << 20) + b'"').problem(413, "JSON that is too long")


def check_packed(running: Service) -> None:
    """A packed archive gets one verdict, which shows the pipe to use, in whatever parts it comes."""
    archive = gzip.compress(b"\n".join(lines(VECTORS / "valid/transactions.jws")) * 20)
    for content, name in ((archive, "gzip"), (b"\x28\xb5\x2f\xfd" + archive, "zstd"), (b"PAR1" + archive, "parquet")):
        for size in (1, 3, 1 << 20):
            with running.connect() as connection:
                connection.sendall(
                    b"POST /v1/verify/batch?app=vectors HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
                for start in range(0, min(len(content), size * 50), size):
                    part = content[start:start + size]
                    connection.sendall(b"%x\r\n%s\r\n" % (len(part), part))
                    if size < 9 and start < 9:
                        time.sleep(0.01)
                connection.sendall(b"0\r\n\r\n")
                found = [json.loads(line) for line in read(connection).body.splitlines()]
            expect(len(found) == 1 and found[0]["line"] == 1, f"{name} in parts of {size}: {found[:3]}")
            expect(found[0]["detail"] == name and " | " in found[0]["message"], f"{name}: {found}")


def check_forms(running: Service) -> None:
    """One token in every form that people send it in."""
    token = transaction()
    expected = running.verify(token, "?app=vectors")
    expect(b'"verified":true' in expected, "the first transaction")
    body = json.dumps({"signedTransactionInfo": token.decode(), "more": [1]}, indent=2).encode()
    for name, form in {"a line": token + b"\n", "CRLF": token + b"\r\n", "an object": body + b"\n",
                       "space before an object": b" \n" + body}.items():
        expect(running.verify(form, "?app=vectors") == expected, f"{name} has another verdict")
    chunked = b"POST /v1/verify?app=vectors HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    for byte in token:
        chunked += b"1\r\n%c\r\n" % byte
    given = running.raw(chunked + b"0\r\n\r\n")
    expect(given.body == expected, "a token in chunks of one byte")
    unverified = json.loads(running.verify(token, "?app=genuine"))
    expect(unverified["error"] == "invalidCertificateChain", f"a test token under Apple's roots: {unverified}")


def check_configuration(path: Path) -> None:
    """A configuration that is not understood to the last member is refused."""
    for text, sentence in {
        '{"apps":{}}': "has no app",
        '{"apps":{"a":{"bundleIDs":["x"]}}}': 'no option "bundleIDs"',
        '{"apps":{"a":{"jobs":2}}}': 'no option "jobs"',
        '{"apps":{"a":{},"a":{}}}': "a",
        '{"apps":{"a":{"environments":["production"]}}}': "Production",
        # What a template makes of a variable that is not set must not accept every app.
        '{"apps":{"a":{"bundleIds":[]}}}': 'the option "bundleIds" must be',
        '{"apps":{"a":{"bundleIds":[""]}}}': 'the option "bundleIds" must be',
        '{"apps":{"a":{"environments":[]}}}': 'the option "environments" must be',
        '{"apps":{"a":{"roots":[]}}}': 'the option "roots" must be',
        '{"apps":{"a":{}},"more":1}': "more",
        '{"apps":[]}': '"apps" must be an object',
        '{"apps":{"a":{"forwardTo":["http://x/"]}}}': "forwardTo needs a database",
        '{"apps":{"a":{"database":"x.db","forwardingSecretFile":"x"}}}': "without an address",
        '{"apps":{"a":{"database":"x.db"}}}': "a database needs a bundle identifier",
        '{"apps":{"a":{"bundleIds":["a"],"database":"x.db"},"b":{"bundleIds":["b"],"database":"x.db"}}}': "each needs a file",
        "[]": "the configuration",
        '{"apps":{"a":{}}': "the configuration",
    }.items():
        path.write_text(text)
        done = subprocess.run([command(), "serve", "--config", path], capture_output=True, timeout=60, check=False)
        expect(done.returncode == 64 and sentence in done.stderr.decode(), f"{text}: {done.returncode} {done.stderr!r}")
    for options, sentence in (
        (["--forward-to", "http://x/"], "forwardTo needs a database"), (["--forwarding-secret-file", "x"], "without an address"),
        (["--config", path, "--forward-to", "http://x/"], "--config gives"),
    ):
        done = subprocess.run([command(), "serve", *options], capture_output=True, timeout=60, check=False)
        expect(done.returncode == 64 and sentence in done.stderr.decode(), f"{options}: {done.stderr!r}")
    # A file by two names, of which the second may be a link.
    one, links = path.parent / "one.db", [path.parent / name for name in ("hard.db", "symbolic.db")]
    for other in (f"{path.parent}/./one.db", *map(str, links)):
        apps = {name: {"bundleIds": [name], "database": file} for name, file in (("a", str(one)), ("b", other))}
        path.write_text(json.dumps({"apps": apps}))
        done = subprocess.run([command(), "serve", "--port", "0", "--config", path], capture_output=True, timeout=60, check=False)
        expect(done.returncode == 64 and b"each needs a file" in done.stderr, f"{other}: {done}")
        if not links[0].exists():
            links[0].hardlink_to(one)
            links[1].symlink_to(one)
    # Names may begin and end alike, be long, and be many.
    names = [f"com.example.{number:03}.staging" for number in range(100)] + ["a" * 100]
    path.write_text(json.dumps({"apps": {name: {"bundleIds": [name]} for name in names}}))
    with service("--config", str(path)) as running:
        for name in (names[0], names[-1]):
            running.verify(transaction(), f"?app={name}")
        running.request("POST", "/v1/verify?app=com.example", transaction()).problem(400, "another app")
    path.write_text('{"apps":{"a":{"roots":["/no/such/file"]}}}')
    done = subprocess.run([command(), "serve", "--config", path], capture_output=True, timeout=60, check=False)
    expect(done.returncode == 66, f"a root that is not there: {done.returncode}")
    done = subprocess.run(
        [command(), "serve", "--config", path, "--bundle-id", "x"], capture_output=True, timeout=60, check=False)
    expect(done.returncode == 64, f"--config beside --bundle-id: {done.returncode}")


def main() -> None:
    options = ["--root", str(TEST_ROOT)]
    checked = receipts = 0
    with folder() as work:
        configuration = work / "apps.json"
        check_configuration(configuration)
        apps = {
            "vectors": {"roots": [str(TEST_ROOT)]}, "genuine": {},
            "garden": {"roots": [str(TEST_ROOT)], "bundleIds": ["com.example.other"]},
        }
        configuration.write_text(json.dumps({"apps": apps}))
        with service("--config", str(configuration)) as running:
            for path in sorted(VECTORS.glob("*/*.jws")) + sorted(VECTORS.glob("*/*.b64")):
                checked += check_lines(running, path, "vectors", options)
            for path in sorted(VECTORS.glob("valid/*.jws")):
                check_outputs(running, path, options)
            for path in sorted(VECTORS.glob("*/*.b64")):
                for line in filter(None, lines(path)[:6]):
                    receipt = work / "receipt"
                    receipt.write_bytes(line)
                    check_receipt(running, receipt, "vectors", options)
                    receipts += 1
            check_forms(running)
            check_any_json(running, options)
            check_packed(running)
            check_streaming(running)
            check_bursts(running)
            check_large(running)
            other = json.loads(running.verify(transaction(), "?app=garden"))
            expect(other["error"] == "wrongBundleIdentifier", f"another app's policy: {other}")
            running.request("POST", "/v1/verify", transaction()).problem(400, "no app named")
            running.request("POST", "/v1/verify?app=x", transaction()).problem(400, "an unknown app")
            archive = genuine()
            if archive is None:
                print("skipped: PRIVATE_TEST_DATA names no folder with Apple's payloads")
            else:
                for path in sorted(archive.glob("jws/*.jws")):
                    checked += check_lines(running, path, "genuine", [])
                for path in sorted(archive.glob("receipts/*.b64")):
                    check_receipt(running, path, "genuine", [])
                    receipts += 1
            expect(running.metric("storekit_verify_verdicts_total") > checked, "verdicts are not counted")
            text = running.request("GET", "/metrics").body.decode()
            for name in ("verdicts_total", "batch_lines_total", "notifications_total"):
                apps = set(re.findall(rf'^storekit_verify_{name}{{app="([a-z]+)"', text, re.MULTILINE))
                expect(apps == {"vectors", "genuine", "garden"}, f"{name} of the apps {apps}")
            # The verdict of the policy that only this app has.
            wrong = '_verdicts_total{app="%s",error="wrongBundleIdentifier"} %d\n'
            expect(wrong % ("garden", 1) in text and wrong % ("genuine", 0) in text, "verdicts of the wrong app are counted")
    expect(checked > 500, f"only {checked} lines were checked")
    print(f"verdicts: {checked} lines one by one and in batches, {receipts} receipts, as the command's")


if __name__ == "__main__":
    main()
