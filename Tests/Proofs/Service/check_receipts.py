"""POST /verifyReceipt: the command's answer to each receipt, the endpoint's statuses, and who may know what."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

from kit import VECTORS, Service, command, expect, folder, genuine, lines, run_command, service

ROOT_OPTIONS = ("--root", str(VECTORS / "pki/receipt-root.pem"))
TOKEN_ROOT = ("--root", str(VECTORS / "pki/root.pem"))
SECRET = "0123456789abcdef0123456789abcdef"
# The shared prefix of a request's three dates.
REQUEST_DATES = re.compile(rb'"request_date(_ms|_pst)?":"[^"]*",')


def ask(running: Service, receipt: str, query: str = "", token: str | None = None, **members: object) -> bytes:
    """The answer, of which the HTTP status is always 200."""
    body = json.dumps({"receipt-data": receipt, **{name.replace("_", "-"): value for name, value in members.items()}})
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    given = running.request("POST", f"/verifyReceipt{query}", body.encode(), headers)
    kind = given.headers["content-type"]
    expect(given.status == 200 and kind == "application/json", f"/verifyReceipt: {given.status} {kind} {given.body[:300]!r}")
    return given.body


def status(answer: bytes) -> int:
    found: int = json.loads(answer)["status"]
    expect(found == 0 or answer == b'{"status":%d}\n' % found, f"{answer!r}")
    return found


def receipts(name: str = "receipts") -> list[str]:
    return [line.decode() for line in lines(VECTORS / f"valid/{name}.b64") if line]


def check_answers(running: Service, query: str, files: list[Path], options: tuple[str, ...]) -> int:
    """The same bytes as the command's, but for the date of the request."""
    for path in files:
        content = path.read_text().strip()
        expected = run_command("receipt", "--receipt-json", *options, str(path))
        given = ask(running, content, query)
        expect(len(REQUEST_DATES.findall(given)) in (0, 3), f"{given[:300]!r}")
        expect(REQUEST_DATES.sub(b"", given) == REQUEST_DATES.sub(b"", expected), f"{path}: {given[:300]!r}, not {expected[:300]!r}")
    return len(files)


def check_statuses(running: Service) -> None:
    receipt = receipts()[0]
    path = "/verifyReceipt?app=vectors"
    for method, body in (("GET", None), ("POST", b""), ("POST", b"receipt-data=x"), ("POST", b"[]"), ("POST", b'"x"'),
                         ("POST", b'{"receipt-data":"x","password":5}'), ("POST", b'{"receipt-data":"x"'),
                         ("POST", b'{"receipt-data":"x","exclude-old-transactions":"true"}')):
        given = running.request(method, path, body)
        expect(given.status == 200 and status(given.body) == 21000, f"{method} {body!r}: {given}")
    expect(running.request("HEAD", path).status == 200, "HEAD")
    running.request("PUT", path, b"{}").problem(405, "PUT")
    for body in (b"{}", b'{"receipt-data":null}', b'{"receipt-data":""}', b'{"receipt-data":["x"]}', b'{"receipt-data":"x"}',
                 b'{"receipt-data":"ewoJInNpZ25hdHVyZSIgPSAiQSI7Cn0="}'):
        given = running.request("POST", path, body)
        expect(given.status == 200 and status(given.body) == 21002, f"{body!r}: {given}")
    changed = receipt[:-12] + ("A" if receipt[-12] != "A" else "B") + receipt[-11:]
    production = receipts("receipts-environment-production")[0]
    for app, content, expected in (
        ("vectors", changed, 21003), ("genuine", receipt, 21003), ("other", receipt, 21003), ("short", receipt, 21002),
        ("production", receipt, 21007), ("sandbox", production, 21008), ("vectors", receipt, 0), ("production", production, 0),
    ):
        found = status(ask(running, content, f"?app={app}"))
        expect(found == expected, f"{app}: {found}, not {expected}")
    # A JSON writer may escape what base64 has, and a form's type is what curl says of JSON.
    escaped = json.dumps({"receipt-data": receipt, "other": {"a": [1]}}).replace("/", "\\/").replace("+", "\\u002b").encode()
    given = running.request("POST", path, escaped, {"Content-Type": "application/x-www-form-urlencoded"})
    expect(status(given.body) == 0, f"escapes: {given.body[:100]!r}")
    for query, body, code in (("", b"{}", 400), ("?app=nobody", b"{}", 400), ("?app=vectors&a=b", b"{}", 400),
                              ("?app=vectors", b'{"receipt-data":"' + b"A" * (2 << 20) + b'"}', 413)):
        running.request("POST", f"/verifyReceipt{query}", body).problem(code, f"{query} {body[:40]!r}")


