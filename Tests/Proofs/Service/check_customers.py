"""Customers over HTTP: purchases that an app's server sends, what several customers own, lists, and the search.

check_customers.py COMMAND STOREKIT_TEST
"""

from __future__ import annotations

import base64
import http.client
import json
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path
from urllib.parse import quote, urlencode

from kit import VECTORS, Service, expect, folder, lines, run_command, service

APP = ("--bundle-id", "com.example.garden")
TOKENS = {name: str(uuid.uuid5(uuid.NAMESPACE_DNS, name)) for name in ("anna", "bert", "cora", "dora", "fine", "gina", "hugo")}
# A customer in each state; emil has no account token.
STATES = f"""\
set grace on
+0   anna: buy $subscription token={TOKENS['anna']}
+0   cora: buy $subscription token={TOKENS['cora']}
+0   dora: buy $subscription token={TOKENS['dora']}
+0   gina: buy $consumable token={TOKENS['gina']}
+0   hugo: buy $subscription token={TOKENS['hugo']}
+1h  anna: buy $non-consumable
+1d  cora: cancel
+1d  hugo: fail-payments
+1d  emil: buy $non-consumable
+1d  fine: buy $non-consumable token={TOKENS['fine']}
+2d  dora: refund
+3d  fine: refund
+20d bert: buy $subscription token={TOKENS['bert']}
+21d bert: fail-payments
+1p22d end
"""


def claims(token: str) -> dict:
    middle = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))


def date(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc)


def signed(line: bytes) -> datetime:
    return date(max(claims(token).get("signedDate", 0) for token in json.loads(line).values()))


def text(instant: datetime) -> str:
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ")


def forged(token: str) -> str:
    header, payload, signature = token.split(".")
    return f"{header}.{payload}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"


class Signed:
    """What a scenario signs."""

    def __init__(self, work: Path, scenario: str, environment: str = "Production", seed: int = 1, *options: str) -> None:
        file = work / f"{environment}-{seed}.scenario"
        file.write_text(scenario)
        run = subprocess.run(
            [sys.argv[2], "run", "--scenario", file, "--keys", work / "keys", "--environment", environment,
             "--seed", str(seed), *options], capture_output=True, text=True, check=True)
        self.lines = [line.encode() for line in run.stdout.splitlines()]
        self.transactions: list[str] = []
        last = 0
        for line in self.lines:
            body = json.loads(line)
            for token in body.values():
                payload = claims(token)
                last = max(last, payload.get("signedDate", 0))
                inner = payload.get("data", {}).get("signedTransactionInfo")
                self.transactions += [inner] if inner else []
            self.transactions += [body["signedTransactionInfo"]] if "signedTransactionInfo" in body else []
        self.end = date(last)

    def of(self, name: str) -> list[str]:
        """The transactions that give an account token."""
        return [token for token in self.transactions if claims(token).get("appAccountToken") == TOKENS[name]]


def post(running: Service, body: bytes | str, expected: int = 200, **query: str):
    body = body.encode() if isinstance(body, str) else body
    given = running.request("POST", f"/v1/purchases?{urlencode(query)}", body, {"Content-Type": "text/plain"})
    if expected != 200:
        return given.problem(expected, f"{body[:60]!r} with {query}")
    expect(given.status == 200, f"{body[:60]!r} with {query}: {given.status} {given.body[:400]!r}")
    return json.loads(given.body)


def get(running: Service, path: str, **query: str):
    given = running.request("GET", f"{path}?{urlencode(query)}")
    expect(given.status == 200, f"{path} with {query}: {given.status} {given.body[:400]!r}")
    return json.loads(given.body)


def payload_count(database: Path) -> int:
    with sqlite3.connect(database) as connection:
        return connection.execute("SELECT count(*) FROM payload").fetchone()[0]


def outcomes(answer: dict) -> list[str]:
    return [one.get("outcome") or one["error"] for one in answer["payloads"]]


# MARK: - In


