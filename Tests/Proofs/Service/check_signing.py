"""Signing over HTTP: off unless a key is configured, refused without a token, and the signatures are the key's."""

from __future__ import annotations

import base64
import json
import signal
import subprocess
import time
import uuid
from pathlib import Path

from kit import Service, command, expect, folder, new_key, openssl, service

BUNDLE, TOKEN = "com.example.garden", "correct-horse-battery"
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
OFFER = {"productId": "plus", "offerIdentifier": "spring"}
ELIGIBILITY = {"productId": "plus", "allowIntroductoryOffer": False, "transactionId": "20"}
COMMERCE = b'{ "operation": "CREATE_SUBSCRIPTION", "version": "1" }'


def decoded(segment: str) -> bytes:
    return base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4))


def check_signature(work: Path, key: Path, text: bytes, der: bytes) -> None:
    """OpenSSL verifies a signature under the public half of the key."""
    (work / "text").write_bytes(text)
    (work / "signature").write_bytes(der)
    (work / "public.pem").write_bytes(openssl("pkey", "-in", str(key), "-pubout"))
    done = openssl("dgst", "-sha256", "-verify", str(work / "public.pem"), "-signature", str(work / "signature"), str(work / "text"))
    expect(done == b"Verified OK\n", f"the signature over {text!r}: {done!r}")


def der_number(digits: bytes) -> bytes:
    """An INTEGER of DER."""
    digits = digits.lstrip(b"\0")
    digits = b"\0" + digits if not digits or digits[0] >= 0x80 else digits
    return bytes([2, len(digits)]) + digits


def claims(work: Path, key: Path, jws: str) -> dict[str, object]:
    """The payload of a JWS whose signature is right."""
    header, payload, signature = jws.split(".")
    raw = decoded(signature)
    numbers = der_number(raw[:32]) + der_number(raw[32:])
    check_signature(work, key, f"{header}.{payload}".encode(), bytes([0x30, len(numbers)]) + numbers)
    expect(json.loads(decoded(header)) == {"typ": "JWT", "alg": "ES256", "kid": "K1"}, f"the header of {jws}")
    return json.loads(decoded(payload))


def sign(running: Service, kind: str, body: object, query: str = "") -> dict[str, object]:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = running.request("POST", f"/v1/sign/{kind}{query}", sent, HEADERS)
    expect(given.status == 200, f"{kind}: {given.status} {given.body!r}")
    return json.loads(given.body)


def check_kinds(running: Service, work: Path, key: Path) -> None:
    nonce = str(uuid.uuid4())
    base = {"bid": BUNDLE, "iss": "I1", "nonce": nonce}
    for kind, body, audience, own in [
        ("promotional-offer", {**OFFER, "transactionId": "20"}, "promotional-offer", {**OFFER, "transactionId": "20"}),
        ("introductory-offer", ELIGIBILITY, "introductory-offer-eligibility", ELIGIBILITY),
    ]:
        found = claims(work, key, str(sign(running, kind, {**body, "nonce": nonce.upper()})["compactJWS"]))
        issued = found.pop("iat")
        expect(isinstance(issued, int) and found == {**base, **own, "aud": audience}, f"{kind}: {found}")
    commerce = sign(running, "advanced-commerce", COMMERCE)
    request = claims(work, key, str(commerce["compactJWS"]))["request"]
    expect(base64.b64decode(str(request)) == COMMERCE, "a request is not signed as it is")
    data = json.loads(base64.b64decode(str(commerce["advancedCommerceData"])))
    expect(data == {"signatureInfo": {"token": commerce["compactJWS"]}}, "advancedCommerceData")
    first = sign(running, "promotional-offer-v1", {**OFFER, "appAccountToken": "ABC"})
    text = "\u2063".join([BUNDLE, "K1", "plus", "spring", "abc", str(first["nonce"]), str(first["timestamp"])])
    check_signature(work, key, text.encode(), base64.b64decode(str(first["signature"])))


def check_refusals(running: Service) -> None:
    for headers in ({}, {"Authorization": f"Bearer {TOKEN}x"}):
        running.request("POST", "/v1/sign/promotional-offer", json.dumps(OFFER).encode(), headers).problem(401, "no token")
    for kind, body in [
        ("promotional-offer", {**OFFER, "productId": 1}), ("promotional-offer", [OFFER]),
        ("promotional-offer-v1", b"\xff"), ("introductory-offer", b""), ("advanced-commerce", b"\xff"),
    ]:
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        running.request("POST", f"/v1/sign/{kind}", sent, HEADERS).problem(400, f"{kind} of {body!r}")
    running.request("POST", "/v1/sign/token", b"{}", HEADERS).problem(404, "a token of the API")
    running.request("GET", "/v1/sign/promotional-offer", None, HEADERS).problem(405, "GET")


