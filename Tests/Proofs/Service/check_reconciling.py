"""What webhooks lost: `serve` compares its database with the App Store at the start, and seats too.

check_reconciling.py COMMAND STOREKIT_TEST
"""

from __future__ import annotations

import json
import re
import subprocess
import time
from pathlib import Path

from app_store import BUNDLE, ISSUER, KEY, Store, app_store
from kit import Service, command, expect, folder, service

LIVES = """set seats developer
+0 anna: buy $subscription seats=3
+0 bert: buy $subscription
+0 cleo: buy $subscription
+0 dora: buy $non-consumable
+8d bert: refund
+8d dora: refund
+12d end
"""
MEMBERS = [f"5fbeb0b0-0000-4000-8000-00000000000{number}" for number in (1, 2)]
TOKEN = "correct-horse-battery"


def run(*arguments: str | Path, given: bytes | None = None) -> bytes:
    done = subprocess.run([command(), *arguments], input=given, capture_output=True, timeout=60)
    expect(done.returncode == 0, f"{arguments}: {done}")
    return done.stdout


def options(store: Store, database: Path, *more: str) -> list[str]:
    token = store.folder / "token"
    token.write_text(TOKEN)
    return [
        "--root", str(store.folder / "root.pem"), "--bundle-id", BUNDLE, "--environment", "Sandbox", "--database", str(database),
        "--token-file", str(token), "--signing-key", str(store.folder / "key.p8"), "--signing-key-id", KEY,
        "--signing-issuer-id", ISSUER, *more,
    ]


def ask(running: Service, method: str, target: str, body: object = None) -> dict[str, object]:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    given = running.request(method, target, json.dumps(body).encode() if body is not None else None, headers)
    expect(given.status == 200, f"{method} {target}: {given.status} {given.body!r}")
    return json.loads(given.body)


def originals(payloads: bytes, root: Path) -> dict[str, str]:
    """The purchases, by the number of their seats, by how they ended, or `once` for the one that does not renew."""
    found: dict[str, str] = {}
    for line in run("verify", "--root", root, "--output", "rows", given=payloads).splitlines():
        row = json.loads(line)
        number = row["originalTransactionID"]
        if row["notificationType"] == "SUBSCRIBED":
            found["seats" if row["quantity"] == 3 else "stays" if "refunded" in found else "refunded"] = number
        if row["notificationType"] == "ONE_TIME_CHARGE":
            found["once"] = number
        if row["notificationType"] == "REFUND" and found.get("stays") == number:
            found["stays"], found["refunded"] = found["refunded"], number
    expect(set(found) == {"seats", "stays", "refunded", "once"}, f"{found}")
    return found


def owned(running: Service, customer: str) -> list[object]:
    answer = ask(running, "GET", f"/v1/customers/{customer}/entitlements")
    entitlements = answer["entitlements"]
    assert isinstance(entitlements, list)
    return entitlements