def check_intake(work: Path, states: Signed, sandbox: Signed) -> None:
    database = work / "intake.db"
    options = ("--root", str(work / "keys/root.pem"), *APP, "--database", str(database))
    anna, bert = states.of("anna")[0], states.of("bert")[0]
    at = text(date(claims(anna)["purchaseDate"]) + timedelta(minutes=5))
    with service(*options) as running:
        answer = post(running, anna, at=at)
        payload = answer["payloads"][0]
        expect((answer["new"], outcomes(answer), payload["counts"], payload["line"]) == (1, ["new"], True, 1), f"{answer}")
        expect(payload["customers"][0] == TOKENS["anna"], f"{payload}")
        owner = answer["customers"][0]
        expect(len(answer["customers"]) == 1 and owner["name"] == TOKENS["anna"], f"{answer['customers']}")
        alone = get(running, f"/v1/customers/{TOKENS['anna']}/entitlements", at=at)
        expect(owner["entitlements"] == alone["entitlements"] and len(owner["entitlements"]) == 1, f"{owner}, {alone}")
        # The same again, in the forms that programs send.
        for body in (anna, json.dumps({"signedTransactionInfo": anna}), json.dumps(anna), anna + "\r\n"):
            expect(outcomes(post(running, body)) == ["known"], f"a repetition of {body[:30]}")
        check_several(running, states, sandbox, at)
        check_refusals(running, database, states, sandbox)
        check_owner(running, database, anna, bert)
        check_noted(running, sandbox)
    with service(*options, "--max-body-bytes", "10000") as running:
        post(running, bert + "A" * 10000, 413)
    with service("--root", str(work / "keys/root.pem"), *APP) as running:
        post(running, anna, 404)


def check_several(running: Service, states: Signed, sandbox: Signed, at: str) -> None:
    cora, dora, emil = states.of("cora")[0], states.of("dora")[0], states.of("fine")[0]
    answer = post(running, "\n".join([cora, "", forged(dora), json.dumps({"signedTransaction": emil}), "hello"]), at=at)
    expect(outcomes(answer) == ["new", "invalidSignature", "new", "invalidEncoding"], f"{answer}")
    expect([one["line"] for one in answer["payloads"]] == [1, 3, 4, 5], f"{answer}")
    expect((answer["new"], answer["refused"]) == (2, 2), f"{answer}")
    expect([one["name"] for one in answer["customers"]] == [TOKENS["cora"], TOKENS["fine"]], f"{answer['customers']}")
    history = json.dumps({"revision": "1", "signedTransactions": [cora, forged(dora), dora]}, indent=2)
    answer = post(running, history)
    expect(outcomes(answer) == ["known", "invalidSignature", "new"], f"{answer}")
    places = [one["at"] for one in answer["payloads"]]
    expect(places == [f"signedTransactions[{index}]" for index in range(3)], f"{places}")
    # Objects a line, one of them damaged: the others are kept.
    answer = post(running, b"\n".join([json.dumps({"signedTransactionInfo": cora}).encode(), b'{"signedTransactionInfo":"eyJ', b"x"]))
    expect(outcomes(answer)[0] == "known" and answer["refused"] == 2, f"{answer}")
    expect(post(running, '{"signedTransactions":[],"hasMore":false}')["payloads"] == [], "an answer without transactions")
    notification = next(line for line in states.lines if b"signedPayload" in line)
    expect(post(running, notification)["payloads"][0]["type"] == "notification", "a notification")


