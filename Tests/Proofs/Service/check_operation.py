"""What an operator needs: deliveries that are seen, repaired and replayed, logs, a reload, forgetting, copies.

check_operation.py COMMAND MINT
"""

from __future__ import annotations

import collections
import contextlib
import hashlib
import hmac
import http.server
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from kit import ROOT, Service, command, expect, folder, service

APP = ("--bundle-id", "com.example.garden")
COUNT = 40
SECRETS = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"]


def mint(work: Path) -> tuple[Path, list[bytes]]:
    root, bodies = work / "root.pem", work / "bodies"
    subprocess.run(
        [sys.argv[2], "corpus", "--content", "notifications", "--wrapped-percent", "100", "--tokens", str(COUNT),
         "--root", root, bodies], check=True, stderr=subprocess.DEVNULL)
    return root, bodies.read_bytes().splitlines()


class Receiver:
    """A server that answers as `plan` says at the moment, and keeps what came."""

    def __init__(self, plan: str) -> None:
        self.plan, self.came = plan, []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                plan = receiver.plan
                receiver.came.append((plan, dict(self.headers.items()), body))
                if plan == "slow":
                    time.sleep(0.3)
                if plan == "hang":
                    time.sleep(3600)
                status = {"500": 500, "410": 410, "redirect": 307}.get(plan, 200)
                self.send_response(status)
                if plan == "redirect":
                    self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/{plan}"

    def accepted(self) -> set[str]:
        return {json.loads(body)["signedPayload"] for plan, _, body in self.came if plan in ("accept", "slow")}