def metrics(running: Service) -> dict[str, int]:
    text = running.request("GET", "/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).body.decode()
    return {name: int(value) for name, value in re.findall(r'storekit_verify_reconciled_total{.*outcome="(.*)"} (\d+)', text)}


def compared(running: Service, count: int) -> dict[str, int]:
    """The numbers, as soon as so many purchases were compared."""
    for _ in range(300):
        found = metrics(running)
        if sum(found.values()) >= count:
            return found
        time.sleep(0.1)
    expect(False, f"nothing was compared: {found} {running.log}")
    return {}


def claim(store: Store, seats: str) -> str:
    return json.loads(run("seats", "claim", seats, *store.asking(), "--yes"))["seatClaimId"]


def check(store: Store) -> None:
    database, root = store.folder / "kept.db", store.folder / "root.pem"
    everything = run("fetch", "notifications", "--since", "29d", *store.asking())
    purchase = originals(everything, root)
    # The webhooks of the refunds were lost, and what came later.
    before = b"".join(line + b"\n" for line in everything.splitlines() if b"REFUND" not in kind(line, root))
    run("ingest", "--database", database, "--root", root, "--bundle-id", BUNDLE, given=before)
    refunded = [f"original-transaction:{purchase[name]}" for name in ("refunded", "once")]
    claims = [claim(store, purchase["seats"]) for _ in MEMBERS]
    with service(*options(store, database)) as running:
        expect(all(len(owned(running, name)) == 1 for name in refunded), "the refunds are not lost")
        for name, member in zip(claims, MEMBERS):
            ask(running, "PUT", f"/v1/seats/{name}", {"originalTransactionId": purchase["seats"], "customers": [member]})
            expect(len(owned(running, member)) == 1, f"{member} has no seat")
    # Who administers the App Store has ended one, and no notification tells.
    run("seats", "unclaim", purchase["seats"], "--claim", claims[1], *store.asking(), "--yes")
    schedule = ("--reconcile-every", "1h", "--app-store-server", store.address)
    with service(*options(store, database, *schedule)) as running:
        found = compared(running, 4)
        expect(found == {"same": 1, "different": 3, "refused": 0}, f"{found}: {running.log}")
        expect(all(owned(running, name) == [] for name in refunded), "a refund is still lost")
        expect(len(owned(running, MEMBERS[0])) == 1 and owned(running, MEMBERS[1]) == [], "the seats are other ones")
        expect(len(owned(running, f"original-transaction:{purchase['stays']}")) == 1, "a purchase was taken away")
    log = "".join(running.log)
    expect("refund or revocation" in log and "UNCLAIM_SEATS" in log, log)
    # After that nothing differs, and a customer of whom something came within the hour is left out.
    with service(*options(store, database, *schedule)) as running:
        found = compared(running, 2)
        expect(found["different"] == 0 and found["refused"] == 0, f"{found}: {running.log}")
    outage(store, database)


def kind(line: bytes, root: Path) -> bytes:
    return run("verify", "--root", root, "--output", "rows", given=line).split(b"notificationType", 1)[1][:20]


def outage(store: Store, database: Path) -> None:
    """An App Store that does not answer takes nothing from anybody, and the log says so."""
    with service(*options(store, database, "--reconcile-every", "1h", "--app-store-server", "http://127.0.0.1:1")) as running:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        for _ in range(300):
            text = running.request("GET", "/metrics", headers=headers).body.decode()
            if re.search(r"storekit_verify_reconciliation_failures_total{.*} 1", text):
                break
            time.sleep(0.1)
        expect(len(owned(running, MEMBERS[0])) == 1, "an outage took a seat")
    expect("no connection" in "".join(running.log), f"{running.log}")


def check_options(store: Store) -> None:
    """Each mistake has a sentence."""
    database = store.folder / "options.db"
    mistakes: list[tuple[list[str], str]] = [
        (["--reconcile-every", "soon"], "such as 24h"),
        (["--app-store-server", "https://example.com"], "--reconcile-every"),
        (["--reconcile-every", "24h", "--app-store-server", "http://example.com"], "https://HOST"),
        (["--reconcile-every", "24h", "--environment", "Production"], "one environment"),
    ]
    for more, words in mistakes:
        done = subprocess.run(
            [command(), "serve", "--port", "0", *options(store, database, *more)], capture_output=True, timeout=60)
        expect(done.returncode == 64 and words in done.stderr.decode(), f"{more}: {done}")
    bare = ["--root", str(store.folder / "root.pem"), "--bundle-id", BUNDLE, "--environment", "Sandbox"]
    done = subprocess.run(
        [command(), "serve", "--port", "0", *bare, "--reconcile-every", "24h"], capture_output=True, timeout=60)
    expect(done.returncode == 64 and "needs a database, and a key" in done.stderr.decode(), f"{done}")


if __name__ == "__main__":
    with folder() as work, app_store(work, LIVES, "Sandbox") as served:
        check(served)
        check_options(served)