def check_old_transactions(running: Service) -> None:
    """Of each subscription only the latest transaction, and nothing else; the receipt itself stays whole."""
    for receipt in receipts():
        everything, latest = (json.loads(ask(running, receipt, "?app=vectors", exclude_old_transactions=excludes))
                              for excludes in (False, True))
        expect(everything["receipt"]["in_app"] == latest["receipt"]["in_app"], "in_app without old transactions")
        if "latest_receipt_info" in everything:
            found = [one["original_transaction_id"] for one in latest["latest_receipt_info"]]
            expect(len(set(found)) == len(found) > 0, f"old transactions: {found}")


def check_access(work: Path) -> None:
    """The path needs the token unless it is opened, and the secret for subscriptions. Neither shows purchases unasked."""
    subscription, other = receipts()[0], receipts()[15]
    token, secret = work / "token", work / "secret"
    token.write_text("correct-horse-battery")
    secret.write_text(f"{SECRET}\n")
    database = ingested(work)
    options = (*ROOT_OPTIONS, *TOKEN_ROOT, "--bundle-id", "com.example.garden", "--token-file", str(token))
    with service(*options) as running:
        for method in ("GET", "POST"):
            running.request(method, "/verifyReceipt", b"{}" if method == "POST" else None).problem(401, f"{method} without a token")
        expect(status(ask(running, subscription, token="correct-horse-battery")) == 0, "with the token")
    with service(*options, "--verify-receipt", "--database", database) as running:
        running.request("GET", "/openapi.json").problem(401, "another path")
        answer = json.loads(ask(running, subscription, password="anything"))
        expect("cancellation_date" not in answer["latest_receipt_info"][0], f"a stranger is told of a refund: {answer}")
        expect("pending_renewal_info" not in answer, f"a stranger is told of a renewal: {answer}")
        check_known(json.loads(ask(running, subscription, token="correct-horse-battery")))
    with service(*options, "--verify-receipt", "--shared-secret-file", str(secret), "--database", database) as running:
        for password in (None, "", SECRET[:-1], SECRET + "0", SECRET.upper(), "correct-horse-battery"):
            expect(status(ask(running, subscription, password=password)) == 21004, f"the password {password}")
        expect(status(ask(running, other)) == 0, "no subscription, no password")
        check_known(json.loads(ask(running, subscription, password=SECRET)))
    configuration = work / "secrets.json"
    app = {"roots": [ROOT_OPTIONS[1]], "sharedSecretFile": str(secret)}
    configuration.write_text(json.dumps({"apps": {"secret": app, "open": {"roots": [ROOT_OPTIONS[1]]}}}))
    with service("--config", str(configuration)) as running:
        expect(status(ask(running, subscription, "?app=secret")) == 21004, "an app's secret")
        expect(status(ask(running, subscription, "?app=secret", password=SECRET)) == 0, "an app's secret, given")
        expect(status(ask(running, subscription, "?app=open")) == 0, "the other app has no secret")
    secret.write_text("short")
    for given in (["--shared-secret-file", str(secret)], ["--config", str(configuration)],
                  ["--config", str(configuration), "--shared-secret-file", str(token)]):
        done = subprocess.run([command(), "serve", "--port", "0", *given], capture_output=True, timeout=60, check=False)
        expect(done.returncode == 64, f"{given}: {done}")