def closed() -> str:
    """An address where nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/closed"


def wait(what: str, holds, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        expect(time.monotonic() < end, what)
        time.sleep(0.05)


def get(running: Service, target: str, method: str = "GET") -> dict:
    given = running.request(method, target)
    expect(given.status == 200, f"{method} {target}: {given.status} {given.body!r}")
    return json.loads(given.body)


def post(running: Service, body: bytes, query: str = "") -> int:
    return running.request("POST", f"/v1/notifications{query}", body, {"Content-Type": "application/json"}).status


def counts(running: Service) -> dict[str, dict]:
    return {one["address"]: one for one in get(running, "/v1/deliveries")["counts"]}


def events(running: Service, message: str) -> list[dict]:
    return [event for event in map(json.loads, running.log) if event["message"] == message]


# MARK: - Six receivers


def check_receivers(work: Path, root: Path, bodies: list[bytes]) -> None:
    """One slow, one 500, one 410, one that redirects, one that hangs, one closed: each shows in log, metric and list."""
    receivers = {plan: Receiver(plan) for plan in ("slow", "500", "410", "redirect", "hang")}
    address = closed()
    addresses = [receiver.url for receiver in receivers.values()] + [address]
    secret = work / "secret"
    secret.write_text("\n".join(SECRETS) + "\n")
    options = ["--root", str(root), *APP, "--database", str(work / "six.db"), "--forwarding-secret-file", str(secret)]
    for url in addresses:
        options += ["--forward-to", url]
    failing = {receiver.url for plan, receiver in receivers.items() if plan != "slow"} | {address}
    with service(*options) as running:
        for body in bodies:
            expect(post(running, body) == 200, "a notification is not kept")
        message = "an address does not accept notifications"
        wait("an address that fails is not in the log", lambda: {e["address"] for e in events(running, message)} == failing)
        wait("the slow one is not served", lambda: len(receivers["slow"].accepted()) == COUNT)
        expect({len([e for e in events(running, message) if e["address"] == url]) for url in failing} == {1}, "the log repeats")
        reasons = {e["address"]: e["reason"] for e in events(running, message)}
        expect(reasons[receivers["410"].url] == "status 410", f"{reasons}")
        expect("no answer within" in reasons[receivers["hang"].url], f"{reasons}")
        expect({one["waiting"] for url, one in counts(running).items() if url in failing} == {COUNT}, f"{counts(running)}")
        expect(counts(running)[receivers["slow"].url]["waiting"] == 0, f"{counts(running)}")
        text = running.request("GET", "/metrics").body.decode()
        for url in failing:
            expect(f'storekit_verify_deliveries{{app="default",address="{url}",state="waiting"}} {COUNT}\n' in text, url)
            expect(re.search(rf'oldest_delivery_seconds{{app="default",address="{re.escape(url)}"}} \d+\n', text) is not None, url)
        for plan, outcome in (("500", "failed"), ("410", "refused"), ("redirect", "refused"), ("slow", "delivered")):
            line = f'attempts_total{{app="default",address="{receivers[plan].url}",outcome="{outcome}"}} '
            expect(line in text, f"no metric: {line}")
        check_lists(running, receivers, address)
        check_signatures(receivers["slow"])
        # Everything is repaired but the closed one, whose deliveries are dropped.
        for receiver in receivers.values():
            receiver.plan = "accept"
        expect(get(running, "/v1/deliveries/send", "POST")["sent"] > 0, "nothing waits")
        dropped = get(running, f"/v1/deliveries?address={quote(address)}", "DELETE")
        expect(dropped == {"dropped": COUNT}, f"{dropped}")

        def rest() -> int:
            return sum(one["waiting"] + one["givenUp"] for url, one in counts(running).items() if url != receivers["hang"].url)

        wait("not all is delivered after the repair", lambda: rest() == 0)
        for plan in ("500", "410", "redirect"):
            expect(len(receivers[plan].accepted()) == COUNT, f"{plan}: {len(receivers[plan].accepted())}")
        again = "an address accepts notifications again"
        wait("the repair is not in the log", lambda: {receivers[plan].url for plan in ("500", "410", "redirect")} <= {
            e["address"] for e in events(running, again)})


def check_lists(running: Service, receivers: dict[str, Receiver], address: str) -> None:
    all_, cursor = [], ""
    while cursor is not None:
        page = get(running, f"/v1/deliveries?limit=30{cursor}")
        all_ += page["deliveries"]
        cursor = f"&after={page['next']}" if "next" in page else None
    keys = [(one["notificationUUID"], one["address"]) for one in all_]
    expect(len(keys) == len(set(keys)) == 5 * COUNT, f"{len(keys)} deliveries, {len(set(keys))} different ones")
    one = get(running, f"/v1/deliveries?address={quote(address)}&limit=1000")["deliveries"]
    expect(len(one) == COUNT and {e["address"] for e in one} == {address}, "the filter of addresses")
    expect(get(running, "/v1/deliveries?state=givenUp")["deliveries"] == [], "nothing was given up")
    found = get(running, f"/v1/notifications/{one[0]['notificationUUID']}")
    reasons = {e["address"]: e["reason"] for e in found["failures"]}
    expect(reasons[receivers["410"].url] == "status 410", f"{reasons}")
    for target in ("/v1/deliveries?state=x", "/v1/deliveries?after=x", "/v1/deliveries?limit=0", "/v1/deliveries?since=x",
                   "/v1/notifications?limit=501", "/v1/notifications?after=x", "/v1/notifications?customer=bob",
                   "/v1/notifications?output=xml"):
        running.request("GET", target).problem(400, target)
    running.request("DELETE", "/v1/deliveries").problem(400, "without an address")
    running.request("POST", f"/v1/deliveries/replay?address={quote(address)}").problem(400, "without a time")
    running.request("POST", "/v1/deliveries/replay?address=http://x/&since=2026-01-01T00:00:00Z").problem(400, "another address")


def check_signatures(receiver: Receiver) -> None:
    """The library of Standard Webhooks takes each request with either secret, and no other one."""
    identifiers = set()
    for _, headers, body in receiver.came:
        text = {name.lower(): value for name, value in headers.items()}
        identifiers.add(text["webhook-id"])
        for secret in SECRETS:
            Webhook(secret).verify(body.decode(), text)
        expect(json.loads(body)["signedPayload"].count(".") == 2, "the body is another one")
        for change in ({"webhook-id": str(uuid.uuid4())}, {"webhook-timestamp": "1"}):
            with contextlib.suppress(WebhookVerificationError):
                Webhook(SECRETS[0]).verify(body.decode(), text | change)
                sys.exit(f"FAILED: a request with {change} is taken")
    expect(len(identifiers) == COUNT, "an identifier is repeated")


def check_sample() -> None:
    """The page's sample for receivers without a library: no header makes it raise, and only the right one is taken."""
    page = (ROOT / "Sources/StoreKit/StoreKitVerify/StoreKitVerify.docc/ForwardingNotifications.md").read_text(encoding="utf-8")
    names: dict = {}
    exec(compile(page.split("```python\n")[1].split("```")[0], "sample", "exec"), names)
    secret, body, now = b"k" * 32, b"{}", str(int(time.time()))
    code = hmac.new(secret, now.encode() + b"." + body, hashlib.sha256).hexdigest()
    taken = {f"t={now},v1={code}": True, f"t={now},v1={'0' * 64},v1={code}": True}
    for header in ("", ",", "t", "t=", "t=²,v1=é", f"t={now},v1=é", f"t={now}", f"v1={code}", f"t=-1,v1={code}", f"t={'9' * 5000},v1={code}",
                   f"t={now},v1={code}\n", f"t={now},v1={code.upper()}", "\x00", "t=1" + "," * 9999, f"t={int(now) - 400},v1={code}"):
        taken[header] = False
    for header, wanted in taken.items():
        expect(names["is_forwarded"](secret, header, body) is wanted, f"the sample on {header[:80]!r}")