def check_refusals(running: Service, database: Path, states: Signed, sandbox: Signed) -> None:
    before = payload_count(database)
    bert = states.of("bert")[0]
    for body, status, code in (
        (forged(bert), 403, "invalidSignature"), ("hello", 400, "invalidEncoding"), ("", 400, None),
        ("\r\n\n", 400, None), ("{", 400, None), ('["' + bert, 400, None), ("{}", 400, "invalidEncoding"),
        (lines(VECTORS / "valid/transactions.jws")[0].decode(), 403, "invalidCertificateChain"),
        ((VECTORS / "valid/receipts.b64").read_text().splitlines()[0] if (VECTORS / "valid/receipts.b64").exists() else "MIIabc", 400, "invalidEncoding"),
        (bert + "A" * (1 << 20), 413, "tooLarge"), ("x\n" * 1001, 413, None), ("[" + '"eyJ.a.b",' * 1000 + '"eyJ.a.b"]', 413, None),
    ):
        problem = post(running, body, status)
        expect(problem.get("error") == code, f"{body[:40]!r}: {problem}")
    for query in ({"customer": "x"}, {"environment": "sandbox"}, {"bundleId": "com.example.other"}, {"at": "now"}, {"x": "y"},
                  {"asOf": "now"}, {"at": "2026-01-17", "asOf": "2026-01-17"}):
        post(running, bert, 400, **query)
    running.request("GET", "/v1/purchases").problem(405, "GET")
    expect(payload_count(database) == before, "a refused request changed the file")
    expect(sandbox.transactions, "no purchase in the sandbox")


def check_owner(running: Service, database: Path, anna: str, bert: str) -> None:
    """Who sends somebody else's transaction gets nothing by it."""
    before = payload_count(database)
    for body in (bert, "\n".join([anna, bert])):
        problem = post(running, body, 409, customer=TOKENS["anna"])
        expect(problem["error"] == "wrongCustomer" and "nothing was kept" in problem["detail"], f"{problem}")
    expect(payload_count(database) == before, "another customer's transaction was kept")
    name = f"original-transaction:{claims(bert)['originalTransactionId']}"
    answer = post(running, bert, customer=name)
    expect([one["name"] for one in answer["customers"]] == [name], f"{answer['customers']}")
    expect(outcomes(post(running, bert, customer=TOKENS["bert"])) == ["known"], "the customer's own")


def check_noted(running: Service, sandbox: Signed) -> None:
    """A purchase in the sandbox is kept, and the answer says why it shows nothing."""
    token = sandbox.of("anna")[0]
    at = text(date(claims(token)["purchaseDate"]) + timedelta(minutes=1))
    answer = post(running, token, at=at)
    payload = answer["payloads"][0]
    expect((payload["outcome"], payload["counts"]) == ("new", False) and "?environment=Sandbox" in payload["note"], f"{payload}")
    expect("Sandbox" not in json.dumps(answer["customers"]), f"{answer['customers']}")
    answer = post(running, token, at=at, environment="Sandbox")
    expect(answer["payloads"][0]["counts"] and "note" not in answer["payloads"][0], f"{answer['payloads']}")
    expect(answer["customers"][0]["entitlements"][0]["environment"] == "Sandbox", f"{answer['customers']}")


def check_kept(work: Path, crowd: Signed) -> None:
    """What was answered is on the disk, also when the process is killed at once; and a locked file is said."""
    database = work / "kept.db"
    options = ("--root", str(work / "keys/root.pem"), *APP, "--database", str(database))
    tokens = list(dict.fromkeys(crowd.transactions))[:400]
    kept: list[str] = []
    with service(*options, check_log=False) as running:

        def send(mine: list[str]) -> None:
            for token in mine:
                try:
                    kept.append(claims(token)["transactionId"]) if outcomes(post(running, token)) else None
                except (OSError, http.client.HTTPException):
                    return

        senders = [threading.Thread(target=send, args=(tokens[start::8],)) for start in range(8)]
        for sender in senders:
            sender.start()
        while len(kept) < len(tokens) // 2:
            time.sleep(0.01)
        running.process.send_signal(signal.SIGKILL)
        running.process.wait()
        for sender in senders:
            sender.join()
    with service(*options) as running:
        for identifier in kept:
            matches = get(running, "/v1/search", q=identifier)["matches"]
            expect(any(one.get("transactionID") == identifier for one in matches), f"{identifier} was acknowledged, and is lost")
        with sqlite3.connect(database, isolation_level=None) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            problem = post(running, tokens[-1], 503)
            expect("locked" in problem["detail"], f"{problem}")
            lock.execute("ROLLBACK")
        expect(outcomes(post(running, tokens[-1])) in (["new"], ["known"]), "after the lock")
    print(f"customers: {len(kept)} purchases were acknowledged before a kill, and none is lost")


