"""Notifications over HTTP: kept, recognised, forwarded and asked for; and none is lost when the service is killed.

check_notifications.py COMMAND MINT STOREKIT_TEST
"""

from __future__ import annotations

import base64
import collections
import contextlib
import hashlib
import http.client
import json
import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import uuid
import xml.etree.ElementTree
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from kit import ROOT, VECTORS, Service, expect, folder, run_command, service

RECEIVER = ROOT / "Tests/Support/DatabaseFiles/receiver.py"
AT = "2025-12-07T00:00:00Z"
APP = ("--bundle-id", "com.example.garden")
COUNT = 600
CLIENTS = 12
KILLS = 8
# Apple repeats a notification 1, 12, 24, 48 and 72 hours after the attempt before ("Responding to App Store Server Notifications"). Here,
# 12 hours are a second.
PAUSES = [hours / 12 for hours in (1, 12, 24, 48, 72)]


def claims(token: str) -> dict:
    middle = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))


def mint(work: Path) -> tuple[Path, list[bytes]]:
    """The root, and bodies as the App Store sends them, each notification another one."""
    root, bodies = work / "root.pem", work / "bodies"
    subprocess.run(
        [sys.argv[2], "corpus", "--content", "notifications", "--wrapped-percent", "100", "--tokens", str(COUNT),
         "--root", root, bodies], check=True, stderr=subprocess.DEVNULL)
    return root, bodies.read_bytes().splitlines()


def identifier(body: bytes) -> str:
    return claims(json.loads(body)["signedPayload"])["notificationUUID"].lower()