# MARK: - A new address, and one that is given up


def check_replay(work: Path, root: Path, bodies: list[bytes]) -> None:
    database = work / "replay.db"
    options = ["--root", str(root), *APP, "--database", str(database)]
    with service(*options) as running:
        for body in bodies:
            expect(post(running, body) == 200, "a notification is not kept")
        listed = get(running, "/v1/notifications?limit=500")["notifications"]
        expect(len(listed) == COUNT, f"{len(listed)} notifications are listed")
        one = next(entry for entry in listed if entry.get("customers"))
        for query, holds in ((f"type={one['notificationType']}", lambda entry: entry["notificationType"] == one["notificationType"]),
                             ("type=REFUND", lambda entry: entry["notificationType"] == "REFUND"),
                             (f"customer={quote(one['customers'][0])}", lambda entry: one["customers"][0] in entry["customers"]),
                             (f"since={one['receivedDate']}", lambda entry: entry["receivedDate"] >= one["receivedDate"]),
                             (f"until={one['receivedDate']}", lambda entry: entry["receivedDate"] < one["receivedDate"])):
            found = get(running, f"/v1/notifications?limit=500&{query}")["notifications"]
            expect(found == [entry for entry in listed if holds(entry)], f"{query}: {len(found)}")
        lines = running.request("GET", "/v1/notifications?output=ndjson&limit=7").body.splitlines()
        expect([json.loads(line) for line in lines] == listed, "the export differs from the list")
        since = listed[-1]["receivedDate"]
    new = Receiver("accept")
    with service(*options, "--forward-to", new.url) as running:
        time.sleep(0.5)
        expect(not new.came, "what came before the address was there is sent by itself")
        queued = get(running, f"/v1/deliveries/replay?address={quote(new.url)}&since={since}", "POST")
        expect(queued == {"queued": COUNT}, f"{queued}")
        wait("the new address does not get what came before", lambda: len(new.accepted()) == COUNT)


def check_meaning(work: Path, root: Path, bodies: list[bytes]) -> None:
    """A receiver that does not verify gets what a notification means."""
    receiver, secret = Receiver("accept"), work / "meaning-secret"
    receiver.accepted = lambda: {body for _, _, body in receiver.came}  # type: ignore[method-assign]
    secret.write_text(SECRETS[0] + "\n")
    options = ["--root", str(root), *APP, "--database", str(work / "meaning.db"), "--forward-to", receiver.url,
               "--forwarding-secret-file", str(secret), "--forward-as", "meaning"]
    with service(*options) as running:
        for body in bodies[:5]:
            expect(post(running, body) == 200, "a notification is not kept")
        wait("nothing is forwarded", lambda: len(receiver.came) == 5)
        listed = {one["notificationUUID"]: one for one in get(running, "/v1/notifications")["notifications"]}
        for _, headers, body in receiver.came:
            text = {name.lower(): value for name, value in headers.items()}
            event = Webhook(SECRETS[0]).verify(body.decode(), text)
            data = event["data"]
            expect(event["type"].split(".")[0] == data["notificationType"] and event["timestamp"], f"{event}")
            expect(data["access"] == "grants" and data["accessEndDate"] and data["productID"] and data["customers"], f"{event}")
            expect(data["meaning"] == "The subscription renewed.", f"{event}")
            one = listed[data["notificationUUID"]]
            expect({name: value for name, value in one.items() if name != "receivedDate"} == data, f"{one} {data}")
    for extra in (["--forward-as", "xml"], ["--forward-as", ""]):
        given = subprocess.run([command(), "serve", *options[:-2], *extra], capture_output=True, text=True, timeout=30)
        expect(given.returncode == 64 and "meaning" in given.stderr, f"{extra}: {given}")


# MARK: - Logs, tokens, reload