# MARK: - Lists


def everyone(running: Service, **query: str) -> list[dict]:
    """The whole list, by pages; each customer once."""
    found: list[dict] = []
    while True:
        page = get(running, "/v1/customers", **query)
        expect("unreadable" not in page, f"{page.get('unreadable')}")
        found += page["customers"]
        if "next" not in page:
            break
        query["after"] = page["next"]
    keys = [(one["appBundleID"], one["environment"], *one["names"]) for one in found]
    expect(len(set(keys)) == len(keys), "a customer is listed twice")
    return found


def as_lines(running: Service, **query: str) -> list[dict]:
    given = running.request("GET", f"/v1/customers?{urlencode(query)}", headers={"Accept": "application/x-ndjson"})
    expect(given.headers["content-type"] == "application/x-ndjson", f"{given.headers}")
    return [json.loads(line) for line in given.body.splitlines()]


def check_states(work: Path, states: Signed) -> None:
    database = work / "states.db"
    with service("--root", str(work / "keys/root.pem"), *APP, "--database", str(database)) as running:
        now = date(claims(states.of("hugo")[0])["expiresDate"]) + timedelta(days=21)
        at = text(now)
        # What is signed later, such as the end of a grace period, has not come yet.
        come = [line for line in states.lines if signed(line) <= now]
        expect(len(come) < len(states.lines), "nothing is signed later")
        post(running, b"\n".join(come))
        expected = {
            "subscribed": ["anna"], "inGracePeriod": ["bert"], "inBillingRetryPeriod": ["hugo"], "expired": ["cora"],
            "revoked": ["dora", "fine"],
        }
        product = claims(states.of("anna")[0])["productId"]
        for state, names in expected.items():
            listed = everyone(running, at=at, state=state)
            expect({one["names"][0] for one in listed} == {TOKENS[name] for name in names}, f"{state}: {listed}")
            for one in listed:
                purchase = one["purchases"][0]
                expect(purchase["isEntitled"] == (state in ("subscribed", "inGracePeriod")), f"{state}: {one}")
                expect(purchase.get("state", "revoked") == state, f"{state}: {one}")
            of_product = {one["names"][0] for one in everyone(running, at=at, state=state, product=product)}
            expect(of_product == {TOKENS[name] for name in names if name != "fine"}, f"{state} of {product}: {of_product}")
        entitled = everyone(running, at=at, state="entitled")
        expect(len(entitled) == 3 and sum(len(one["purchases"]) for one in entitled) == 4, f"entitled: {entitled}")
        emil = next(one for one in entitled if one["names"][0] not in TOKENS.values())
        expect(emil["names"][0].startswith("app-transaction:"), f"a customer without an account token: {emil}")
        everybody = everyone(running, at=at)
        expect(len(everybody) == 8, f"{len(everybody)} customers")
        expect(everyone(running, at=at, environment="Sandbox") == [], "an environment without purchases")
        expect(everyone(running, at=at, product="com.example.unknown") == [], "an unknown product")
        expect(everyone(running, at=at, bundleId="com.example.garden") == everybody, "the only app")
        for query in ("state=x", "limit=0", "limit=1001", "limit=x", "after=x", "after=01", "product=", "environment=x",
                      "bundleId=x", "output=csv", "x=y", "output=ndjson&limit=1", "state=expired&state=expired"):
            running.request("GET", f"/v1/customers?{query}").problem(400, query)
        check_names(running, states, at)
        check_search(running, states, at)
        check_seats(running, states)
    check_damage(work, database, at)