@contextlib.contextmanager
def receiver(work: Path, name: str, plan: str) -> Iterator[tuple[str, Path]]:
    """A server that notifications are forwarded to: its address, and its log."""
    log = work / f"{name}.log"
    log.touch()
    process = subprocess.Popen(
        [sys.executable, RECEIVER, work / "secret", log, plan], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/{name}", log
    finally:
        process.kill()
        process.wait()


def receive(running: Service, body: bytes, query: str = "") -> tuple[int, dict]:
    given = running.request(
        "POST", f"/v1/notifications{query}", body, {"Content-Type": "application/json"})
    return given.status, json.loads(given.body)


def wait(what: str, holds, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not holds():
        expect(time.monotonic() < end, what)
        time.sleep(0.05)


# MARK: - One service


def check_answers(work: Path, root: Path, bodies: list[bytes]) -> None:
    database, secret = work / "answers.db", work / "secret"
    with receiver(work, "good", "accept") as (good, log), receiver(work, "bad", "status 404") as (bad, _):
        options = ["--root", str(root), *APP, "--database", str(database), "--forward-to", good, "--forward-to", bad,
                   "--forwarding-secret-file", str(secret)]
        with service(*options) as running:
            for body in bodies:
                status, answer = receive(running, body)
                expect((status, answer) == (200, {"notificationUUID": identifier(body), "isNew": True}), f"{answer}")
            for body in bodies[:20]:
                status, answer = receive(running, body)
                expect((status, answer["isNew"]) == (200, False), f"a repetition: {answer}")
            check_refusals(running, bodies[0])
            digests = {hashlib.sha256(body).hexdigest() for body in bodies}
            wait("not all is forwarded", lambda: len(log.read_text().splitlines()) >= len(bodies))
            came = [line.split() for line in log.read_text().splitlines()]
            expect({line[3] for line in came} == digests, "other bodies are forwarded than came")
            expect(all(line[2] == "signed" for line in came), "a signature is wrong")
            check_questions(running, bodies, good, bad)
            check_customers(running, database, root, bodies)
            text = running.request("GET", "/metrics").body.decode()
            counted = f'notifications_total{{app="default",outcome="accepted"}} {len(bodies)}\n'
            expect(counted in text, "the metrics")
            check_locked(running, database, bodies[0])
    with service("--root", str(root)) as running:
        for method, target in (("POST", "/v1/notifications"), ("GET", f"/v1/customers/{uuid.uuid4()}/entitlements")):
            running.request(method, target, bodies[0] if method == "POST" else None).problem(404, "no database")


def check_refusals(running: Service, body: bytes) -> None:
    token = json.loads(body)["signedPayload"]
    header, payload, signature = token.split(".")
    forged = f"{header}.{payload}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"
    transaction = (VECTORS / "valid/transactions.jws").read_bytes().splitlines()[0]
    for what, given, code, answered in (
        ("a forged one", json.dumps({"signedPayload": forged}).encode(), "invalidSignature", 403),
        ("another root", (VECTORS / "invalid/03-trust.jws").read_bytes().splitlines()[0], "invalidCertificateChain", 403),
        ("nonsense", b"hello", "invalidEncoding", 400), ("an object", b"{}", "invalidEncoding", 400),
        ("a long one", token.encode() + b"A" * (1 << 20), "tooLarge", 413),
        ("a transaction", transaction, None, 400), ("nothing", b"", None, 400),
    ):
        status, problem = receive(running, given)
        expect(status == answered, f"{what}: {status} {problem}")
        expect(code is None or problem.get("error") == code, f"{what}: {problem}")
    running.request("DELETE", "/v1/notifications").problem(405, "DELETE")
    for query in ("?app=x", "?x=y"):
        status, problem = receive(running, body, query)
        expect(status == 400, f"{query}: {problem}")


def check_questions(running: Service, bodies: list[bytes], good: str, bad: str) -> None:
    name = identifier(bodies[3])

    def found() -> dict:
        return json.loads(running.request("GET", f"/v1/notifications/{name}").body)

    def deliveries() -> dict[str, dict]:
        return {one["address"]: one for one in found()["deliveries"]}

    def undelivered() -> list[dict]:
        return json.loads(running.request("GET", "/v1/deliveries").body)["deliveries"]

    wait("an address that refuses is not noted", lambda: deliveries()[bad].get("lastFailure") == "status 404")
    notification = found()
    expect(notification["body"].encode() == bodies[3], "another body is kept than came")
    # An address has a notification a moment before the file says so.
    wait("an address that accepted is listed", lambda: {one["address"] for one in undelivered()} == {bad})
    expect(len(undelivered()) == len(bodies), f"{len(undelivered())} deliveries are listed")
    states = {address: one["state"] for address, one in deliveries().items()}
    expect(states == {good: "delivered", bad: "waiting"}, f"{states}")
    running.request("GET", f"/v1/notifications/{uuid.uuid4()}").problem(404, "an unknown notification")
    running.request("GET", "/v1/notifications/x").problem(400, "no UUID")
    given = running.request("POST", f"/v1/deliveries/retry?address={quote(bad)}")
    expect(json.loads(given.body) == {"queued": 0}, f"nothing was given up: {given.body!r}")
    running.request("POST", "/v1/deliveries/retry?address=http://x/").problem(400, "another address")


def check_customers(running: Service, database: Path, root: Path, bodies: list[bytes]) -> None:
    """What the service says of customers is what the command says of the same file."""
    options = ["--database", str(database), "--root", str(root), "--at", AT, "--environment", "Sandbox"]
    query = f"at={AT}&environment=Sandbox"
    names = set()
    for body in bodies[:40]:
        data = claims(json.loads(body)["signedPayload"])["data"]
        transaction = claims(data["signedTransactionInfo"])
        names.add("original-transaction:" + transaction["originalTransactionId"])
        if "appAccountToken" in transaction:
            names.add(transaction["appAccountToken"])
    owned = 0
    for name in sorted(names):
        path = f"/v1/customers/{quote(name)}"
        answer = json.loads(running.request("GET", f"{path}/entitlements?{query}").body)
        lines = run_command("entitlements", *options, "--customer", name).splitlines()
        expect(answer["entitlements"] == [json.loads(line) for line in lines], f"{name}: other entitlements")
        owned += len(lines)
        for free in ("entitlements", "timeline"):
            given = json.loads(running.request("GET", f"{path}/{free}?at={AT}").body)
            expect(not given.get("entitlements") and not given.get("lanes"), f"{name}: sandbox beside production: {given}")
        given = running.request("GET", f"{path}/timeline.svg?{query}")
        expect(given.headers["content-type"] == "image/svg+xml", f"{given.headers}")
        expect(given.body == run_command("timeline", *options, "--customer", name), f"{name}: another picture")
        xml.etree.ElementTree.fromstring(given.body)
        timeline = json.loads(running.request("GET", f"{path}/timeline?{query}").body)
        words = without_seconds(" ".join(xml.etree.ElementTree.fromstring(given.body).itertext()))
        entitled = sum(lane["isEntitled"] is True for lane in timeline["lanes"])
        expect(entitled == len(lines), f"{name}: {entitled} purchases of the timeline are entitlements, not {len(lines)}")
        for lane in timeline["lanes"]:
            expect(lane["productID"] in words, f"{name}: {lane['productID']} is not in the picture")
            for text in (lane["standing"], *(event["text"] for event in lane["events"][-10:])):
                expect(without_seconds(text) in words, f"{name}: {text} is not in the picture")
    expect(len(names) > 30 and owned > 5, f"{len(names)} customers own {owned}")
    unknown = json.loads(running.request("GET", f"/v1/customers/{uuid.uuid4()}/entitlements").body)
    expect(unknown["entitlements"] == [], "an unknown customer")
    for target in ("/v1/customers/x/entitlements", f"/v1/customers/{uuid.uuid4()}/timeline?at=yesterday",
                   f"/v1/customers/{uuid.uuid4()}/timeline?environment=sandbox",
                   f"/v1/customers/{uuid.uuid4()}/entitlements?bundleId=com.example.other"):
        running.request("GET", target).problem(400, target)


def without_seconds(text: str) -> str:
    """A picture of several days leaves them out."""
    return re.sub(r"(\d\d:\d\d):\d\d", r"\1", text)


def check_locked(running: Service, database: Path, body: bytes) -> None:
    """A file that another process has locked: 503, and verdicts go on."""
    lock = sqlite3.connect(database, isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    given: list[tuple[int, dict]] = []
    sender = threading.Thread(target=lambda: given.append(receive(running, body)))
    sender.start()
    start = time.monotonic()
    running.verify(json.loads(body)["signedPayload"].encode())
    expect(time.monotonic() - start < 1, "a verdict waits for the file")
    sender.join()
    lock.execute("ROLLBACK")
    lock.close()
    expect(given[0][0] == 503 and "locked" in given[0][1]["detail"], f"a locked file: {given[0]}")
    status, answer = receive(running, body)
    expect((status, answer["isNew"]) == (200, False), "after the lock")


def check_full(work: Path, root: Path, bodies: list[bytes]) -> None:
    """A disk that is full: 503 until there is room, and what was acknowledged stays."""
    database = work / "full.db"
    with service("--root", str(root), *APP, "--database", str(database)) as running:
        process = running.process.pid
        before = resource.prlimit(process, resource.RLIMIT_FSIZE)
        # No file of the service may grow beyond this, as if the disk were full.
        resource.prlimit(process, resource.RLIMIT_FSIZE, (1_000_000, before[1]))
        statuses = [receive(running, body)[0] for body in bodies]
        expect(set(statuses) == {200, 503}, f"a full disk: {collections.Counter(statuses)}")
        running.verify(json.loads(bodies[0])["signedPayload"].encode())
        resource.prlimit(process, resource.RLIMIT_FSIZE, before)
        for body, status in zip(bodies, statuses):
            again, answer = receive(running, body)
            expect((again, answer.get("isNew")) == (200, status == 503), f"with room again: {answer}, after {status}")


def check_revocation(work: Path) -> None:
    """Certificates of which no responder says anything: the App Store is asked to come again."""
    options = ["--root", str(VECTORS / "pki/root.pem"), *APP, "--database", str(work / "revocation.db")]
    body = (VECTORS / "valid/notifications.jws").read_bytes().splitlines()[0]
    with service(*options, "--revocation", "hard") as running:
        # The host of the responder is one that no name server knows.
        given = running.request("POST", "/v1/notifications", body)
        problem = given.problem(503, "no responder")
        expect(problem.get("error") == "revocationUnknown" and "retry-after" in given.headers, f"{problem}")
        running.request("GET", f"/v1/notifications/{claims(body.decode())['notificationUUID']}").problem(404, "it is kept")
    with service(*options, "--revocation", "soft") as running:
        status, answer = receive(running, body)
        expect((status, answer["isNew"]) == (200, True), f"when it comes again: {answer}")


def check_apps(work: Path, root: Path, bodies: list[bytes]) -> None:
    """Whose purchases count: a service with a database says whose app it serves, and a customer's are of one."""
    database = ["--root", str(root), "--database", str(work / "apps.db")]
    configuration = work / "apps.json"
    configuration.write_text(json.dumps({"apps": {"a": {"database": database[3]}}}))
    for options in (database, ["--config", str(configuration)]):
        done = subprocess.run([sys.argv[1], "serve", "--port", "0", *options], capture_output=True, timeout=60, check=False)
        expect(done.returncode == 64 and b"bundle identifier" in done.stderr, f"{options}: {done}")
    with service(*database, *APP, "--bundle-id", "com.example.other", "--environment", "Sandbox") as running:
        data = claims(json.loads(bodies[0])["signedPayload"])["data"]
        receive(running, bodies[0])
        name = "original-transaction:" + claims(data["signedTransactionInfo"])["originalTransactionId"]
        path = f"/v1/customers/{name}/timeline?at={AT}"

        def lanes(query: str = "") -> list[dict]:
            return json.loads(running.request("GET", path + query).body)["lanes"]

        expect(len(lanes()) == 1 and lanes() == lanes("&bundleId=com.example.garden"), "the app that was bought from")
        expect(lanes("&bundleId=com.example.other") == [], "another app's purchases")
        running.request("GET", f"{path}&environment=Production").problem(400, "an environment that is not accepted")
    for options in (("--bundle-id", "com.example.other"), (*APP, "--environment", "Production")):
        with service(*database, *options) as running:
            status, problem = receive(running, bodies[1])
            expect(status == 503, f"a notification for another app or environment: {status} {problem}")
        with service(*database, *options, "--refuse-foreign-notifications") as running:
            status, problem = receive(running, bodies[1])
            expect(status == 421, f"the same, to be refused: {status} {problem}")


def check_names(work: Path) -> None:
    """A customer who bought with an account token, without one, and with another one, under one download."""
    tokens = [str(uuid.uuid4()) for _ in range(2)]
    root, database, scenario = work / "names.pem", work / "names.db", work / "names.scenario"
    scenario.write_text(f"""\
        +0 anna: buy $subscription token={tokens[0]}
        +1h anna: buy $non-consumable
        +2h anna: buy $consumable token={tokens[1]}
        +3h bert: buy $non-consumable token={tokens[0]}
        +4h bert: buy $subscription
        +5h cora: buy $non-consumable token={uuid.uuid4()}
        """)
    run = subprocess.run(
        [sys.argv[3], "run", "--scenario", scenario, "--write-root", root], capture_output=True, text=True, check=True)
    bodies = [line.encode() for line in run.stdout.splitlines() if "signedPayload" in line]
    names_of: dict[str, set[str]] = collections.defaultdict(set)
    instant = "2000-01-01T00:00:00Z"
    with service("--root", str(root), *APP, "--environment", "Sandbox", "--database", str(database)) as running:
        for body in bodies:
            payload = claims(json.loads(body)["signedPayload"])
            transaction = claims(payload["data"]["signedTransactionInfo"])
            purchase = "original-transaction:" + transaction["originalTransactionId"]
            names_of[purchase] |= {purchase, "app-transaction:" + transaction["appTransactionId"]}
            names_of[purchase] |= {transaction[name] for name in ("appAccountToken",) if name in transaction}
            expect(receive(running, body)[0] == 200, "a notification of the scenario")
            instant = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(payload["signedDate"] // 1000))
        lengths = set()
        for name in sorted(set().union(*names_of.values())):
            mine = set().union(*(given for given in names_of.values() if name in given))
            theirs = set().union(*(given for given in names_of.values() if name not in given))
            others = sorted(mine & theirs)
            lengths.add(len(others))
            for what in ("entitlements", "timeline"):
                answer = json.loads(running.request("GET", f"/v1/customers/{quote(name)}/{what}?at={instant}").body)
                expect(answer.get("otherNames", []) == others, f"{what} of {name}: {answer.get('otherNames')}, not {others}")
            for given in (("--database", str(database)), (str(work / "names.ndjson"),)):
                (work / "names.ndjson").write_bytes(b"\n".join(bodies))
                done = subprocess.run(
                    [sys.argv[1], "entitlements", "--root", root, "--at", instant, "--customer", name, *given],
                    capture_output=True, text=True, check=True)
                said = [line.split(" under ")[1].split(";")[0] for line in done.stderr.splitlines() if " under " in line]
                expect(said == others, f"the command about {name}: {done.stderr}")
        expect(lengths >= {0, 1, 2}, f"numbers of other names: {lengths}")


def check_readiness(work: Path, root: Path, body: bytes) -> None:
    """A service that cannot keep what comes says so to load balancers, and acknowledges nothing."""
    database, away = work / "ready.db", work / "away.db"

    def becomes(status: int, what: str) -> None:
        # Requests share the answer of a second.
        wait(f"{what} is not {status}", lambda: running.request("GET", "/readyz").status == status)

    with service("--root", str(root), *APP, "--database", str(database)) as running:

        def refuses(what: str) -> None:
            becomes(503, what)
            status, problem = receive(running, body)
            expect(status == 503 and "log" in problem["detail"], f"{what}: {status} {problem}")
            expect(running.request("GET", "/healthz").status == 200, "the process answers all the same")

        becomes(200, "a new file")
        database.rename(away)
        refuses("a file that was removed")
        database.write_bytes(b"")
        refuses("a file that was replaced")
        away.rename(database)
        becomes(200, "the file again")
        process = running.process.pid
        before = resource.prlimit(process, resource.RLIMIT_FSIZE)
        resource.prlimit(process, resource.RLIMIT_FSIZE, (1, before[1]))
        becomes(503, "a full disk")
        resource.prlimit(process, resource.RLIMIT_FSIZE, before)
        becomes(200, "a disk with room again")
        status, answer = receive(running, body)
        expect((status, answer["isNew"]) == (200, True), f"it was refused, and counts as known: {answer}")
    # What was written is in the file itself since the end of the service.
    with service("--root", str(root), *APP, "--database", str(database)) as running:
        becomes(200, "the file, open anew")
        os.truncate(database, database.stat().st_size // 2)
        refuses("a file that was cut")


# MARK: - A service that is killed


class AppStore(threading.Thread):
    """Sends notifications as Apple does: each one until it is accepted, at most six times."""

    def __init__(self, bodies: list[bytes], port: int) -> None:
        super().__init__()
        self.bodies, self.port = bodies, port
        self.accepted: list[str] = []
        self.new: list[str] = []
        self.lost: list[str] = []
        self.attempts = 0

    def run(self) -> None:
        for body in self.bodies:
            name = identifier(body)
            for pause in [*PAUSES, None]:
                self.attempts += 1
                try:
                    status, answer = receive(Service(None, self.port), body)  # type: ignore[arg-type]
                    if status == 200:
                        self.accepted.append(answer["notificationUUID"])
                        self.new += [answer["notificationUUID"]] if answer["isNew"] else []
                        break
                except (OSError, ValueError, http.client.HTTPException):
                    # The service was killed.
                    pass
                if pause is None:
                    self.lost.append(name)
                else:
                    time.sleep(pause)
            time.sleep(0.02)


def check_kills(work: Path, root: Path, bodies: list[bytes]) -> None:
    database, generator = work / "kills.db", random.Random(19)
    with receiver(work, "kills", "accept") as (address, log):
        options = ["--root", str(root), *APP, "--database", str(database), "--forward-to", address,
                   "--forwarding-secret-file", str(work / "secret")]
        port = 0
        senders: list[AppStore] = []
        kills = 0
        while kills < KILLS:
            with service(*options, port=port) as running:
                if port == 0:
                    port = running.port
                    senders = [AppStore(bodies[start::CLIENTS], port) for start in range(CLIENTS)]
                    for sender in senders:
                        sender.start()
                time.sleep(0.1 + generator.random() * 0.4)
                expect(any(sender.is_alive() for sender in senders), "all was sent before the last kill")
                running.process.send_signal(signal.SIGKILL)
                running.process.wait()
                kills += 1
            time.sleep(generator.random() * 0.3)
        with service(*options, port=port) as running:
            for sender in senders:
                sender.join()
            lost = [name for sender in senders for name in sender.lost]
            accepted = collections.Counter(name for sender in senders for name in sender.accepted)
            new = collections.Counter(name for sender in senders for name in sender.new)
            names = {identifier(body) for body in bodies}
            expect(not lost and set(accepted) == names, f"{len(lost)} were not accepted in the time of Apple's schedule")
            expect(max(new.values()) == 1, "a notification is new twice")
            for body in bodies:
                kept = json.loads(running.request("GET", f"/v1/notifications/{identifier(body)}").body)
                expect(kept.get("body", "").encode() == body, f"{identifier(body)} was acknowledged, and is lost")

            def came() -> set[str]:
                return {line.split()[3] for line in log.read_text().splitlines()}

            wait("not all is forwarded", lambda: len(came()) == len(bodies))
            expect(came() == {hashlib.sha256(body).hexdigest() for body in bodies}, "other bodies are forwarded")
            wait("deliveries wait", lambda: json.loads(running.request("GET", "/v1/deliveries").body)["deliveries"] == [])
        rows = sqlite3.connect(database).execute("SELECT count(*), count(DISTINCT uuid) FROM received").fetchone()
        expect(rows == (len(bodies), len(bodies)), f"the file has {rows}")
    repeated = sum(sender.attempts for sender in senders) - len(bodies)
    expect(repeated > 0, "no notification was sent twice")
    print(f"notifications: {len(bodies)} kept and forwarded through {KILLS} kills; {repeated} were repeated")


def main() -> None:
    with folder() as work:
        (work / "secret").write_text("0123456789abcdef0123456789abcdef\n")
        root, bodies = mint(work)
        check_answers(work, root, bodies[:100])
        check_full(work, root, bodies)
        check_revocation(work)
        check_apps(work, root, bodies)
        check_readiness(work, root, bodies[0])
        check_names(work)
        check_kills(work, root, bodies)


if __name__ == "__main__":
    main()