def check_logs(work: Path, root: Path, bodies: list[bytes]) -> None:
    options = ["--root", str(root), *APP, "--database", str(work / "logs.db"), "--access-log"]
    with service(*options) as running:
        token = json.loads(bodies[0])["signedPayload"]
        forged = json.dumps({"signedPayload": token[:-4] + ("AAAA" if token[-4:] != "AAAA" else "BBBB")}).encode()
        given = running.request("POST", "/v1/notifications", forged, {"X-Request-ID": "abc-1", "traceparent": f"00-{'a1' * 16}-{'b2' * 8}-01"})
        expect((given.status, given.headers["x-request-id"]) == (403, "abc-1"), f"{given}")
        wait("a refusal is not in the log", lambda: len(events(running, "a notification is refused")) == 1)
        event = events(running, "a notification is refused")[0]
        wanted = {"app": "default", "code": "invalidSignature", "requestID": "abc-1", "traceID": "a1" * 16}
        expect(wanted.items() <= event.items() and event["reason"], f"{event}")
        expect(uuid.UUID(event["unverifiedNotificationUUID"]), f"{event}")
        bad = running.request("GET", "/healthz", None, {"X-Request-ID": "x" * 200})
        new = [bad.headers["x-request-id"], running.request("GET", "/healthz").headers["x-request-id"]]
        expect(all(re.fullmatch(r"[0-9a-f]{16}-[0-9]+", one) for one in new) and len(set(new)) == 2, f"new identifiers: {new}")
        for _ in range(200):
            post(running, forged)
        time.sleep(1.1)
        post(running, forged)
        wait("lines are left out without a word", lambda: any("leftOut" in e for e in events(running, "a notification is refused")))
        said = events(running, "a notification is refused")
        left_out = sum(int(e.get("leftOut", 0)) for e in said)
        expect(len(said) + left_out == 202, f"{len(said)} lines, and {left_out} left out")
        requests = events(running, "request")
        expect({e["route"] for e in requests} >= {"/v1/notifications", "/healthz"}, f"{requests[:3]}")
        expect(running.metric("storekit_verify_notifications_total") == 202, "refusals are not counted")
        series = running.request("GET", "/metrics").body.decode()
        expect("page.css" not in series and "storekit_verify_build_info{" in series, "series of files, or no build")