def check_seats(running: Service, states: Signed) -> None:
    """A member's seat is a record of the app's server. The purchaser's subscription decides what it is worth."""
    purchase = claims(states.of("anna")[0])
    bought, claim = date(purchase["purchaseDate"]), str(uuid.uuid4())
    member, second = str(uuid.uuid4()), f"app-transaction:{uuid.uuid4().int % 10 ** 18}"
    body = {"originalTransactionId": purchase["originalTransactionId"], "customers": [member], "claimedDate": text(bought)}

    def put(expected: int = 200, name: str = claim, **others) -> dict:
        sent = json.dumps({key: value for key, value in {**body, **others}.items() if value is not None})
        given = running.request("PUT", f"/v1/seats/{name}", sent.encode(), {"Content-Type": "application/json"})
        if expected != 200:
            return given.problem(expected, f"{name} with {others}")
        expect(given.status == 200, f"a claim: {given.status} {given.body!r}")
        return json.loads(given.body)

    def owned(name: str, minutes: int = 10) -> list[str]:
        at = text(bought + timedelta(minutes=minutes))
        return [one["productID"] for one in get(running, f"/v1/customers/{name}/entitlements", at=at)["entitlements"]]

    expect(owned(member) == [], "a member before the claim")
    expect(put()["customers"] == [member], "a claim")
    expect(put(customers=[second])["customers"] == sorted([member, second]), "a claim with a second name")
    for name in (member, second):
        expect(owned(name) == [purchase["productId"]], f"a member's seat: {owned(name)}")
    expect(owned(str(uuid.uuid4())) == [], "a stranger")
    at = text(bought + timedelta(minutes=10))
    listed = [one for one in everyone(running, at=at, state="entitled") if member in one["names"]]
    expect([one["purchases"][0]["seatClaimID"] for one in listed] == [claim], f"a member in the list: {listed}")
    match = get(running, "/v1/search", q=member)["matches"]
    expect([one["name"] for one in match] == [member] and match[0]["purchases"] == 0, f"a member in the search: {match}")
    lane = get(running, f"/v1/customers/{member}/timeline", at=at)["lanes"][0]
    expect([one["kind"] for one in lane["spans"]] == ["trial", "paid"] and lane["events"] == [], f"a member's timeline: {lane}")
    put(409, originalTransactionId="7")
    for wrong in ({"customers": []}, {"customers": "x"}, {"customers": ["bob"]}, {"originalTransactionId": None},
                  {"originalTransactionId": 7}, {"claimedDate": "yesterday"}, {"seats": 3}, {"customers": [member] * 17}):
        put(400, **wrong)
    put(400, name="7")
    running.request("PUT", f"/v1/seats/{claim}", b"[]", {"Content-Type": "application/json"}).problem(400, "an array")
    ended = running.request("DELETE", f"/v1/seats/{claim}")
    expect(ended.status == 200 and "endDate" in json.loads(ended.body), f"the end of a claim: {ended.body!r}")
    # The end is now, which is long before these purchases or after them.
    now = (datetime.now(timezone.utc) - bought) / timedelta(minutes=1)
    expect(owned(member, 10) == ([purchase["productId"]] if now > 10 else []), "a claim that has ended")
    unknown = running.request("DELETE", f"/v1/seats/{uuid.uuid4()}")
    expect(unknown.status == 200 and json.loads(unknown.body)["customers"] == [], "the end of an unknown claim")


def check_names(running: Service, states: Signed, at: str) -> None:
    """Several names of one person, and several persons."""
    name = TOKENS["anna"]
    path = f"/v1/customers/{name}/entitlements"
    alone = get(running, path, at=at)
    expect(len(alone["entitlements"]) == 1 and len(alone["otherNames"]) == 1, f"{alone}")
    download = alone["otherNames"][0]
    both = get(running, path, at=at, also=download)
    expect(len(both["entitlements"]) == 2 and "otherNames" not in both, f"{both}")
    given = running.request("GET", f"{path}?at={at}&also={quote(download)}&also={TOKENS['bert']}")
    # All are one person's: of the subscription, which both have, the later purchase counts.
    owned = json.loads(given.body)["entitlements"]
    expect([one.get("state") for one in owned] == ["inGracePeriod", None], f"{given.body!r}")
    for what in ("entitlements", "timeline", "timeline.svg"):
        running.request("GET", f"/v1/customers/{name}/{what}?also=x").problem(400, "also=x")
    lanes = get(running, f"/v1/customers/{name}/timeline", at=at, also=download)["lanes"]
    expect(len(lanes) == 2, f"{lanes}")

    def several(body: str, status: int = 200):
        given = running.request("POST", f"/v1/entitlements?at={at}", body.encode())
        return json.loads(given.body) if status == 200 and given.status == 200 else given.problem(status, body[:60])

    unknown = str(uuid.uuid4())
    answer = several(json.dumps([name, [name, download], unknown]))
    expect([one["name"] for one in answer["customers"]] == [name, name, unknown], f"{answer}")
    expect([len(one["entitlements"]) for one in answer["customers"]] == [1, 2, 0], f"{answer}")
    expect(answer["customers"][1]["also"] == [download], f"{answer}")
    for body in (f"{name}\n{download}\n\n{unknown}", f'"{name}"\r\n"{download}"\r\n"{unknown}"\r\n'):
        expect([one["name"] for one in several(body)["customers"]] == [name, download, unknown], f"{body}")
    for body in ("", "\n", "[]", "[1]", "[[]]", '["x"]', "[", f'["{name}"', "x", json.dumps([name] * 1001), f"{name}\n" * 1001, "{}"):
        several(body, 400)


