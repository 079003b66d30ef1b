"""What the App Store knows, asked for by the command: a store from nothing, also if it is killed on the way, and what
webhooks lost.

check_fetching.py COMMAND STOREKIT_TEST [CUSTOMERS]

The served App Store has the notifications of 150 customers in a year; 12000 make a hundred thousand.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app_store import BUNDLE, Store, app_store
from kit import command, expect, folder, new_key

SPAN = ("--since", "180d")


def run(*arguments: str | Path, given: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([command(), *arguments], input=given, capture_output=True, timeout=600)


def refused(status: int, words: str, *arguments: str | Path) -> None:
    given = run(*arguments, given=b"")
    text = given.stderr.decode()
    expect(given.returncode == status and words in text and text.count("\n") <= 6, f"{arguments}: {given}")


def pipeline(store: Store, database: Path, *more: str, state: Path | None = None) -> list[subprocess.Popen[bytes]]:
    """fetch | ingest, as a shell runs them."""
    marks = ["--state", state] if state else []
    fetch = subprocess.Popen(
        [command(), "fetch", "notifications", *SPAN, *store.asking(), *more, *marks],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    ingest = subprocess.Popen(
        [command(), "ingest", "--database", database, *marks, "--root", store.folder / "root.pem", "--bundle-id", BUNDLE,
         "--environment", "Production", "--summary"], stdin=fetch.stdout, stderr=subprocess.PIPE)
    assert fetch.stdout
    fetch.stdout.close()
    return [fetch, ingest]


def content(store: Store, database: Path) -> tuple[list[str], bytes]:
    """The notifications of a database, and what its customers own."""
    with contextlib.closing(sqlite3.connect(database)) as file:
        names = [name for name, in file.execute("SELECT uuid FROM notification ORDER BY uuid")]
    owned = run(
        "entitlements", "--database", database, "--at", "2100-01-01", "--root", store.folder / "root.pem", "--bundle-id",
        BUNDLE, "--format", "json")
    expect(owned.returncode == 0, f"{owned.stderr!r}")
    now = run(
        "entitlements", "--database", database, "--root", store.folder / "root.pem", "--bundle-id", BUNDLE, "--at",
        time.strftime("%Y-%m-%d"), "--format", "json")
    return names, owned.stdout + now.stdout


def check_undisturbed(work: Path, store: Store) -> tuple[list[str], bytes]:
    start = time.monotonic()
    fetch, ingest = pipeline(store, work / "whole.db", "--no-rate-limit")
    expect(ingest.wait(600) == 0 and fetch.wait() == 0, f"{fetch.stderr and fetch.stderr.read()!r}")
    seconds = time.monotonic() - start
    whole = content(store, work / "whole.db")
    expect(len(whole[0]) > 500, f"only {len(whole[0])} notifications")
    print(f"{len(whole[0])} notifications, {len(whole[0]) / seconds:,.0f} a second with the limits off")
    return whole


def check_killed(work: Path, store: Store, whole: tuple[list[str], bytes], count: int) -> None:
    """Both are killed on the way, ten times, and go on."""
    state, database = work / "state", work / "killed.db"
    lot, kills = random.Random(1), 0
    pause = max(0.15, len(whole[0]) / 60_000)
    for _ in range(60):
        if kills == count:
            break
        both = pipeline(store, database, "--no-rate-limit", state=state)
        time.sleep(lot.uniform(0.05, pause))
        # The order matters: what the pipe held is lost, or is not.
        for process in lot.sample(both, 2):
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills += 1 if process is both[0] else 0
            if lot.random() < 0.5:
                time.sleep(0.05)
        for process in both:
            process.wait()
    fetch, ingest = pipeline(store, database, "--no-rate-limit", state=state)
    expect(ingest.wait(600) == 0 and fetch.wait() == 0, f"{fetch.stderr and fetch.stderr.read()!r}")
    expect(content(store, database) == whole, f"after {kills} kills the database is another one")
    again = run("fetch", "notifications", *SPAN, *store.asking(), "--state", state)
    expect(again.returncode == 64 and b"another kind of output" in again.stderr or again.returncode == 0, f"{again}")
    print(f"killed {kills} times: the same database")


def check_file(work: Path, store: Store, whole: tuple[list[str], bytes]) -> None:
    """Into a file: no payload twice, none missing, whatever was half written."""
    output, state = work / "lines.jws", work / "file.state"
    arguments = [command(), "fetch", "notifications", *SPAN, *store.asking(), "--no-rate-limit", "--state", state]
    lot = random.Random(2)
    for _ in range(4):
        with output.open("ab") as file:
            process = subprocess.Popen(arguments, stdout=file, stderr=subprocess.DEVNULL)
            time.sleep(lot.uniform(0.05, 0.4))
            process.kill()
            process.wait()
            # As a half-written line would be.
            if lot.random() < 0.7:
                file.write(b"eyJhbGciOiJF")
    with output.open("ab") as file:
        done = subprocess.run(arguments, stdout=file, stderr=subprocess.PIPE)
    expect(done.returncode == 0, f"{done}")
    lines = output.read_bytes().split(b"\n")[:-1]
    expect(len(lines) == len(set(lines)) == len(whole[0]), f"{len(lines)} lines, {len(set(lines))} of them different")
    emptied = subprocess.run(arguments, stdout=(work / "new").open("wb"), stderr=subprocess.PIPE)
    expect(emptied.returncode == 64 and b">>" in emptied.stderr, f"{emptied}")
    refused(64, "another fetch", "fetch", "notifications", *SPAN, *store.asking(), "--type", "REFUND", "--state", str(state))


def check_time(work: Path, store: Store) -> None:
    """The first part has pages although its start is as old as Apple allows, and no part ends in the future."""
    state = work / "time.state"
    tomorrow = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 86_400))
    with (work / "time.jws").open("ab") as output:
        done = subprocess.run(
            [command(), "fetch", "notifications", *SPAN, "--until", tomorrow, *store.asking(), "--no-rate-limit", "--state", state],
            stdout=output, stderr=subprocess.PIPE)
    expect(done.returncode == 0, f"{done}")
    lines = [json.loads(line) for line in state.read_text().splitlines()]
    span = next(line for line in lines if "from" in line)
    expect(span["to"] <= time.time() * 1000, f"the state names the future: {span}")
    first = [line for line in lines if line.get("part", "").startswith(f"{span['from']}-")]
    expect(len(first) > 1, f"the first part has one page: {first}")


def check_test_notification(store: Store) -> None:
    """A notification is printed only if it is verified."""
    asked = run("request-test-notification", "--yes", *store.asking())
    expect(asked.returncode == 0, f"{asked}")
    question = ("request-test-notification", "--status", json.loads(asked.stdout)["testNotificationToken"])
    for _ in range(100):
        # The App Store has no status before its first attempt.
        status = run(*question, *store.asking())
        if status.returncode == 0:
            break
        time.sleep(0.1)
    expect(status.returncode == 0 and b"signedPayload" in status.stdout, f"{status}")
    foreign = run(*question, *store.asking()[:-2])
    expect(foreign.returncode == 1 and foreign.stdout == b"" and b"not verified" in foreign.stderr, f"{foreign}")


def check_kinds(work: Path, store: Store) -> None:
    """Every kind gives payloads that verify reads."""
    rows = run("verify", "--output", "rows", "--root", work / "root.pem", work / "lines.jws").stdout
    ids = sorted(set(re.findall(rb'"transactionID":"(\d+)"', rows)))[:5]
    expect(len(ids) == 5, "no transactions in the rows")
    for kind in ("history", "refunds", "statuses", "transaction"):
        given = run("fetch", kind, *store.asking(), "--no-rate-limit", given=b"\n".join(ids))
        known = given.stdout.count(b"\n")
        expect(given.returncode in (0, 1) and (known > 0 or kind in ("refunds", "statuses")), f"{kind}: {given}")
        verified = run("verify", "--root", work / "root.pem", "--output", "none", given=given.stdout)
        expect(verified.returncode == 0, f"{kind}: {verified}")
    given = run("fetch", "transaction", "1", ids[0].decode(), *store.asking())
    expect(given.returncode == 1 and given.stdout.count(b"\n") == 1 and b"1: Transaction id not found" in given.stderr, f"{given}")


def check_mistakes(work: Path, store: Store) -> None:
    """A sentence for each, which says where to look."""
    transaction = ("fetch", "transaction", "2000000000000001")
    other = work / "other.p8"
    new_key(other)
    refused(69, "may be revoked", *transaction, *store.asking(key=str(other)))
    refused(69, "key identifier", *transaction, *store.asking(key_id="my key"))
    refused(69, "issuer identifier", *transaction, *store.asking(issuer_id="me"))
    refused(69, "com.example.other", *transaction, *store.asking(bundle_id="com.example.other"))
    refused(69, "no connection", *transaction, *store.asking(server="http://127.0.0.1:1"))
    refused(64, "https://HOST", *transaction, *store.asking(server="http://example.com"))
    refused(64, "one --bundle-id", *transaction, *store.asking(), "--bundle-id", "b")
    refused(64, "chmod 600", *transaction, *store.asking(key=str(open_to_all(other))))
    refused(66, "No such file", *transaction, *store.asking(key="/nowhere"))
    refused(64, "180d", "fetch", "notifications", *store.asking())
    refused(64, "are for", "fetch", "statuses", "1", *store.asking(), "--since", "1d")
    refused(64, "--yes", "finish", "1", *store.asking())
    refused(64, "consent", "consumption", "1", "--delivery-status", "DELIVERED", *store.asking())
    refused(1, "not found", "finish", "2000000999999999", "--yes", *store.asking())
    refused(64, "not the state", "fetch", "notifications", *SPAN, *store.asking(), "--state", str(other))
    note = work / "note"
    note.write_text("no line ends here")
    refused(64, "not the state", "fetch", "notifications", *SPAN, *store.asking(), "--state", str(note))
    expect(note.read_text() == "no line ends here", "a file that is no state was overwritten")


def open_to_all(key: Path) -> Path:
    copy = key.with_suffix(".open")
    copy.write_bytes(key.read_bytes())
    copy.chmod(0o644)
    return copy


def check_reconciliation(work: Path, store: Store) -> None:
    """A database that heard of nothing for months: each difference is told once, and then there is none."""
    database = work / "old.db"
    until = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 100 * 86_400))
    old = run("fetch", "notifications", *SPAN, "--until", until, *store.asking(), "--no-rate-limit")
    expect(old.returncode == 0, f"{old.stderr!r}")
    policy = ("--root", str(work / "root.pem"), "--bundle-id", BUNDLE)
    expect(run("ingest", "--database", database, *policy, given=old.stdout).returncode == 0, "ingest")
    asking = ("reconcile", "--database", database, *store.asking(), "--no-rate-limit")
    dry = run(*asking, "--dry-run")
    expect(dry.returncode == 1 and b'"isApplied":false' in dry.stdout, f"{dry.stderr!r} {dry.stdout[:300]!r}")
    first = run(*asking)
    expect(first.returncode == 1 and b'"isApplied":true' in first.stdout, f"{first.stderr!r}")
    expect(b"never came" in first.stdout, f"{first.stdout[:500]!r}")
    print(f"reconciled: {first.stderr.decode().strip()}")
    second = run(*asking)
    expect(second.returncode == 0 and second.stdout == b"", f"{second.stderr!r} {second.stdout[:1000]!r}")
    quiet = run(*asking, "--silent-for", "1h")
    expect(quiet.returncode == 0, f"{quiet}")
    refused(74, "does not exist", "reconcile", "--database", work / "none.db", *store.asking())
    refused(64, "number of days", *asking, "--silent-for", "soon")


if __name__ == "__main__":
    customers = int(sys.argv[3]) if len(sys.argv) > 3 else 150
    with folder() as work, app_store(work, f"population {customers} for 170d\n", "Production") as store:
        whole = check_undisturbed(work, store)
        check_killed(work, store, whole, 10)
        check_file(work, store, whole)
        check_kinds(work, store)
        check_mistakes(work, store)
        check_reconciliation(work, store)
    with folder() as work, app_store(work, "population 1000 for 190d\n", "Production") as store:
        check_time(work, store)
    with folder() as work, app_store(work, "+0 anna: buy $subscription\n", "Sandbox", "--forward-to", "http://127.0.0.1:1") as store:
        check_test_notification(store)
