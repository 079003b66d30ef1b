"""Requests for retention messages: verified, answered by the app's rules, and fast enough for Apple's performance test.

check_retention.py COMMAND STOREKIT_TEST
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from check_signing import check_signature, claims
from kit import PAGES, TEST_ROOT, VECTORS, Answer, Service, command, expect, folder, lines, run_command, service

BUNDLE, APPLE_ID, ISSUER = "com.example.garden", 1234567890, "I1"
MONTHLY, PRO = "com.example.garden.plus.monthly", "com.example.garden.pro.monthly"
ONE, TWO, THREE, FOUR = (f"{number}b6d3c4e-4f3a-4d8b-9b1a-6f1d3a0c9e11" for number in "1234")
PATH = "/v1/retention-messages?app=shop"
MESSAGING = "/inApps/v1/messaging"
RULES = [
    {"productIds": [MONTHLY], "locales": ["de"], "messageIdentifier": ONE, "offerIdentifier": "spring"},
    {"productIds": [MONTHLY], "locales": ["ja"], "messageIdentifier": ONE, "offerIdentifier": "spring", "offerSignatureVersion": 1},
    {"locales": ["fr"], "messageIdentifier": TWO, "alternateProductId": MONTHLY},
    {"locales": ["fr", "it"], "messageIdentifier": THREE, "alternateProductId": MONTHLY, "billingPlanType": "MONTHLY"},
    {"locales": ["en"], "messageIdentifier": FOUR},
]


@dataclass
class Store:
    """`storekit-test serve`, in which one customer has a subscription."""

    url: str
    key: Path
    original: str

    def send(self, method: str, path: str, body: object = None, **headers: str) -> bytes:
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.read()

    def call(self, method: str, path: str, body: object = None) -> dict:
        """A request of the App Store Server API."""
        options = ["--key", str(self.key), "--key-id", "K1", "--issuer-id", ISSUER, "--bundle-id", BUNDLE]
        token = json.loads(run_command("sign", "token", *options))["token"]
        given = self.send(method, path, body, Authorization=f"Bearer {token}")
        return json.loads(given) if given else {}

    def question(self, locale: str = "en-US") -> bytes:
        """The body of a request, signed now."""
        return self.send("GET", f"/test/realtime-request?originalTransactionId={self.original}&userLocale={locale}")

    def performance_test(self, address: str) -> dict:
        self.call("PUT", f"{MESSAGING}/realtime/url", {"realtimeURL": address})
        started = self.call("POST", f"{MESSAGING}/performanceTest", {"originalTransactionId": self.original})
        end = time.monotonic() + 120
        while True:
            result = self.call("GET", f"{MESSAGING}/performanceTest/result/{started['requestId']}")
            if result["result"] != "PENDING":
                expect(result["config"] == started["config"] and result["numPending"] == 0, f"{result}")
                return result
            expect(time.monotonic() < end, f"a performance test does not end: {result}")
            time.sleep(0.1)


@contextlib.contextmanager
def store(work: Path, keys: str, *options: str) -> Iterator[Store]:
    key = work / "store.p8"
    process = subprocess.Popen(
        [sys.argv[2], "serve", "--port", "0", "--keys", str(work / keys), "--key-id", "K1", "--issuer-id", ISSUER,
         "--write-api-key", str(key), *options], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        assert process.stderr
        found = re.search(r"http://\S+", process.stderr.readline())
        assert found
        # The service reads no key that others can read.
        key.chmod(0o600)
        running = Store(found[0], key, "")
        bought = json.loads(running.send("POST", "/test/events", f"anna: buy {MONTHLY}".encode()))
        running.original = bought["transactions"][0]["originalTransactionId"]
        yield running
    finally:
        process.terminate()
        process.wait(60)


class Configuration:
    """The service's file: an app with rules, and one without."""

    def __init__(self, work: Path, key: Path) -> None:
        self.signing = {"signingKeyFile": str(key), "signingKeyId": "K1", "signingIssuerId": ISSUER}
        self._file, bearer = work / "config.json", work / "token"
        bearer.write_text("correct-horse-battery")
        self._app = {
            "bundleIds": [BUNDLE], "appAppleId": APPLE_ID, "environments": ["Sandbox"],
            "roots": [str(work / "keys/root.pem"), str(TEST_ROOT)], **self.signing}
        self.options = ["--config", str(self._file), "--token-file", str(bearer)]

    def write(self, rules: object, **changes: object) -> None:
        app = {**self._app, "retentionMessages": rules, **changes}
        apps = {"shop": {name: value for name, value in app.items() if value is not None}, "plain": {"bundleIds": [BUNDLE]}}
        self._file.write_text(json.dumps({"apps": apps}))


def ask(running: Service, body: bytes, path: str = PATH) -> Answer:
    return running.request("POST", path, body, {"Content-Type": "application/json"})