def check_damage(work: Path, database: Path, at: str) -> None:
    """A payload that was changed in the file takes its purchase out of the list, and nothing else."""
    options = ("--root", str(work / "keys/root.pem"), *APP, "--database", str(database))
    with service(*options) as running:
        before = everyone(running, at=at)
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE payload SET json = replace(json, 'revocation', 'revocatiom')")
        changed = {row[0] for row in connection.execute("SELECT subject FROM payload WHERE json LIKE '%revocatiom%'")}
    with service(*options) as running:
        page = get(running, "/v1/customers", at=at)
        expect({one["unreadable"] for one in page["unreadable"]} == {str(one) for one in changed}, f"{page['unreadable']}")
        names = {one["names"][0] for one in page["customers"]}
        expect(names == {one["names"][0] for one in before} - {TOKENS["dora"], TOKENS["fine"]}, f"{names}")
        listed = as_lines(running, at=at)
        expect(len(listed) == len(page["customers"]) + len(changed), f"{listed}")
        running.request("GET", f"/v1/customers/{TOKENS['dora']}/entitlements").problem(503, "a changed payload")
        running.request("GET", f"/v1/search?q={next(iter(changed))}").problem(503, "a search for a changed payload")


def check_crowd(work: Path, crowd: Signed, sandbox: Signed) -> None:
    """A list in pages and in lines is what the command says of the same file, also while the file grows."""
    database, root = work / "crowd.db", str(work / "keys/root.pem")
    at = text(crowd.end)
    with service("--root", root, *APP, "--database", str(database)) as running:
        half = len(crowd.lines) // 2
        for start in range(0, half, 80):
            post(running, b"\n".join(crowd.lines[start:min(half, start + 80)]))
        first = get(running, "/v1/customers", at=at, limit="7")
        before = everyone(running, at=at)
        expect(first["customers"] == before[:len(first["customers"])], "the first page")
        # Customers that are complete already are listed once, whatever comes meanwhile.
        found, place = list(first["customers"]), first["next"]
        for start in range(half, len(crowd.lines), 80):
            post(running, b"\n".join(crowd.lines[start:start + 80]))
            if place:
                page = get(running, "/v1/customers", at=at, limit="7", after=place)
                found, place = found + page["customers"], page.get("next")
        post(running, b"\n".join(sandbox.lines[:200]))
        while place:
            page = get(running, "/v1/customers", at=at, limit="7", after=place)
            found, place = found + page["customers"], page.get("next")
        names = [(one["environment"], *one["names"]) for one in found]
        expect(len(names) == len(set(names)), "a customer is on two pages")
        expect({(one["environment"], *one["names"]) for one in before} <= set(names), "a customer is on no page")
        listed = everyone(running, at=at, limit="7")
        expect(listed == everyone(running, at=at, limit="1000") == as_lines(running, at=at), "pages and lines differ")
        expect({one["environment"] for one in listed} == {"Production", "Sandbox"}, "all environments")
        owned = [json.loads(line) for line in run_command("entitlements", "--database", str(database), "--root", root, *APP, "--at", at).splitlines()]
        for state in ("entitled", "subscribed", "inGracePeriod"):
            expected = {one["id"] for one in owned if state == "entitled" or one.get("state") == state}
            given = {purchase["id"] for one in as_lines(running, at=at, state=state) for purchase in one["purchases"]}
            expect(given == expected and (expected or state == "inGracePeriod"), f"{state}: {len(given)}, not {len(expected)}")
        check_clients(running, at, len(listed))
    print(f"customers: {len(listed)} are listed in pages and in lines, {len(owned)} entitlements as the command says")