def ingested(work: Path) -> str:
    """A database that knows of a refund, and of the next renewal."""
    database, payloads = str(work / "receipts.db"), work / "payloads"
    transactions, renewals = (lines(VECTORS / f"valid/{name}.jws") for name in ("transactions", "renewal-info"))
    payloads.write_bytes(b"\n".join([transactions[6], renewals[1], renewals[0]]) + b"\n")
    run_command("ingest", *TOKEN_ROOT, "--bundle-id", "com.example.garden", "--database", database,
                "--refused", str(work / "refused"), str(payloads))
    return database


def check_known(answer: dict[str, Any]) -> None:
    """What the database knows of the receipt's purchases, and nothing of others."""
    expect(list(answer)[-3:] == ["latest_receipt_info", "latest_receipt", "pending_renewal_info"], f"{list(answer)}")
    expect("cancellation_date" not in answer["receipt"]["in_app"][0], "the receipt itself is changed")
    (latest,) = answer["latest_receipt_info"]
    expected = {
        "transaction_id": "2000000900000001", "cancellation_date": "2025-12-06 05:46:35 Etc/GMT",
        "cancellation_date_ms": "1764999995000", "expires_date_ms": "1767678390000", "is_trial_period": "false",
        "in_app_ownership_type": "PURCHASED",
    }
    expect(expected.items() <= latest.items(), f"{latest}")
    (renewal,) = answer["pending_renewal_info"]
    expected = {"original_transaction_id": "2000000900000000", "auto_renew_status": "1",
                "auto_renew_product_id": "com.example.garden.plus.monthly", "product_id": "com.example.garden.plus.monthly"}
    expect(renewal == expected, f"{renewal}")


def check_damaged(work: Path) -> None:
    """A database that cannot be read is no reason to leave a refund out."""
    database = ingested(work)
    with service(*ROOT_OPTIONS, *TOKEN_ROOT, "--bundle-id", "com.example.garden", "--database", database) as running:
        check_known(json.loads(ask(running, receipts()[0])))
        for file in work.glob("receipts.db*"):
            file.unlink()
        expect(status(ask(running, receipts()[0])) == 21009, "a database that is gone")
        expect(status(ask(running, receipts()[15])) == 0, "a receipt without a subscription")


def main() -> None:
    with folder() as work:
        files = []
        for number, receipt in enumerate(receipts()):
            files.append(work / f"{number}.b64")
            files[-1].write_text(receipt)
        roots = [ROOT_OPTIONS[1]]
        apps = {
            "vectors": {"roots": roots}, "genuine": {}, "other": {"roots": roots, "bundleIds": ["com.example.other"]},
            "short": {"roots": roots, "maxTokenBytes": 1_000}, "sandbox": {"roots": roots, "environments": ["Sandbox"]},
            "production": {"roots": roots, "environments": ["Production"]},
        }
        configuration = work / "apps.json"
        configuration.write_text(json.dumps({"apps": apps}))
        with service("--config", str(configuration)) as running:
            checked = check_answers(running, "?app=vectors", files, ROOT_OPTIONS)
            archive = genuine()
            if archive is None:
                print("skipped: PRIVATE_TEST_DATA names no folder with Apple's payloads")
            else:
                checked += check_answers(running, "?app=genuine", sorted(archive.glob("receipts/*.b64")), ())
            check_statuses(running)
            check_old_transactions(running)
        check_access(work)
        for file in work.glob("receipts.db*"):
            file.unlink()
        check_damaged(work)
    print(f"receipts: {checked} answers of /verifyReceipt as the command's, its statuses, and who may know what")


if __name__ == "__main__":
    main()