def check_starts(work: Path, key: Path, token: Path) -> None:
    """What the service does not start with. No message has a part of the key."""
    opened, other = work / "open.p8", work / "other.p8"
    opened.write_bytes(key.read_bytes())
    opened.chmod(0o644)
    other.touch(mode=0o600)
    other.write_bytes(openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"))
    configuration = work / "config.json"
    configuration.write_text(json.dumps({"apps": {"shop": {"bundleIds": [BUNDLE], "signingKeyFile": str(key)}}}))
    names = ["--signing-key-id", "K1", "--signing-issuer-id", "I1"]
    app, bearer = ["--bundle-id", BUNDLE], ["--token-file", str(token)]
    for options, status, message in [
        (["--signing-key", str(key), *names, *app], 64, "needs --token-file"),
        (["--signing-key", str(key), *names, *app, "--allow-anonymous"], 64, "needs --token-file"),
        (["--signing-key", str(key), *names, *bearer], 64, "signing needs a bundle identifier"),
        (["--signing-key", str(key), *app, *bearer], 64, "signing needs a key file, the key's identifier"),
        ([*names, *app, *bearer], 64, "signing needs a key file"),
        (["--signing-key", str(opened), *names, *app, *bearer], 64, f"chmod 600 '{opened}'"),
        (["--signing-key", str(other), *names, *app, *bearer], 64, "on the curve secp384r1"),
        (["--signing-key", str(work / "missing"), *names, *app, *bearer], 66, "No such file"),
        (["--config", str(configuration), *bearer], 64, 'the app "shop": signing needs a key file'),
        (["--config", str(configuration), *names, *bearer], 64, "--config gives each app's signingKeyFile"),
    ]:
        done = subprocess.run([command(), "serve", "--port", "0", *options], capture_output=True, timeout=60, check=False)
        said = done.stderr.decode()
        expect(done.returncode == status and message in said, f"{options}: {done}")
        secret = key.read_text().splitlines()[1]
        expect(secret[:12] not in said, f"{options}: a part of the key")


def check_apps(work: Path, key: Path, token: Path) -> None:
    """Each app of a configuration has its own key, or none."""
    configuration = work / "apps.json"
    signing = {"signingKeyFile": str(key), "signingKeyId": "K1", "signingIssuerId": "I1"}
    both = {"bundleIds": [BUNDLE, "com.example.other"], **signing}
    configuration.write_text(json.dumps({"apps": {"shop": both, "plain": {"bundleIds": [BUNDLE]}}}))
    with service("--config", str(configuration), "--token-file", str(token)) as running:
        sent = json.dumps(OFFER).encode()
        running.request("POST", "/v1/sign/promotional-offer?app=plain", sent, HEADERS).problem(404, "no key")
        for query in ("?app=shop", "?app=shop&bundleId=com.example.third"):
            running.request("POST", f"/v1/sign/promotional-offer{query}", sent, HEADERS).problem(400, query)
        jws = sign(running, "promotional-offer", OFFER, "?app=shop&bundleId=com.example.other")["compactJWS"]
        expect(claims(work, key, str(jws))["bid"] == "com.example.other", "the app of ?bundleId=")
        listed = json.loads(running.request("GET", "/v1/service", None, HEADERS).body)["apps"]
        expect({app["name"]: app["signs"] for app in listed} == {"shop": True, "plain": False}, f"{listed}")


def check_reload(work: Path, token: Path) -> None:
    """At SIGHUP the key is read anew. A file that is no key changes nothing."""
    key, configuration = work / "rolled.p8", work / "rolled.json"
    new_key(key)
    first = key.read_bytes()
    app = {"bundleIds": [BUNDLE], "signingKeyFile": str(key), "signingKeyId": "K1", "signingIssuerId": "I1"}
    configuration.write_text(json.dumps({"apps": {"shop": app}}))
    with service("--config", str(configuration), "--token-file", str(token)) as running:

        def reload(message: str) -> None:
            before = len(running.log)
            running.process.send_signal(signal.SIGHUP)
            end = time.monotonic() + 60
            while not any(message in line for line in running.log[before:]):
                expect(time.monotonic() < end, message)
                time.sleep(0.05)

        claims(work, key, str(sign(running, "promotional-offer", OFFER)["compactJWS"]))
        new_key(key)
        second = key.read_bytes()
        reload("the configuration was read anew")
        claims(work, key, str(sign(running, "promotional-offer", OFFER)["compactJWS"]))
        for content, permissions in ((b"no key", 0o600), (first, 0o644)):
            key.write_bytes(content)
            key.chmod(permissions)
            reload("the configuration could not be read anew")
            key.write_bytes(second)
            claims(work, key, str(sign(running, "promotional-offer", OFFER)["compactJWS"]))


def main() -> None:
    with folder() as work:
        key, token = work / "key.p8", work / "token"
        new_key(key)
        token.write_text(TOKEN)
        with service("--bundle-id", BUNDLE, "--token-file", str(token)) as running:
            sent = json.dumps(OFFER).encode()
            running.request("POST", "/v1/sign/promotional-offer", sent, HEADERS).problem(404, "a service without a key")
        options = ["--signing-key", str(key), "--signing-key-id", "K1", "--signing-issuer-id", "I1"]
        with service(*options, "--bundle-id", BUNDLE, "--token-file", str(token)) as running:
            check_kinds(running, work, key)
            check_refusals(running)
        check_starts(work, key, token)
        check_apps(work, key, token)
        check_reload(work, token)
    print("signing: the service signs with the configured key, and for callers with the token alone")


if __name__ == "__main__":
    main()