def check_clients(running: Service, at: str, count: int) -> None:
    """A client that reads nothing, or goes away, keeps nobody waiting."""
    head = f"GET /v1/customers?at={at}&output=ndjson HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", running.port)) as connection:
            connection.sendall(head)
    slow = [running.connect() for _ in range(20)]
    for connection in slow:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(head)
    start = time.monotonic()
    expect(len(as_lines(running, at=at)) == count, "a list beside slow clients")
    expect(time.monotonic() - start < 20, "a list waits for slow clients")
    for connection in slow:
        connection.close()


# MARK: - Search


def check_search(running: Service, states: Signed, at: str) -> None:
    def search(text: str) -> dict:
        return get(running, "/v1/search", q=text)

    token = states.of("anna")[0]
    payload = claims(token)
    found = search(f"  {TOKENS['anna'].upper()}\n")
    expect([(one["matched"], one["name"], one["environment"]) for one in found["matches"]]
           == [(["appAccountToken"], TOKENS["anna"], "Production")], f"{found}")
    for member in ("transactionId", "originalTransactionId", "webOrderLineItemId"):
        matches = search(payload[member])["matches"]
        expect(matches and all(member in one["matched"] for one in matches), f"{member}: {matches}")
        expect({one["name"] for one in matches} == {TOKENS["anna"]}, f"{member}: {matches}")
        expect(matches[0]["originalID"] == payload["originalTransactionId"], f"{member}: {matches}")
    matches = search(payload["appTransactionId"])["matches"]
    expect(len(matches) == 2 and all(one["matched"] == ["appTransactionId"] for one in matches), f"{matches}")
    matches = search(f"app-transaction:{payload['appTransactionId']}")["matches"]
    expect(len(matches) == 1 and matches[0]["purchases"] == 2, f"{matches}")
    renewal = next(claims(one)["transactionId"] for one in states.of("anna") if claims(one)["transactionId"] != payload["transactionId"])
    expect(search(renewal)["matches"][0]["transactionID"] == renewal, "a renewal")
    # The name that is answered is one to ask for.
    for match in search(payload["transactionId"])["matches"]:
        owned = get(running, f"/v1/customers/{quote(match['name'])}/entitlements", at=at, environment=match["environment"])
        expect(owned["entitlements"], f"{match}")
    for text in ("1", "99999999999999999999999", str(uuid.uuid4()), "app-transaction:x"):
        expect(search(text)["matches"] == [], f"{text} is found")
    found = search("MK1A2B3C4D")
    expect(found["matches"] == [] and "Look Up Order ID" in found["note"], f"{found}")
    found = search(payload["productId"])
    expect(found["product"] == payload["productId"] and "note" in found, f"{found}")
    expect(get(running, "/v1/customers", product=found["product"], at=at)["customers"], "the product that was found")
    for query in ("", "?q=", "?q=%20", f"?q={'x' * 300}", "?q=1&x=y", "?q=1&q=2"):
        running.request("GET", f"/v1/search{query}").problem(400, f"/v1/search{query}")


def main() -> None:
    with folder() as work:
        states = Signed(work, STATES)
        sandbox = Signed(work, STATES, "Sandbox", 2)
        crowd = Signed(work, "population 120 for 1y churn=3% failures=8% recovery=60% refunds=4%\n", "Production", 3)
        check_intake(work, states, sandbox)
        check_states(work, states)
        check_kept(work, crowd)
        check_crowd(work, crowd, sandbox)


if __name__ == "__main__":
    main()