def check_rules(running: Service, store: Store, work: Path) -> None:
    def choice(locale: str) -> dict:
        given = ask(running, store.question(locale))
        expect(given.status == 200 and given.headers["content-type"] == "application/json", f"{locale}: {given}")
        return json.loads(given.body)

    expect(choice("en-GB") == {"message": {"messageIdentifier": FOUR}}, "a message")
    # The customer has the product of the second rule, but perhaps not its plan.
    plan = {"messageIdentifier": THREE, "productId": MONTHLY, "billingPlanType": "MONTHLY"}
    expect(choice("fr-CA") == {"alternateProduct": plan}, "another plan")
    expect(choice("es") == {}, "the default message")
    offer = choice("de-AT")["promotionalOffer"]
    signed = claims(work, store.key, offer.pop("promotionalOfferSignatureV2"))
    expect(offer == {"messageIdentifier": ONE}, f"{offer}")
    expect(abs(float(str(signed.pop("iat"))) - time.time()) < 60 and len(str(signed.pop("nonce"))) == 36, f"{signed}")
    expected = {
        "productId": MONTHLY, "offerIdentifier": "spring", "transactionId": store.original, "bid": BUNDLE,
        "iss": ISSUER, "aud": "promotional-offer"}
    expect(signed == expected, f"{signed}")
    first = choice("ja-JP")["promotionalOffer"]["promotionalOfferSignatureV1"]
    text = "\u2063".join([BUNDLE, "K1", MONTHLY, "spring", "", first["nonce"], str(first["timestamp"])])
    check_signature(work, store.key, text.encode(), base64.b64decode(first["encodedSignature"]))
    expect(first["productId"] == MONTHLY and first["keyId"] == "K1" and first["offerIdentifier"] == "spring", f"{first}")


def check_refusals(running: Service, store: Store, work: Path) -> None:
    question = store.question()
    token = json.loads(question)["signedPayload"]
    header, payload, signature = token.split(".")
    other = json.loads(store.question())["signedPayload"].split(".")[2]
    unsigned = base64.urlsafe_b64encode(b'{"alg":"none"}').decode().rstrip("=")
    for body, status, sentence in [
        # The payload of one request, the signature of another.
        (f"{header}.{payload}.{other}", 403, "signature does not match"), (f"{unsigned}.{payload}.{signature}", 400, ""),
        (f"{header}.{payload}.", 403, "64 bytes"), ("", 400, ""), ("{}", 400, ""), ("null", 400, ""), ("[]", 400, ""), ("\0", 400, ""),
        (json.dumps({"signedPayload": 1}), 400, ""), (json.dumps({"signedPayload": "x" * (1 << 21)}), 413, ""),
        # Genuine, and of another kind.
        (lines(VECTORS / "valid/transactions.jws")[0].decode(), 400, "realtime request"),
        (lines(VECTORS / "valid/realtime-requests.jws")[0].decode(), 400, "a request is answered for an hour"),
    ]:
        problem = ask(running, body.encode()).problem(status, body[:60])
        expect(sentence in str(problem["detail"]), f"{body[:60]}: {problem}")
    ask(running, question, "/v1/retention-messages").problem(400, "no app")
    ask(running, question, "/v1/retention-messages?app=plain").problem(404, "an app without rules")
    ask(running, question, f"{PATH}&locale=de").problem(400, "an unknown parameter")
    running.request("GET", PATH).problem(405, "GET")


def check_others(running: Service, work: Path) -> None:
    """Requests that the same App Store, or another, signed for others."""
    for keys, options, status, code in [
        ("keys", ["--app-apple-id", "1"], 421, "wrongAppAppleIdentifier"), ("keys", ["--environment", "Production"], 421, "wrongEnvironment"),
        ("others", [], 403, "invalidCertificateChain"),
    ]:
        with store(work, keys, *options) as other:
            problem = ask(running, other.question()).problem(status, f"{options}")
            expect(problem["error"] == code, f"{options}: {problem}")


def check_performance(running: Service, store: Store) -> dict:
    """The test store sends requests, and judges the answers as Apple does."""
    for rules_for, address, result, failure in [
        ("no rules", f"{running.url}/v1/retention-messages?app=plain", "FAIL", "UNSUCCESSFUL_HTTP_RESPONSE_CODE"),
        ("no server", "http://127.0.0.1:9/", "FAIL", "SOCKET_ISSUE"), ("no answer of this kind", f"{running.url}/healthz", "FAIL", None),
    ]:
        found = store.performance_test(address)
        expect(found["result"] == result and found["successRate"] == 0, f"{rules_for}: {found}")
        expect(failure is None or found["failures"] == {failure: found["config"]["totalRequests"]}, f"{rules_for}: {found}")
    found = store.performance_test(running.url + PATH)
    expect(found["result"] == "PASS" and found["target"] == running.url + PATH, f"the performance test: {found}")
    return found


def check_counts(running: Service) -> None:
    text = running.request("GET", "/metrics", None, {"Authorization": "Bearer correct-horse-battery"}).body.decode()
    counts = {
        outcome: int(float(count)) for outcome, count in
        re.findall(r'storekit_verify_retention_messages_total\{app="shop",outcome="(\w+)"\} (\S+)', text)}
    # Two of the rules, and a performance test. The body that is too long is refused before it is one of these requests.
    expected = {"message": 1, "alternateProduct": 1, "promotionalOffer": 102, "default": 1, "refused": 14, "failed": 0}
    expect(counts == expected, f"{counts}")
    for message in ("a request for a retention message is refused", "came to an address without rules"):
        expect(any(message in line for line in running.log), message)