def check_reload(work: Path, root: Path, bodies: list[bytes]) -> None:
    tokens, config = work / "tokens", work / "config.json"
    one, two, three = ("1" * 20, "2" * 20, "3" * 20)

    def write(bundle: str, extra: dict | None = None) -> None:
        config.write_text(json.dumps({"apps": {"garden": {
            "bundleIds": [bundle], "roots": [str(root)], "database": str(work / "reload.db"), **(extra or {})}}}))

    tokens.write_text(f"{one}\n")
    write("com.example.garden")
    with service("--config", str(config), "--token-file", str(tokens)) as running:
        def status(token: str) -> int:
            return running.request("GET", "/v1/deliveries", None, {"Authorization": f"Bearer {token}"}).status

        def reload(message: str) -> None:
            before = len(events(running, message))
            running.process.send_signal(signal.SIGHUP)
            wait(message, lambda: len(events(running, message)) > before)

        expect([status(one), status(two)] == [200, 401], "the first token")
        expect(post(running, bodies[0]) == 200, "a notification is not kept")
        with running.connect() as connection:
            connection.sendall(b"POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(bodies[1]))
            time.sleep(0.2)
            tokens.write_text(f"{one}\n{two}\n")
            reload("the configuration was read anew")
            # The connection and its request live on.
            connection.sendall(bodies[1])
            expect(connection.recv(12) == b"HTTP/1.1 200", "a request was lost at the reload")
        expect([status(one), status(two), status(three)] == [200, 200, 401], "two tokens at once")
        tokens.write_text("short\n")
        reload("the configuration could not be read anew; the service goes on with the one it has")
        expect([status(one), status(two)] == [200, 200], "a wrong file took the tokens away")
        tokens.write_text(f"{three}\n")
        receiver = Receiver("accept")
        write("com.example.garden", {"forwardTo": [receiver.url]})
        reload("the configuration was read anew")
        expect([status(one), status(three)] == [401, 200], "the old token still works")
        expect(post(running, bodies[2]) == 200, "a notification is not kept")
        wait("the new address gets nothing", lambda: len(receiver.accepted()) == 1)
        write("com.example.other")
        reload("the configuration was read anew")
        expect(post(running, bodies[3]) == 503, "the new policy does not count")
        expect(post(running, bodies[0], "?app=other") == 400, "another app")
        wait("a wrong address is not in the log", lambda: len(events(running, "a notification came to an address without an app")) == 1)
        text = running.request("GET", "/metrics", None, {"Authorization": f"Bearer {three}"}).body.decode()
        expect('notifications_total{outcome="misdirected"} 1\n' in text, "it is not counted")


# MARK: - Keeping, forgetting, copies


def check_forgetting(work: Path, root: Path, bodies: list[bytes]) -> None:
    database = work / "forget.db"
    options = ["--root", str(root), *APP, "--database", str(database)]
    with service(*options) as running:
        for body in bodies:
            expect(post(running, body) == 200, "a notification is not kept")
        listed = get(running, "/v1/notifications?limit=500")["notifications"]
        names = collections.Counter(name for entry in listed for name in entry.get("customers", []))
        token = next(name for name in names if re.fullmatch(r"[0-9a-f-]{36}", name))
        backup = subprocess.run([command(), "backup", "--database", database, work / "copy.db"], capture_output=True)
        expect(backup.returncode == 0, f"backup: {backup.stderr!r}")
        expect(token.encode() in (work / "copy.db").read_bytes(), "the copy lacks what the log has")
        again = subprocess.run([command(), "backup", "--database", database, work / "copy.db"], capture_output=True, text=True)
        expect(again.returncode == 74 and "give another name" in again.stderr, f"{again}")
        forgotten = get(running, f"/v1/customers/{token}", "DELETE")
        expect(forgotten["remains"] == 0 and forgotten["payloads"] > 0 and forgotten["notifications"] > 0, f"{forgotten}")
        for name in ("forget.db", "forget.db-wal"):
            expect(token.encode() not in (work / name).read_bytes(), f"the customer stands in {name}")
        expect(get(running, f"/v1/notifications?customer={token}")["notifications"] == [], "notifications are left")
        expect(post(running, bodies[0]) == 200 and running.request("GET", "/readyz").status == 200, "the service goes on")
        running.request("DELETE", "/v1/customers/bob").problem(400, "a name")
    done = subprocess.run(
        [command(), "forget", "--database", work / "copy.db", "--customer", token], capture_output=True, text=True)
    expect(done.returncode == 0 and json.loads(done.stdout)["remains"] == 0, f"{done}")
    expect(token.encode() not in (work / "copy.db").read_bytes(), "the customer stands in the copy")
    for arguments, status in ((["forget", "--database", work / "nowhere.db", "--customer", token], 74),
                              (["forget", "--database", database], 64),
                              (["backup", "--database", work / "nowhere.db", work / "x.db"], 66)):
        given = subprocess.run([command(), *arguments], capture_output=True, text=True)
        expect(given.returncode == status and given.stderr.strip(), f"{arguments}: {given}")
        expect(not (work / "nowhere.db").exists(), "a database was made")


def check_keeping(work: Path, root: Path, bodies: list[bytes]) -> None:
    """Bodies of older notifications go at the start, and their identifiers stay."""
    database = work / "keep.db"
    options = ["--root", str(root), *APP, "--database", str(database)]
    with service(*options) as running:
        for body in bodies:
            expect(post(running, body) == 200, "a notification is not kept")
    with contextlib.closing(sqlite3.connect(database)) as file:
        # Two days ago; one row of each table says when.
        file.execute("UPDATE event SET at = at - 172800000 WHERE notification <= 10")
        file.commit()
    with service(*options, "--keep-bodies", "1d") as running:
        wait("no body is dropped", lambda: len(get(running, "/v1/notifications?limit=500")["notifications"]) == COUNT - 10)
        given = running.request("POST", "/v1/notifications", bodies[0], {"Content-Type": "application/json"})
        expect(json.loads(given.body)["isNew"] is False, "a repetition is taken for new")
        name = json.loads(given.body)["notificationUUID"]
        expect("body" not in get(running, f"/v1/notifications/{name}"), "the body is still there")
    for text in ("90", "d", "0d", "-1d", "1w", "1.5d", ""):
        given = subprocess.run(
            [command(), "serve", *options, "--keep-bodies", text], capture_output=True, text=True, timeout=30)
        expect(given.returncode == 64 and given.stderr.strip(), f"--keep-bodies '{text}': {given}")


if __name__ == "__main__":
    with folder() as work:
        check_sample()
        root, bodies = mint(work)
        for check in (check_replay, check_meaning, check_logs, check_reload, check_forgetting, check_keeping, check_receivers):
            start = time.monotonic()
            check(work, root, bodies)
            print(f"{check.__name__}: {time.monotonic() - start:.1f} s", flush=True)