def reload(running: Service, message: str) -> None:
    """Has the service read its configuration anew, and waits for the line of the log."""
    before = len(running.log)
    running.process.send_signal(signal.SIGHUP)
    end = time.monotonic() + 60
    while not any(message in line for line in running.log[before:]):
        expect(time.monotonic() < end, message)
        time.sleep(0.05)


def check_reload(running: Service, store: Store, configuration: Configuration) -> None:
    """At SIGHUP the rules are read anew. Wrong ones change nothing, and the log says why."""
    for rules, message, expected in [
        ([{"messageIdentifier": "x"}], "rule 1 of the retention messages", FOUR), ([{"messageIdentifier": TWO}], "was read anew", TWO),
    ]:
        configuration.write(rules)
        reload(running, message)
        found = json.loads(ask(running, store.question()).body)
        expect(found == {"message": {"messageIdentifier": expected}}, f"{rules}: {found}")


def check_starts(configuration: Configuration) -> None:
    """What the service does not start with."""
    plain, offer = {"messageIdentifier": ONE}, {"messageIdentifier": ONE, "offerIdentifier": "o"}
    for rules, changes, message in [
        ([], {}, "an array of one rule or more"), ({}, {}, "an array of one rule or more"),
        ([1], {}, "rule 1 of the retention messages: it must be an object"), ([{}], {}, '"messageIdentifier" must be a UUID'),
        ([{**plain, "locale": "de"}], {}, 'there is no member "locale"'),
        ([{**plain, "locales": ["german"]}], {}, '"german" is not a locale'), ([{**plain, "locales": []}], {}, '"locales" must be an array of one text or more'), ([plain, {}], {}, "rule 2 of the retention messages"),
        ([{**plain, "billingPlanType": "MONTHLY"}], {}, 'needs an "alternateProductId"'),
        ([{**offer, "alternateProductId": "p"}], {}, "a message has one of them"),
        ([{**offer, "offerSignatureVersion": 3}], {}, "must be 1 or 2"), ([{**plain, "offerSignatureVersion": 1}], {}, 'needs an "offerIdentifier"'),
        ([plain], {"appAppleId": None}, 'needs the app\'s "appAppleId"'),
        ([plain], {"deviceId": "6f1d3a0c-9e11-4d8b-9b1a-2b6d3c4e4f3a"}, "exclude each other"),
        ([offer], dict.fromkeys(configuration.signing), 'an offer in "retentionMessages" is signed'), ([offer], {"bundleIds": [BUNDLE, "b"]}, "is for one app"),
    ]:
        configuration.write(rules, **changes)
        done = subprocess.run([command(), "serve", "--port", "0", *configuration.options], capture_output=True, timeout=60, check=False)
        expect(done.returncode == 64 and f'the app "shop": ' in done.stderr.decode() and message in done.stderr.decode(), f"{rules} {changes}: {done}")


def check_page(work: Path) -> None:
    """The commands of the page "Service", in one shell. The ports 8080 and 8081 must be free."""
    section = (PAGES / "Service.md").read_text(encoding="utf-8").split("## Retention messages\n")[1].split("\n## ")[0]
    blocks = dict(re.findall(r"^```(\w*)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL))
    folders = {str(Path(name).resolve().parent) for name in sys.argv[1:3]}
    done = subprocess.run(
        ["sh", "-c", f"set -eu\n{blocks['sh']}wait"], cwd=work, env=os.environ | {"PATH": ":".join([*folders, os.environ["PATH"]])},
        capture_output=True, text=True, timeout=120, check=False)
    expect(done.returncode == 0 and blocks[""] in done.stdout + "\n", f"the page's commands: {done.stdout}\n{done.stderr}")


def main() -> None:
    with folder() as work, store(work, "keys") as apple:
        # The other stores write this name anew.
        apple.key = apple.key.rename(work / "key.p8")
        configuration = Configuration(work, apple.key)
        configuration.write(RULES)
        with service(*configuration.options) as running:
            check_rules(running, apple, work)
            check_refusals(running, apple, work)
            check_others(running, work)
            # A performance test asks for one locale. Signing an offer costs most.
            configuration.write([{"messageIdentifier": ONE, "offerIdentifier": "spring"}])
            reload(running, "was read anew")
            found = check_performance(running, apple)
            check_counts(running)
            configuration.write([{"messageIdentifier": FOUR}])
            reload(running, "was read anew")
            check_reload(running, apple, configuration)
        check_starts(configuration)
    with folder() as work:
        check_page(work)
    times = found["responseTimes"]
    print(
        f"retention: {found['config']['totalRequests']} signed offers passed the performance test with {found['successRate']} %: "
        f"p50 {times['p50']} ms, p90 {times['p90']} ms, p95 {times['p95']} ms, p99 {times['p99']} ms")


if __name__ == "__main__":
    main()
